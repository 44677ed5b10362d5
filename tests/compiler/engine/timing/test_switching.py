"""Steps that are timed one after the other: what an edited or a changed program needs is put in place once for those in a row."""

import contextlib
import itertools
from collections.abc import Iterator

import pytest

from compiler.engine.experiments.ab_trial import time_interleaved
from compiler.engine.recompile.edited_graph import EditedDynamoGraph
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.timing.edit_state_timing import interleaved
from compiler.engine.user_program.applied_changes import AppliedChanges
from compiler.model.edits.edits import Edit
from tests.compiler.engine.conftest import capture
from tests.compiler.engine.timing.test_measuring import RELU_TO_GELU, quiet

pytestmark = pytest.mark.engine


@pytest.mark.thorough
def test_a_step_of_what_runs_already_puts_nothing_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Right after it a step takes longer, the more so the more is edited: a kernel with a remark was reported 5 % slower."""
    program = EditedProgram(capture("mlp.py:MLP", training=False))
    program.recompile((RELU_TO_GELU,), "capture-2", quiet)
    put: list[tuple[Edit, ...]] = []
    restore = EditedDynamoGraph.restore

    def noted(graph: EditedDynamoGraph, edits: tuple[Edit, ...]) -> None:
        put.append(edits)
        restore(graph, edits)

    monkeypatch.setattr(EditedDynamoGraph, "restore", noted)
    interleaved(program, (), (RELU_TO_GELU,), 0.01)
    put.pop()  # what ran before is put back
    assert set(put) == {(), (RELU_TO_GELU,)}
    assert all(one != other for one, other in itertools.pairwise(put)), len(put)


def test_changes_are_made_once_for_the_steps_in_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    live = capture("mlp.py:MLP", training=False)
    made: list[AppliedChanges] = []
    active = AppliedChanges.active

    @contextlib.contextmanager
    def noted(changes: AppliedChanges) -> Iterator[None]:
        made.append(changes)
        with active(changes):
            yield

    monkeypatch.setattr(AppliedChanges, "active", noted)
    times = time_interleaved([(live, live.compiled), (live, live.program.callable)], 0.01)
    assert [len(row) >= 7 for row in times] == [True, True]
    assert made == [live.changes]
