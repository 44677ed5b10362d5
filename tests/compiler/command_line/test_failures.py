"""What a command says where it fails: nobody can open a detail there, so it is shown where the message sends to it."""

import json
from pathlib import Path

import pytest

from compiler.command_line import main as commands
from compiler.command_line.command import Command
from compiler.command_line.worker_client import CommandFailedError
from compiler.model.ir.diagnostics import Problem


@pytest.mark.parametrize(
    ("remedy", "shown"), [("Look there.", True), ("The detail has little of use.", False)]
)
def test_a_detail_is_shown_where_the_message_sends_to_it(
    remedy: str, shown: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    def failing(*_given: object) -> int:
        raise CommandFailedError(
            Problem("It failed.", remedy, detail="Traceback: line 3\n", read_detail=shown)
        )

    command = Command("fail", "fails", failing, ())
    assert commands.main(["fail"], (command,)) == 1
    printed = capsys.readouterr().err
    assert printed.endswith(f"loupe: It failed. {remedy}\n")
    assert ("Traceback: line 3\n" in printed) is shown


@pytest.mark.parametrize(
    "words",
    [
        ["time", "a.py:f", "--csv"],
        ["time", "a.py:f", "--trace"],
        ["time", "a.py:f", "-o"],
        ["breaks", "a.py:f", "--shrink"],
        ["torchscript", "a.py:f", "--save"],
        ["open", "logs", "--json"],
        ["transform", "a.loupe", "fold_conv_bn", "-o"],
        ["bisect", "a.py:f", "--shrink"],
        ["share", "a.loupe", "-o"],
    ],
)
def test_what_could_not_be_written_is_refused_before_the_work(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`loupe time --csv` measured, and told nothing of it where the table could not be written."""
    place = tmp_path / "nowhere" / "a"
    assert commands.main([*words, str(place)]) == 1
    assert f"{place} cannot be written: there is no folder" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["time", "a.py:f", "-o"], ["torchscript", "a.py:f", "--save"]])
def test_what_takes_the_place_of_a_file_is_put_into_no_device(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """`loupe time -o /dev/stdout` measured, and then could not write the session."""
    assert commands.main([*words, "/dev/null"]) == 1
    assert "/dev/null cannot be written: it is no file but a device" in capsys.readouterr().err


def test_a_list_is_json_where_json_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main(["lesson", "--json"]) == 0
    assert "loop_nests" in [row["name"] for row in json.loads(capsys.readouterr().out)]


def test_a_process_that_is_over_is_said_to_be(capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main(["attach", "99999999", "-o", "a.loupe"]) == 1
    assert "There is no process 99999999. It may be over" in capsys.readouterr().err
