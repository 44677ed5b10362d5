"""Float64 draws what eager drew, whatever draws it, and what can't be repeated is said."""

import pytest
import torch

from compiler.engine.accuracy.eager_reference import eager_reference
from compiler.engine.user_program.stepper import Results, Stepper
from compiler.model.capture.capture_spec import RunOptions
from tests.data import drawing_programs

pytestmark = pytest.mark.engine


@pytest.mark.parametrize("name", ["Drops", "Attends", "Samples", "Recomputes", "OwnGenerator"])
def test_float64_draws_what_eager_drew(name: str) -> None:
    reference = _reference(name)
    assert reference.why_not == ""
    for key, value in reference.exact.tensors.items():
        torch.testing.assert_close(
            reference.eager.tensors[key].double(), value.double(), rtol=1e-4, atol=1e-5
        )


def test_eager_that_is_far_from_float64_judges_nothing() -> None:
    """A program that branches on precision: float64 is another program."""

    class Branches(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x * (1.0 if x.dtype == torch.float32 else 1.5)

    reference = eager_reference(*_program(Branches()))
    assert "more than rounding explains" in reference.why_not
    assert reference.judge("unedited", reference.eager, "float64").agrees is True, "eager's own, bit for bit"
    others = {name: value * 1.0001 for name, value in reference.eager.tensors.items()}
    row = reference.judge("unedited", Results(others, reference.eager.random), "float64")
    assert row.agrees is None
    assert "Not judged" in row.note


def test_rounding_that_adds_up_is_judged_all_the_same() -> None:
    """Little is left of large numbers: eager is far from float64, and rounding explains it."""

    class Cancels(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return (x * 1e6 + 1.0).sin() + (x + 1e5) - 1e5

    reference = eager_reference(*_program(Cancels()))
    assert reference.why_not == ""
    assert reference.judge("unedited", reference.eager, "float64").agrees is True


def _reference(name: str):
    return eager_reference(*_program(getattr(drawing_programs, name)()))


def _program(module: torch.nn.Module):
    from compiler.engine.user_program.loading import Program

    torch.manual_seed(0)
    program = Program("module", module, drawing_programs.example_inputs(), {}, "", {})
    return program, Stepper(program, RunOptions(gradients=True))
