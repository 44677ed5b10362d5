"""Slow: random edits of every graph of every shipped example, trained and not."""

from random import Random

import pytest

from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.verdicts import judge_edits
from tests.compiler.engine.capture.test_observing import _TARGETS
from tests.compiler.engine.conftest import EXAMPLES, capture
from tests.compiler.engine.torch_internals.inductor.test_stage_edits import try_random_edits


@pytest.mark.slow
@pytest.mark.engine
@pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
@pytest.mark.parametrize("name", _TARGETS)
def test_random_edits(
    name: str, training: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(judge_edits, "_SECONDS", 0.01)
    assert EXAMPLES.is_dir()
    tried = try_random_edits(EditedProgram(capture(name, training)), Random(name), rounds=3)
    capsys.readouterr()
    print(f"{name}: {tried} random edits")
