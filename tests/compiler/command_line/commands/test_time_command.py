"""What `loupe time` tells while it runs."""

from pathlib import Path

import msgspec
import pytest

from compiler.analysis.session_file.session_file import SessionData, write_session
from compiler.command_line.commands.time_command import printing_steps
from compiler.command_line.main import main
from compiler.model.protocol.messages import EventBody, Progress
from compiler.model.timing.timings import TimingBatch
from tests.helpers.sample_capture import capture


def test_how_many_steps_are_timed_is_reported_where_that_takes_long() -> None:
    """*Timing* was all that was said for minutes of a program whose step takes long."""
    reported, now = list[EventBody](), [0.0]
    emit = printing_steps(reported.append, 200, lambda: now[0])
    for seconds in (0.5, 3.0, 3.5, 9.0):
        now[0] = seconds
        emit(TimingBatch("capture-1", (), (1,) * 50))
    assert [event.text for event in reported if isinstance(event, Progress)] == ["Timed 100 of 200 steps"]


@pytest.mark.parametrize("command", ["time", "values"])
def test_a_program_that_was_recorded_while_it_ran_is_not_said_to_be_captured(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = msgspec.structs.replace(capture().spec.target, name="train.py", recorded=("train.py",))
    ran = msgspec.structs.replace(capture(), spec=msgspec.structs.replace(capture().spec, target=target))
    write_session(tmp_path / "run.loupe", SessionData((ran,)))
    assert main([command, "--trust", str(tmp_path / "run.loupe")]) == 1
    reported = capsys.readouterr().err
    assert "This was recorded while train.py ran" in reported
    assert "Capturing" not in reported
