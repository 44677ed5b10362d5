"""What is told of a program that cannot be imported."""

from pathlib import Path

import pytest

from compiler.engine.cross_compile.fake_loading import load_as_fakes
from compiler.engine.errors import EngineError
from compiler.engine.torch_internals.fake_gpu.values.assumed_values import AssumingMode
from compiler.engine.user_program.loading import load_program
from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec
from compiler.model.ir.diagnostics import Problem

_BY_HAND = "from importlib.metadata import PackageNotFoundError\n\nraise PackageNotFoundError({!r})\n"
_SENTENCE = "The 'requests' distribution was not found.\nTry: pip install -U"


def _problem(folder: Path, text: str, *, fake: bool = False) -> Problem:
    (folder / "program_that_fails.py").write_text(text)
    target = TargetSpec("program_that_fails.py:f", str(folder))
    spec = CaptureSpec(target, without_values=True)
    with pytest.raises(EngineError) as raised:
        load_as_fakes(spec, AssumingMode({})) if fake else load_program(target)
    return raised.value.problem


@pytest.mark.parametrize("name", ["not_there", "not_there.inside"])
def test_the_module_is_named(tmp_path: Path, name: str) -> None:
    assert f"Install {name.split('.')[0]!r} into" in _problem(tmp_path, f"import {name}\n").remedy


def test_a_distribution_is_named_but_no_sentence(tmp_path: Path) -> None:
    """diffusers writes a sentence where the name of the distribution belongs."""
    assert (
        "Install 'typing-extensions' into" in _problem(tmp_path, _BY_HAND.format("typing-extensions")).remedy
    )
    assert _problem(tmp_path, _BY_HAND.format(_SENTENCE)).remedy == "Correct it and capture again."


def test_a_missing_module_is_no_want_of_values(tmp_path: Path) -> None:
    assert "values" not in _problem(tmp_path, "import not_there\n", fake=True).remedy
    assert "values" not in _problem(tmp_path, "def f(:\n", fake=True).remedy
    assert "values" in _problem(tmp_path, "raise RuntimeError('none')\n", fake=True).remedy
