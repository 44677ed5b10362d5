"""A program captured a second time in one process is the program as it is now, with its own modules."""

import functools
import gc
import types
from pathlib import Path
from typing import Any

import pytest

from compiler.engine.capture.capture import make_capture
from compiler.engine.torch_internals.patch import settings
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec

pytestmark = pytest.mark.engine

_MAIN = """
import torch
import own_helper

def run(x):
    import own_helper as again
    return own_helper.act(x) * again.SCALE

def example_inputs():
    return (torch.ones(3),)
"""
_HELPER = "SCALE = {scale}\ndef act(x):\n    import own_helper\n    return (x + {scale}).relu() * own_helper.SCALE\n"


def _capture(folder: Path, scale: float) -> str:
    (folder / "own_helper.py").write_text(_HELPER.format(scale=scale))
    spec = CaptureSpec(TargetSpec("own_main.py:run", str(folder)), run=RunOptions())
    capture = make_capture(spec, "capture-1", lambda text: None).capture
    assert not capture.problems
    graph = next(stage for stage in capture.stages if stage.id.endswith(":dynamo"))
    return repr(graph)


@pytest.mark.thorough
def test_the_second_capture_sees_the_helper_module_as_it_is_now(tmp_path: Path) -> None:
    (tmp_path / "own_main.py").write_text(_MAIN)
    assert "2.0" in _capture(tmp_path, 2.0)
    changed = _capture(tmp_path, 7.0)
    assert "7.0" in changed
    assert "2.0" not in changed


@pytest.mark.thorough
def test_no_cache_of_torch_keeps_a_module_of_the_program(tmp_path: Path) -> None:
    (tmp_path / "own_main.py").write_text(_MAIN)
    _capture(tmp_path, 2.0)
    settings.forget_compiled_code()
    assert not [f"{cache.__module__}.{cache.__qualname__}" for cache in _caches() if _holds_own_module(cache)]


def _caches() -> list[Any]:
    """All but those of hypothesis, which reads the constants of every module that is loaded while it runs."""
    gc.unfreeze()  # what was set aside is not among them
    found = [cache for cache in gc.get_objects() if type(cache) is functools._lru_cache_wrapper]
    return [cache for cache in found if not str(cache.__module__).startswith("hypothesis")]


def _holds_own_module(cache: Any) -> bool:
    """A cache refers to its table of arguments and results; where its size is limited, results stand in links."""
    table = [found for found in gc.get_referents(cache) if isinstance(found, dict)]
    entries = [entry for rows in table for entry in gc.get_referents(rows)]
    reached = [*entries, *(inner for entry in entries for inner in _inside(entry))]
    return any(isinstance(entry, types.ModuleType) and entry.__name__.startswith("own_") for entry in reached)


def _inside(entry: object) -> list[object]:
    wrapped = isinstance(entry, tuple | list) or type(entry).__name__ == "_lru_list_elem"
    return gc.get_referents(entry) if wrapped else []
