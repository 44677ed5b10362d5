"""Statements are left out of a text while something about it stays, and of graph breaks the reason."""

from pathlib import Path

import pytest

from compiler.engine.errors import EngineError
from compiler.engine.failures.shrink_break import shrink_break
from compiler.engine.failures.smaller_source import SmallerSource
from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec
from compiler.model.experiments.failures import ShrinkBreak
from tests.compiler.engine.failures.test_find_failure import Here
from tests.helpers.thoroughness import some

PROGRAMS = Path(__file__).parents[3] / "data" / "breaking_source.py"
BRANCH = ("Data-dependent branching", "GB0170")
ITEM = ("Unsupported Tensor.item() call with capture_scalar_outputs=False", "GB0124")


def smaller(text: str, needed: str, most: int = 500) -> SmallerSource:
    found = SmallerSource(text, lambda tried: needed in tried, most)
    found.search()
    return found


def test_all_goes_that_is_not_needed() -> None:
    text = """
import os
class A:
    def one(self, x):
        if x:
            y = [x for x in range(3)]
            return needed(y + 1)
        return 2
def other(): pass
"""
    found = smaller(text, "needed(")
    assert found.text == "class A:\n\n    def one(self, x):\n        return needed(y)"


def test_a_part_stands_for_the_whole_expression() -> None:
    assert smaller("x = f(g(needed) + h[3], 5)", "needed").text in ("needed", "x = needed")


def test_there_are_at_most_so_many_trials() -> None:
    found = smaller("\n".join(f"x{index} = {index}" for index in range(100)), "x50", most=5)
    assert found.trials <= 5
    assert "x50" in found.text


def test_the_same_text_is_tried_once() -> None:
    tried: list[str] = []
    found = SmallerSource("a = 1\nb = 2\nc = 3", lambda text: bool(tried.append(text)) or "b" in text, 500)
    found.search()
    assert len(tried) == len(set(tried))


def asked(kind: tuple[str, str], reason: str) -> ShrinkBreak:
    return ShrinkBreak(CaptureSpec(TargetSpec(f"{PROGRAMS}:Net")), *kind, reason)


def reason_of(kind: tuple[str, str]) -> str:
    met = Here().breaks(asked(kind, "").spec, str(PROGRAMS), PROGRAMS.read_text(), 60.0)
    return next(row.reason for row in met.rows if row.kind == kind[0])


@pytest.mark.thorough
@pytest.mark.engine
@pytest.mark.parametrize(("kind", "stays", "goes"), some(((BRANCH, "if", "item"), (ITEM, "item()", "if "))))
def test_the_least_program_breaks_so(kind: tuple[str, str], stays: str, goes: str) -> None:
    least = shrink_break(asked(kind, reason_of(kind)), Here(), lambda text: None)
    program = least.text.partition("class Net")[2].partition("def example_inputs")[0]
    assert stays in program
    assert goes not in program
    assert least.unit == "statement"
    assert least.after < least.before / 2
    assert f"breaks for the same reason: {kind[0]}" in least.shows


@pytest.mark.engine
def test_a_break_that_is_not_met_is_an_error() -> None:
    with pytest.raises(EngineError, match="not met"):
        shrink_break(asked(("Something else", "GB0001"), "no"), Here(), lambda text: None)


@pytest.mark.engine
def test_what_is_no_file_is_an_error() -> None:
    spec = CaptureSpec(TargetSpec("package.module:Net"))
    with pytest.raises(EngineError, match="no text to make smaller"):
        shrink_break(ShrinkBreak(spec, *BRANCH, ""), Here(), lambda text: None)
