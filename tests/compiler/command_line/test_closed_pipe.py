"""A reader that leaves early gets no traceback, neither from a write nor from the flush when the interpreter ends."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from compiler.analysis.session_file.session_file import SessionData, write_session
from compiler.command_line.closed_pipe import READER_GONE, until_reader_leaves
from tests.helpers import sample_capture


@pytest.mark.thorough
@pytest.mark.parametrize("buffered", [True, False])
@pytest.mark.parametrize("words", [["show"], ["show", "--json"]])
def test_nothing_is_said_where_nobody_reads(tmp_path: Path, words: list[str], buffered: bool) -> None:
    path = tmp_path / "s.loupe"
    write_session(path, SessionData((sample_capture.capture(),)))
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, *([] if buffered else ["-u"]), "-m", "app", *words, str(path)],
        stdout=writing,
        stderr=subprocess.PIPE,
        cwd=Path(__file__).parents[3],
        timeout=60,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (READER_GONE, b"")


def test_a_broken_pipe_of_something_else_is_raised() -> None:
    def break_another() -> int:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        until_reader_leaves(break_another)
    assert until_reader_leaves(lambda: 3) == 3


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize("words", [["show", "s.loupe"], ["show", "s.loupe", "--json"]])
def test_a_full_disk_is_reported_in_one_message(tmp_path: Path, words: list[str]) -> None:
    write_session(tmp_path / "s.loupe", SessionData((sample_capture.capture(),)))
    root = str(Path(__file__).parents[3])
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "app", *words],
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": root},
            timeout=60,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.decode().splitlines() == [
        "loupe: its output could not be written: No space left on device. Make room, or send it elsewhere."
    ]
