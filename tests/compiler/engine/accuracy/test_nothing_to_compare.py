"""A program of which no result can be seen is not judged: planted, a kernel that computes something else was reported right."""

import contextlib

import pytest
import torch

from compiler.engine.accuracy.eager_reference import Reference, graph_reference
from compiler.engine.rng.random_tape import Run
from compiler.engine.user_program.stepper import Results

pytestmark = pytest.mark.engine


def test_without_a_tensor_nothing_is_right() -> None:
    def run(within: object) -> Results:
        return Results({})

    only: Run[Results] = run
    reference = graph_reference(only, only)
    assert reference.exact is not None
    row = reference.judge("edited", run(contextlib.nullcontext), "float64")
    assert row.agrees is None
    assert row.note.startswith("Not judged: a step gives no tensor back")


@pytest.mark.parametrize(
    ("given", "agrees"), [([1.0, 2.0], True), ([1.0, 2.001], None), ([float("nan")] * 2, None)]
)
def test_what_is_eagers_bit_for_bit_is_right_however_far_that_is_from_float64(
    given: list[float], agrees: bool | None
) -> None:
    """gelu of -5 has no digit that is float64's, in eager neither."""
    eager = [1.0, 2.0] if given[0] == given[0] else given
    exact = Results({"output 0": torch.tensor([1.0, 3.0], dtype=torch.float64)})
    reference = Reference(Results({"output 0": torch.tensor(eager)}), exact, "eager branches elsewhere")
    row = reference.judge("edited", Results({"output 0": torch.tensor(given)}), "edited graph, float64")
    assert row.agrees is agrees
    assert row.note.startswith("Judged by eager alone" if agrees else "Not judged")
    assert row.note.endswith(": eager branches elsewhere.")
