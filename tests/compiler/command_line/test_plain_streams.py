"""What a terminal would obey is written out on its way there, and a file gets it as it is."""

import json
import subprocess
import sys
from pathlib import Path

import msgspec

from compiler.analysis.session_file.session_file import SessionData, write_session
from compiler.command_line.printed_json import print_json
from tests.helpers import sample_capture

_OBEYED = "\x1b]52;c;cHduZWQ=\x07\x1b[2J\x9b31m\x7f\u202e\r"
_HIDDEN = set("\x1b\x07\x9b\x7f\u202e\r")


def _session(folder: Path) -> Path:
    made = sample_capture.capture()
    stages = tuple(msgspec.structs.replace(stage, title=f"{stage.title}{_OBEYED}") for stage in made.stages)
    made = msgspec.structs.replace(made, stages=stages)
    path = folder / "theirs.loupe"
    write_session(path, SessionData((made,)))
    return path


def test_a_pipe_that_may_lead_to_a_terminal_is_reported_what_it_would_obey(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "torch_loupe", "show", str(_session(tmp_path))]
    done = subprocess.run(words, capture_output=True, check=True)
    assert not _HIDDEN & set(done.stdout.decode())
    assert "⟨U+001B⟩]52;c;" in done.stdout.decode()
    missing = subprocess.run([*words[:-1], f"/no/{_OBEYED}.loupe"], capture_output=True, check=False)
    assert missing.returncode == 1
    assert not _HIDDEN & set(missing.stderr.decode())
    with (tmp_path / "shown").open("wb") as stream:
        subprocess.run(words, stdout=stream, check=True)
    assert _OBEYED in (tmp_path / "shown").read_bytes().decode()


def test_json_says_the_same_in_other_letters(tmp_path: Path) -> None:
    hidden = f"{_OBEYED}\U000e0001 größer ✓"
    with (tmp_path / "out.json").open("w") as stream:
        print_json([hidden], stream)
    text = (tmp_path / "out.json").read_text()
    assert json.loads(text) == [hidden]
    assert not {*_HIDDEN, "\U000e0001"} & set(text)
    assert "größer ✓" in text
