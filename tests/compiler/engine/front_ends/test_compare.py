"""Captures beside eager: what is silently wrong is found without being reported on which input."""

import json
import os
import sys
from pathlib import Path

import msgspec
import pytest

from compiler.engine.front_ends.compare import judge_front_end
from compiler.engine.front_ends.interface.result import FrontEndResult
from compiler.engine.front_ends.registry import FRONT_ENDS
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, TargetSpec
from compiler.model.front_end_comparison.front_end_matrix import (
    FrontEndCell,
    JudgeFrontEnd,
    Outcome,
    alternate_from_text,
    format_verdict,
)
from tests.helpers.finished_process import ran

pytestmark = pytest.mark.engine

ROOT = Path(__file__).resolve().parents[4]
PROGRAMS = ROOT / "tests" / "data"
CALLS = {
    "MLP": ("randn(2, 4)", None, "randn(5, 4)"),
    "DataIf": ("torch.ones(3)", None, "-torch.ones(3) * 3"),
    "Loop": ("randn(2, 4)", None, "randn(3, 4)"),
    "DictIn": (
        "{'a': torch.ones(3), 'b': torch.ones(3)}",
        None,
        "{'a': torch.ones(3) * 5, 'b': torch.zeros(3)}",
    ),
    "Print": ("torch.ones(3)", None, "torch.ones(3) * 4"),
    "Drop": ("torch.ones(3)", None, "eval: torch.ones(3)"),
    "ListComprehension": ("randn(3, 2)", None, "randn(5, 2)"),
    "Keywords": (
        "torch.ones(3)",
        "scale=torch.tensor(2.0)",
        "torch.ones(3), scale=torch.tensor(3.0), bias=torch.tensor(1.0)",
    ),
    "Numpy": ("torch.ones(3)", None, "torch.ones(3) * -2"),
    "Item": ("torch.tensor([1.0, 2.0, 3.0])", None, "torch.tensor([1.0, 2.0, 9.0])"),
    "FactoryAndLen": ("torch.ones(3)", None, "torch.ones(3) * 2"),
    "While": ("torch.ones(3) * 5", None, "torch.ones(3) * 40"),
}
"""Example, keywords, and the other input that the study tried."""
FRONT_END_ORDER = (
    "eager", "jit.trace", "jit.script", "fx", "export", "export-dynamic", "dynamo-fullgraph", "dynamo", "lazy", "make_fx",
)  # fmt: skip
STUDY = {
    "MLP": "ok ok ok ok refuses ok ok ok ok ok",
    "DataIf": "ok WRONG ok ✗ ✗ ✗ ✗ ok ok ✗",
    "Loop": "ok ok ok ok refuses ok ok ok ok ok",
    "DictIn": "ok ok ✗ ok ok ok ok ok ok ok",
    "Print": "ok lost ok lost lost lost ✗ ok ok lost",
    "Drop": "ok WRONG ok ok WRONG WRONG ok ok ok WRONG",
    "ListComprehension": "ok WRONG ok ✗ refuses refuses ok ok ok WRONG",
    "Keywords": "ok ✗ ✗ ok refuses ✗ ok ok ok WRONG",
    "Numpy": "ok WRONG ✗ ✗ ✗ ✗ ok ok ✗ WRONG",
    "Item": "ok WRONG ok ok ok ok ok ok ok ✗",
    "FactoryAndLen": "ok ok ok ✗ ok ok ok ok ✗ ok",
    "While": "ok WRONG ok ✗ ✗ ✗ ✗ ok ok ✗",
}
"""Verdicts of the study on the other input, front ends in that order; ✗: not captured."""


def order(name: str, front_end: str, search: bool = True, given: bool = True) -> JudgeFrontEnd:
    inputs, keywords, other = CALLS[name]
    spec = CaptureSpec(
        TargetSpec(f"front_end_programs.py:{name}", str(PROGRAMS), inputs, keywords),
        CompileOptions(backend="eager"),
        front_end=front_end,
    )
    return JudgeFrontEnd(spec, (alternate_from_text(other),) if given else (), search, timed=False)


def judged(name: str, front_end: str, search: bool = True, given: bool = False) -> FrontEndCell:
    return judge_front_end(order(name, front_end, search, given), lambda text: None)


def word(cell: FrontEndCell) -> str:
    """The verdict on what a person gave, as the study writes it."""
    if not cell.captured:
        return "✗"
    (given,) = [judgement for judgement in cell.of_others() if not judgement.found]
    found = format_verdict((given,)).partition(" (")[0]
    return "lost" if found == "ok, print lost" else found


def test_an_input_that_shows_a_baked_length_is_found():
    cell = judged("ListComprehension", "make_fx")
    example = cell.of_example()
    assert example.outcome is Outcome.SAME
    assert "x of shape [5, 2]" in [judgement.input for judgement in cell.with_outcome(Outcome.WRONG)]
    assert cell.silently_wrong


def test_a_keyword_that_the_program_looks_for_is_tried():
    (first, *_) = judged("Keywords", "make_fx").with_outcome(Outcome.WRONG)
    assert first.input == "bias = tensor(3) given too"
    assert first.detail == "2, 2, 2, eager gives 5, 5, 5"


@pytest.mark.thorough
def test_a_mode_that_cannot_be_switched_is_wrong_and_says_so():
    (found,) = judged("Drop", "export").with_outcome(Outcome.WRONG)
    assert found.input == "in eval mode"
    assert ".eval() raises NotImplementedError" in found.detail


def test_a_print_that_is_lost_is_no_other_result():
    cell = judged("Print", "fx", search=False, given=True)
    assert word(cell) == "lost"
    assert not cell.silently_wrong


@pytest.mark.thorough
def test_what_refuses_is_not_silent():
    cell = judged("MLP", "export", search=False, given=True)
    assert word(cell) == "refuses"
    assert "Guard failed" in cell.judgements[-1].detail


def test_what_is_not_captured_names_the_line():
    cell = judged("DataIf", "fx")
    assert cell.problem.line == 19


@pytest.mark.thorough
def test_compiled_with_breaks_is_counted_and_right():
    cell = judged("Print", "dynamo")
    assert (cell.graphs, cell.operations) == (2, 2)
    assert not cell.silently_wrong
    assert not any(judgement.print_lost for judgement in cell.judgements)


def test_eager_is_counted_as_what_it_dispatches():
    cell = judged("MLP", "eager", search=False)
    assert (cell.graphs, cell.operations) == (0, 6)
    assert not cell.silently_wrong


def test_random_numbers_are_wrong_only_where_they_are_baked(tmp_path, monkeypatch):
    (tmp_path / "noisy.py").write_text("import torch\n\n\ndef f(x):\n    return x + torch.rand(3)\n")
    spec = CaptureSpec(TargetSpec("noisy.py:f", str(tmp_path), "torch.ones(3)"), front_end="fx")
    baked = judge_front_end(JudgeFrontEnd(spec, timed=False), lambda text: None)
    wrong = baked.with_outcome(Outcome.WRONG)[0]
    assert wrong.input == "another random seed"
    assert "baked in" in wrong.detail

    def own_numbers(program, spec, graphs):
        import torch

        other = torch.Generator().manual_seed(1234)
        return FrontEndResult((), lambda x: x + torch.rand(3, generator=other), 1, 2, 0.0)

    monkeypatch.setitem(FRONT_ENDS, "fx", own_numbers)
    drawn = judge_front_end(JudgeFrontEnd(spec, (), False, timed=False), lambda text: None)
    assert drawn.judgements[0].outcome is Outcome.UNJUDGED


@pytest.mark.thorough
def test_an_input_on_which_the_program_never_ends_is_left_out(tmp_path, monkeypatch):
    monkeypatch.setattr("compiler.engine.accuracy.differential_test.LONGEST_TRY", 0.3)
    text = "import torch\n\n\ndef f(x):\n    while x.sum() < 10:\n        x = x * 2\n    return x\n"
    (tmp_path / "endless.py").write_text(text)
    spec = CaptureSpec(TargetSpec("endless.py:f", str(tmp_path), "torch.ones(3)"), front_end="eager")
    cell = judge_front_end(JudgeFrontEnd(spec, timed=False), lambda text: None)
    tried = [judgement.input for judgement in cell.judgements]
    assert "x × 8" in tried
    assert "x all zero" not in tried


@pytest.mark.slow
@pytest.mark.parametrize("front_end", FRONT_END_ORDER)
def test_the_study_is_reproduced_verdict_for_verdict(front_end):
    """All twelve programs in one process, so that torch is loaded once."""
    cells = _in_one_process(front_end, list(CALLS))
    column = FRONT_END_ORDER.index(front_end)
    found = {name: word(cell) for name, cell in cells.items()}
    assert found == {name: STUDY[name].split()[column] for name in CALLS}
    for name, cell in cells.items():
        silent = [item for item in cell.with_outcome(Outcome.WRONG) if item.found]
        assert bool(silent) or found[name] != "WRONG", f"{name}: not found without being told"


def _in_one_process(front_end: str, names: list[str]) -> dict[str, FrontEndCell]:
    orders = msgspec.json.encode([order(name, front_end) for name in names]).decode()
    program = (
        "import json, sys, msgspec\n"
        "from compiler.engine.front_ends.compare import judge_front_end\n"
        "from compiler.model.front_end_comparison.front_end_matrix import JudgeFrontEnd\n"
        "orders = msgspec.json.decode(sys.stdin.read(), type=list[JudgeFrontEnd])\n"
        "cells = [judge_front_end(one, lambda text: None) for one in orders]\n"
        "print('\\nCELLS ' + msgspec.json.encode(cells).decode())\n"
    )
    done = ran([sys.executable, "-c", program], ROOT, {**os.environ, "PYTHONPATH": str(ROOT)}, given=orders)
    (line,) = [line for line in done.stdout.split("\n") if line.startswith("CELLS ")] or [done.stderr]
    cells = msgspec.convert(json.loads(line.removeprefix("CELLS ")), list[FrontEndCell])
    return dict(zip(names, cells, strict=True))
