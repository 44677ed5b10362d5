"""``loupe share`` of a session file. No torch is needed, and nothing of the program is run."""

import json
from pathlib import Path

import pytest

from compiler.analysis.session_file.session_file import SessionData, write_session
from compiler.command_line.main import main
from tests.helpers import sample_capture as sample


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "sample.loupe"
    write_session(path, SessionData((sample.capture(),)))
    return path


def test_a_page_is_written(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = file.with_suffix(".html")
    assert main(["share", str(file), "-o", str(page)]) == 0
    assert f"wrote {page}" in capsys.readouterr().out
    assert "z = torch.relu(y)" in page.read_text(encoding="utf-8")


def test_its_code_hidden_and_said_so(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = file.with_suffix(".html")
    assert main(["share", str(file), "-o", str(page), "--hide-code", "--json"]) == 0
    reported = json.loads(capsys.readouterr().out)
    assert reported == {"path": str(page), "bytes": page.stat().st_size, "hidden": True}
    assert "torch.relu(y)" not in page.read_text(encoding="utf-8")


def test_a_place_that_is_not_there(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["share", str(file), "-o", str(file.parent / "none" / "page.html")]) == 1
    assert "there is no folder" in capsys.readouterr().err
    assert main(["share", str(file), "-o", str(file.parent)]) == 1
    assert "cannot be written" in capsys.readouterr().err
