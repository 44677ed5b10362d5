"""A program of which no result can be seen is not judged: planted, a kernel that computes something else was told right."""

import contextlib

import pytest

from compiler.engine.accuracy.eager_reference import Run, graph_reference
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
