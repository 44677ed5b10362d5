"""Edited code that draws the unedited code's random numbers, on a GPU that adds in another order each time."""

from collections.abc import Iterator
from typing import Any

import pytest
import torch

from compiler.engine.rng.rounding_noise import TF32_UNIT
from compiler.engine.user_program.stepper import Results
from compiler.engine.verdicts import judge_edits
from compiler.model.timing.verdicts import Comparison


def _given(bias: float, weight: float) -> Results:
    return Results(
        {"grad of bias": torch.tensor([bias, -bias]), "grad of weight": torch.tensor([weight, 2.0])}
    )


def _judged(monkeypatch: pytest.MonkeyPatch, *steps: Results, exact: Results | None = None) -> Comparison:
    left: Iterator[Results] = iter(steps)
    monkeypatch.setattr(judge_edits, "_results", lambda *given: next(left))
    program: Any = None
    return judge_edits._against_unedited(program, (), exact, lambda text: None)


def test_rounding_that_differs_each_time_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bias of keys, which a softmax takes out: a remark in a kernel of ELECTRA was reported wrong."""
    row = _judged(monkeypatch, *(_given(bias, 1.0) for bias in (1e-8, 3e-8, 2e-8, -1e-8, 1e-8)))
    assert row.agrees is True
    assert "since the unedited code gives something else each time" in row.note
    assert "grad of bias" in row.note


def test_what_is_steady_and_another_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (
        _judged(monkeypatch, *(_given(bias, 1.0) for bias in (1e-8, 3e-8, 1e-8, 1e-8, 1e-8))).agrees is False
    )
    steps = (_given(1e-8, 1.0), _given(3e-8, 1.5), _given(2e-8, 1.0), _given(-1e-8, 1.0), _given(1e-8, 1.0))
    assert _judged(monkeypatch, *steps).agrees is False


def test_what_differs_each_time_and_is_large_is_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    row = _judged(monkeypatch, *(_given(bias, 1.0) for bias in (1.0, 1.5, 0.5, 1.5, 1.0)))
    assert row.agrees is None
    assert "differs from run to run by itself in grad of bias" in row.note


def test_equal_results_are_right_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _judged(monkeypatch, _given(1e-8, 1.0), _given(1e-8, 1.0)).agrees is True


def test_gradients_of_which_float64_has_nothing_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel that is built again may add in another order, each time the same one: BERT, six of thirteen remarks."""
    same = [_given(1e-8, 1.0)] * 3
    cancels, has_value = (_given(bias, 1.0) for bias in (1e-17, 1e-8))
    row = _judged(monkeypatch, _given(1e-8, 1.0), _given(3e-8, 1.0), *same, exact=cancels)
    assert row.agrees is True
    assert "float64 has next to nothing there" in row.note
    for bias, weight, exact in ((3e-8, 1.0, has_value), (3e-8, 1.5, cancels), (1.0, 1.0, cancels)):
        row = _judged(monkeypatch, _given(1e-8, 1.0), _given(bias, weight), *same, exact=exact)
        assert row.agrees is False


def test_where_a_step_gives_nothing_it_stays_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    row = _judged(monkeypatch, Results({}), Results({}))
    assert row.agrees is None
    assert "gives no tensor back" in row.note


def test_products_in_tf32_round_where_a_sum_before_them_was_added_in_another_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A remark in a kernel of ELECTRA moved the weight of keys by 2e-4 on an H200 that may use tf32."""
    steps = (_given(1.0, 1.0), _given(1.0, 1.0004), *[_given(1.0, 1.0)] * 3)
    assert _judged(monkeypatch, *steps).agrees is False
    monkeypatch.setattr(judge_edits, "_tf32_unit", lambda program, results: TF32_UNIT)
    assert _judged(monkeypatch, *steps).agrees is True
    assert _judged(monkeypatch, steps[0], _given(1.0, 1.05), *steps[2:]).agrees is False
