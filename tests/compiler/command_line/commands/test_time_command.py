"""What `loupe time` tells while it runs."""

from compiler.command_line.commands.time_command import telling_steps
from compiler.model.protocol.messages import EventBody, Progress
from compiler.model.timing.timings import TimingBatch


def test_how_many_steps_are_timed_is_told_where_that_takes_long() -> None:
    """*Timing* was all that was said for minutes of a program whose step takes long."""
    told, now = list[EventBody](), [0.0]
    tell = telling_steps(told.append, 200, lambda: now[0])
    for seconds in (0.5, 3.0, 3.5, 9.0):
        now[0] = seconds
        tell(TimingBatch("capture-1", (), (1,) * 50))
    assert [event.text for event in told if isinstance(event, Progress)] == ["Timed 100 of 200 steps"]
