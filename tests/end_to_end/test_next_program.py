"""What one program does to its process, the next one does not meet: a real window with a real worker and its spare."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.engine_client import engine_client
from app.engine_client.engine_client import EngineClient
from app.engine_client.forking_process import ForkingProcess
from compiler.model.capture.capture_spec import TargetSpec
from compiler.model.edits.edits import ReplaceTarget
from compiler.model.ir.stage import StageKind
from tests.end_to_end.conftest import Desk, open_desk

_PLAIN = """import torch
def f(x):
    return torch.relu(x + torch.ones(4))
def example_inputs():
    return (torch.ones(4),)
"""
_CHANGES = """torch.set_default_dtype(torch.float64); torch.compile = lambda *a, **k: 1 / 0; torch.set_default_device('meta')
import subprocess; subprocess.Popen(['sleep', '600'], start_new_session=True)"""
_TOLD = (
    "default dtype float32 → float64",
    "torch.compile replaced by changing.py:2",
    "default device cpu → meta",
)


@pytest.fixture
def spared(tmp_path: Path, qapp: QApplication, qtbot: QtBot) -> Iterator[Desk]:
    """A window as the application has it: its engine keeps a spare worker, and workers are forked where they can be."""
    forks = ForkingProcess()
    with open_desk(EngineClient(spare=True, forks=forks), tmp_path, qapp, qtbot) as made:
        yield made
    forks.close()


def _programs(folder: Path) -> None:
    (folder / "plain.py").write_text(_PLAIN)
    (folder / "changing.py").write_text(_PLAIN.replace("import torch\n", f"import torch\n{_CHANGES}\n"))


def _spare(desk: Desk) -> int:
    """The spare's process, once it is ready."""
    engine = desk.session.engine
    assert isinstance(engine, EngineClient)
    desk.until(lambda: engine._spare is not None and bool(engine._spare.torch_version))
    return engine._spare.process.id


@pytest.mark.thorough
def test_no_program_meets_what_another_left_since_the_next_one_begins_in_the_spare(
    spared: Desk, tmp_path: Path
) -> None:
    _programs(tmp_path)
    session, engine = spared.session, spared.session.engine
    assert isinstance(engine, EngineClient)
    spared.capture("plain.py:f", tmp_path)
    first, spare = spared.worker(), _spare(spared)
    assert first != spare
    spared.capture("plain.py:f", tmp_path)
    assert engine.generation == 1  # the same program: the same process
    spared.capture("changing.py:f", tmp_path)
    assert engine.generation == 2
    spared.until(lambda: not Path(f"/proc/{first}").exists())
    assert Path(f"/proc/{spare}").exists()
    texts = spared.problem_texts()
    assert all(any(words in text for text in texts) for words in _TOLD), texts
    spared.until(lambda: any("left this running: sleep 600" in text for text in spared.problem_texts()))
    (left,) = (text for text in spared.problem_texts() if "left this running" in text)
    sleeping = Path("/proc", left.partition("(process ")[2].partition(")")[0])
    assert sleeping.exists()
    session.clear_problems()
    spared.capture("plain.py:f", tmp_path)
    capture = session.capture
    assert spared.problem_texts() == []
    assert capture.spec.target.name == "plain.py:f"
    assert capture.of_kind(StageKind.KERNELS)
    assert "float64" not in repr(capture)
    assert "meta" not in repr([stage.graph for stage in capture.stages])
    spared.until(lambda: not sleeping.exists())
    # the spare ends with its client, also where it stands still, as it does while the other one works
    spared.until(lambda: engine._spare is not None and bool(engine._spare.process.id))
    spare = engine._spare.process.id
    engine._spare.stand_still(still=True)
    engine.shut_down()
    with pytest.raises(ProcessLookupError):
        os.kill(spare, 0)


@pytest.mark.thorough
def test_looking_at_another_program_keeps_the_open_one_live_and_its_edits_are_kept_when_that_fails(
    spared: Desk, tmp_path: Path
) -> None:
    _programs(tmp_path)
    (tmp_path / "broken.py").write_text("import torch\ntorch.set_default_dtype(torch.float64)\n1 / 0\n")
    spared.capture("plain.py:f", tmp_path)
    session = spared.session
    said: list[object] = []
    session.describe_target(TargetSpec("changing.py:f", str(tmp_path)), said.append)
    spared.until(lambda: bool(said))
    assert session.engine.generation == 1
    assert "float64" in repr(said)  # it is what that program takes
    root = session.capture
    stage = root.of_kind(StageKind.DYNAMO_GRAPH)[0]
    relu = next(node for node in stage.graph.nodes if "relu" in node.id)
    session.make_edit(ReplaceTarget(stage.id, relu.id, "call_function", "torch.sigmoid", relu.args))
    _spare(spared)
    spared.capture("broken.py:f", tmp_path)
    assert session.engine.generation == 2
    assert session.capture is root
    session.clear_problems()
    session.recompile()
    spared.until(lambda: len(session.captures) == 2 or session.problems != ())
    spared.until(spared.settled)
    assert len(session.captures) == 2, spared.problem_texts()
    assert "float64" not in repr(session.captures[-1])


@pytest.mark.thorough
def test_without_memory_there_is_no_spare_and_the_next_program_is_fresh_all_the_same(
    spared: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_client, "has_room_for_worker", lambda: False)
    monkeypatch.setattr(engine_client, "SPARE_AFTER_MS", 0)
    _programs(tmp_path)
    spared.capture("changing.py:f", tmp_path)
    spared.capture("plain.py:f", tmp_path)
    engine = spared.session.engine
    assert isinstance(engine, EngineClient)
    assert engine._spare is None
    assert engine.generation == 2
    assert "float64" not in repr(spared.session.capture)
