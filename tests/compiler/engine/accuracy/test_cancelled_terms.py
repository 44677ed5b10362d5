"""Gradients that cancel to nothing are all rounding: how far they are off is not how far an edit moves results."""

import pytest
import torch
from torch import nn

import torch_loupe
from compiler.analysis.text_format.verdict_headline import headline
from compiler.engine.accuracy.cancelled_terms import marked
from compiler.engine.accuracy.tolerance import compare
from compiler.engine.capture.capture import make_capture
from compiler.engine.causes.find_cause import find_cause
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.user_program.stepper import Results
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.experiments.causes import FindCause

pytestmark = pytest.mark.engine

_BIAS = "grad of key.bias"


class Attends(nn.Module):
    """The softmax takes the bias of the keys out."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.query, self.key, self.value = (nn.Linear(8, 8) for _ in range(3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        scores = torch.relu(self.query(x)) @ self.key(x).transpose(-2, -1)
        return scores.softmax(-1) @ self.value(x)


def test_the_bias_of_keys_is_not_what_an_edit_moves() -> None:
    captured = torch_loupe.capture(Attends(), torch.randn(2, 6, 8), train=True)
    edit = captured["dynamo"].replace("relu", torch.nn.functional.gelu)
    _, verdict = captured.edit(edit).recompile()
    for row in verdict.data.comparisons:
        assert row.rounding == (_BIAS,), row
        assert row.worst.tensor != _BIAS
    assert "key.bias" not in headline(verdict.data).moved


def test_what_cancels_since_the_edit_is_not_farthest_from_the_edited_graph() -> None:
    """Over the queries the softmax takes the bias of the queries out, and the keys' has a gradient."""
    captured = torch_loupe.capture(Attends(), torch.randn(2, 6, 8), train=True)
    stage = captured["dynamo"]
    text = stage.text.replace("torch.relu(", "torch.neg(").replace("softmax(-1)", "softmax(-2)")
    assert "neg(" in text
    assert "softmax(-2)" in text
    _, verdict = captured.edit(stage.edited(text)).recompile()
    rows = {row.reference: row for row in verdict.data.comparisons if row.what == "edited"}
    for reference in ("edited graph, op by op", "edited graph, float64"):
        assert "grad of query.bias" in rows[reference].rounding
        assert rows[reference].worst is not None
        assert rows[reference].worst.tensor != "grad of query.bias"
    assert rows["eager"].rounding == ()


def test_a_search_for_what_is_wrong_tells_of_what_has_a_value() -> None:
    """It said that a step that is right was off by 1e8."""
    target = TargetSpec(f"{__file__}:Attends", inputs="torch.randn(2, 6, 8)")
    spec = CaptureSpec(target, run=RunOptions(gradients=True))
    program = EditedProgram(make_capture(spec, "c1", lambda text: None))
    found = find_cause(program, FindCause("c1"), lambda text: None)
    assert not found.wrong
    assert all(step.off is not None and step.off < 1e-3 for step in found.steps), found.steps


def _results(bias: float) -> Results:
    return Results({"grad of weight": torch.ones(4), _BIAS: torch.full((4,), bias)})


def test_what_an_edit_gives_a_value_is_moved() -> None:
    exact, eager = _results(0.0), _results(1e-9)
    for given, nothing in ((2e-9, (_BIAS,)), (0.5, ())):
        found = _results(given)
        row = marked(compare("edited", found, "eager", eager), eager, exact)
        assert row.rounding == nothing
        assert (row.worst.tensor == _BIAS) == (not nothing)
