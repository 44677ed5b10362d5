"""What got worse is said, each kind by a planted change; what cannot be told is not."""

import msgspec
import pytest

from compiler.analysis.batch.what_got_worse import compare_batches
from compiler.model.batch.jobs import JobKey
from compiler.model.batch.rows import Cause, Figures, KernelText, Row
from compiler.model.timing.paired_ratio import PairedRatio
from compiler.model.timing.timings import TimingSummary

_KERNELS = (KernelText("k0", "aa"), KernelText("k1", "bb"))
_STEP = TimingSummary(1e6, 0.9e6, 1.1e6, 50)
_RATIO = PairedRatio(2.0, 1.9, 2.1, 50)
_FIGURES = Figures(
    "2.13.0", "cpu, 2 threads", 1, ("f: call: print()",), 2, _KERNELS, 5.0, 2.0, 100, _STEP, None, _RATIO
)
_ROW = Row("a", JobKey("p", "cpu", "2.13", "default"), Cause.DONE, figures=_FIGURES, alone=True)
_SLOW = {"step": TimingSummary(2e6, 1.9e6, 2.1e6, 50), "ratio": PairedRatio(1.0, 0.9, 1.1, 50)}


def _changed(**figures: object) -> Row:
    return msgspec.structs.replace(_ROW, figures=msgspec.structs.replace(_FIGURES, **figures))


def _kinds(before: Row, after: Row) -> list[str]:
    return [worse.kind for worse in compare_batches([before], [after]).worse]


def test_the_same_is_not_worse() -> None:
    found = compare_batches([_ROW], [_ROW])
    assert (found.worse, found.notes, found.compared) == ((), (), 1)


@pytest.mark.parametrize(
    ("after", "kind"),
    [
        (_changed(breaks=2, breaks_at=("f: call: print()", "g: branch: if x")), "breaks"),
        (_changed(breaks_at=("g: branch: if x",)), "breaks"),
        (_changed(kernels=(_KERNELS[0], KernelText("k1", "cc"))), "code"),
        (_changed(kernels=_KERNELS[::-1]), "code"),
        (_changed(memory=101), "memory"),
        (_changed(graphs=3), "graphs"),
        (_changed(**_SLOW), "slower"),
        (msgspec.structs.replace(_ROW, cause=Cause.CRASHED, figures=None, what="SIGSEGV"), "failure"),
        (
            msgspec.structs.replace(_changed(kernels=(), breaks_at=("f: fails",)), cause=Cause.PARTS),
            "failure",
        ),
    ],
)
def test_each_planted_change_is_named(after: Row, kind: str) -> None:
    assert _kinds(_ROW, after) == [kind]


def test_times_taken_beside_other_jobs_tell_nothing() -> None:
    after = msgspec.structs.replace(_changed(**_SLOW), alone=False)
    found = compare_batches([_ROW], [after])
    assert not found.worse
    assert "times not compared" in found.notes[0]


def test_a_step_that_others_slowed_is_said_to_be() -> None:
    busy = msgspec.structs.replace(_SLOW["ratio"], others=1.04)
    found = compare_batches([_ROW], [_changed(step=_SLOW["step"], ratio=busy)])
    assert not found.worse
    assert found.notes[0].endswith("but other processes used 1.0 cores meanwhile")


def test_a_machine_that_slowed_both_is_not_blamed_on_the_code() -> None:
    assert _kinds(_ROW, _changed(step=_SLOW["step"])) == []


def test_a_row_that_is_gone_is_named() -> None:
    assert "not in this batch any more" in compare_batches([_ROW], []).notes[0]


def test_another_torch_is_compared_with_the_old_one() -> None:
    newer = msgspec.structs.replace(_changed(breaks=2), key=JobKey("p", "cpu", "2.15", "default"))
    assert _kinds(_ROW, newer) == ["breaks"]
