"""What a command says where it fails: nobody can open a detail there, so it is shown where the message sends to it."""

import json
from pathlib import Path

import msgspec
import pytest

from compiler.analysis.session_file.session_file import SessionData, write_session
from compiler.command_line import main as commands
from compiler.command_line.command import Command
from compiler.command_line.worker_client import CommandFailedError
from compiler.model.ir.diagnostics import Problem
from tests.helpers.sample_capture import capture


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


_FAILED = "The program fails under torch.compile: ValueError (a.py:3)."


@pytest.mark.parametrize("command", ["guards", "recompiles", "breaks"])
def test_a_capture_that_failed_is_said_to_have_failed(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`loupe recompiles` of a program that does not compile said that every frame was compiled once."""
    file = tmp_path / "failed.loupe"
    failed = msgspec.structs.replace(capture(), guards=(), recompiles=(), problems=(Problem(_FAILED),))
    write_session(file, SessionData((failed,)))
    assert commands.main([command, str(file)]) == 1
    printed = capsys.readouterr()
    assert f"loupe: {_FAILED}\n" in printed.err
    assert "every frame was compiled once" not in printed.out


@pytest.mark.thorough
@pytest.mark.worker
@pytest.mark.parametrize(
    "words", [("check-kernels", "--target", "h100"), ("compare-targets", "h100", "a100")]
)
def test_a_program_that_does_not_compile_has_no_result(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`loupe compare-targets` told 0.0 µs for 0 kernels, and exit status 0."""
    (tmp_path / "model.py").write_text(_ONE_TABLE_ON_THE_CPU)
    command, *more = words
    assert commands.main([command, f"{tmp_path / 'model.py'}:Net", *more]) == 1
    printed = capsys.readouterr()
    assert "The program fails when it is compiled for" in printed.err
    assert "µs" not in printed.out
    assert "no Triton kernels" not in printed.err


_ONE_TABLE_ON_THE_CPU = """
import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = [torch.ones(8)]

    def forward(self, x):
        return torch.relu(x) * self.table[0]

def example_inputs():
    return (torch.randn(4, 8),)
"""


def test_a_program_where_a_session_file_is_wanted_is_told_how_to_make_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert commands.main(["show", "model.py:Net"]) == 1
    assert "`loupe capture model.py:Net -o FILE.loupe`" in capsys.readouterr().err
    assert commands.main(["show", "no_such.loupe"]) == 1
    assert "Check the path." in capsys.readouterr().err
