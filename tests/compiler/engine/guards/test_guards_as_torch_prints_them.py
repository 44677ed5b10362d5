"""The tree of guards holds what torch's own print of it holds, read from torch itself and from its log, and counts what it counts."""

import re
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch._dynamo.guards

from compiler.analysis.torch_logs.log_guards import TREE, guards_of
from compiler.engine.capture.capture import make_capture
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, TargetSpec
from compiler.model.capture.guards import GuardTree

pytestmark = pytest.mark.engine

_PRINTED = re.compile(r"\+- ([A-Z][A-Z_]+)(?: #\d+)?: ")
PROGRAM = """
import enum
import torch

class Way(enum.Enum):
    UP = 1

class Settings(dict):
    def __init__(self):
        super().__init__(shift=1.0)
        self.scale = 2.0

SETTINGS = Settings()
SHIFTS = {"a": 1.0, "b": 2.0}
WAY = Way.UP

def block(x, y, again):
    total = (x + y) * SETTINGS.scale + SETTINGS["shift"] if x is again else x
    for shift in SHIFTS.values():
        total = total + shift if WAY is Way.UP else total
    return total

def program(x, y):
    total = 0
    for scale in (2.0, 3.0):
        torch._dynamo.graph_break()
        SETTINGS.scale = scale
        torch._dynamo.graph_break()
        total = total + block(x, y, x)
    return total

def example_inputs():
    return torch.ones(3), torch.ones(3)
"""


def test_a_tree_has_every_guard_that_torch_prints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A subclass of dict is guarded by its keys and its attributes; a guard on several values is one."""
    printed = []
    built = torch._dynamo.guards.CheckFunctionManager.__init__

    def noting(manager: object, *args: object, **kwargs: object) -> None:
        built(manager, *args, **kwargs)  # type: ignore[arg-type]
        printed.append(str(manager.guard_manager))  # type: ignore[attr-defined]

    monkeypatch.setattr(torch._dynamo.guards.CheckFunctionManager, "__init__", noting)
    (tmp_path / "settings.py").write_text(PROGRAM)
    spec = CaptureSpec(TargetSpec("settings.py:program", str(tmp_path)), CompileOptions(backend="eager"))
    found = make_capture(spec, "capture-1", lambda text: None).capture
    (again,) = (record for record in found.recompiles if record.name == "block")
    assert again.entries[0].reasons == ("G['SETTINGS'].scale == 2.0, but now 3.0",)
    assert len(found.guards) == len(printed)
    for tree, text in zip(found.guards, printed, strict=True):
        parts = {(leaf.kind, *leaf.code): len(leaf.code) for node in tree.nodes for leaf in node.leaves}
        reported = Counter()
        for (kind, *_), number in parts.items():
            reported[kind] += number
        assert reported == Counter(_PRINTED.findall(text)), text
        assert tree.count == len(parts)
        assert tree.count == next(frame.guards for frame in found.frames if frame.id == tree.compile_id)
        read = guards_of(_log(tree.compile_id, text))
        assert _values(read) == _values(tree)
        assert tree.count - read.count in (
            0,
            1,
        )  # torch 2.11 checks sizes in two guards, which its log does not tell apart
    assert any("ALIASING" in text for text in printed)
    assert any("KeyValueManager" in text for text in printed)


def _log(compile_id: str, text: str) -> Any:
    """What is read of a structured log with that tree."""
    return SimpleNamespace(id=compile_id, entries=(SimpleNamespace(name=TREE, text=text),), small=())


def _values(tree: GuardTree) -> list[tuple[str, str, str, str, tuple[str, ...]]]:
    return sorted(
        (
            node.source,
            node.type,
            node.accessor,
            tree.nodes[node.parent].source if node.parent >= 0 else "",
            tuple(sorted({leaf.kind for leaf in node.leaves})),
        )
        for node in tree.nodes
    )
