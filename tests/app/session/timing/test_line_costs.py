"""Times of lines in the session: whose they are, when they exist, and going to the slowest."""

from app.session.facade.session import Session
from compiler.model.ir.ids import place
from compiler.model.protocol.messages import RunTimings
from compiler.model.timing.timings import TimingBatch, TimingStarted
from tests.app.session.timing.test_measurements import EXTERN, FUSED, feed
from tests.helpers import sample_capture
from tests.helpers.fake_engine import FakeEngine


def test_nothing_is_reported_before_anything_was_timed(open_session: Session) -> None:
    assert open_session.measured.lines.times() is None
    assert open_session.measured.lines.when == ""


def test_lines_have_the_times_of_their_kernels(open_session: Session, engine: FakeEngine) -> None:
    feed(open_session, engine)
    times = open_session.measured.lines.times()
    rows = times.of_file(sample_capture.PATH)
    assert {line: (row.own.median, row.own.divided) for line, row in rows.items()} == {
        5: (3000, False),
        6: (4000, True),
        7: (4000, True),
    }
    assert (times.measured, times.unlinked) == (11_000, 0)
    assert open_session.measured.lines.names() == {
        EXTERN.place: "matmul · model.py:5",
        FUSED.place: "relu+mul · model.py:6 +1",
    }


def test_newer_samples_count_and_older_ones_are_said_to_be_old(
    open_session: Session, engine: FakeEngine
) -> None:
    feed(open_session, engine)
    lines = open_session.measured.lines
    assert lines.times() is not None
    engine.event_arrived.emit(TimingBatch("capture-1", ((9000, 8000),) * 30, (100_000,) * 30))
    times = lines.times()
    row = times.at(sample_capture.PATH, 5)
    assert row.own.median == 9000
    open_session.timings.keep_as_baseline()
    times = lines.times()
    assert times is not None
    assert "before the last recompile" in lines.when


def test_kernels_that_no_capture_has_give_no_times(open_session: Session, engine: FakeEngine) -> None:
    gone = EXTERN.__class__("gone", place("9/9:forward:kernels", "gone"), "forward", "cpp")
    engine.event_arrived.emit(TimingStarted("capture-1", (gone,), 2))
    engine.event_arrived.emit(TimingBatch("capture-1", ((3000,),) * 3, (100_000,) * 3))
    assert open_session.measured.lines.times() is None


def test_the_slowest_line_is_gone_to_and_then_the_next(open_session: Session, engine: FakeEngine) -> None:
    feed(open_session, engine)
    lines, source = open_session.measured.lines, f"source:{sample_capture.PATH}"
    met = []
    for _ in range(4):
        lines.go_to_slowest()
        met.append(open_session.selection.pinned)
    assert met == [place(source, name) for name in ("L6", "L7", "L5", "L6")]


def test_a_program_that_was_not_timed_is_timed_first(open_session: Session, engine: FakeEngine) -> None:
    lines = open_session.measured.lines
    lines.go_to_slowest()
    assert engine.count(RunTimings) == 1
    open_session.timings.set_running(True)
    feed(open_session, engine)
    assert not open_session.selection.pinned  # while it runs, another line may come to be the slowest
    open_session.timings.set_running(False)
    assert open_session.selection.pinned == place(f"source:{sample_capture.PATH}", "L6")
