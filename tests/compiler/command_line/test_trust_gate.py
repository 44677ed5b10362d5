"""The commands execute nothing of a file that somebody else wrote, unless they are told to or somebody agrees."""

import hashlib
import io
import json
import sys
from pathlib import Path

import msgspec
import pytest

from compiler.analysis.remedies import Remedy
from compiler.analysis.running.lanes import Lane
from compiler.analysis.session_file.session_file import Journal, SessionData, read_session, write_session
from compiler.analysis.session_file.trusted_files import is_trusted, remember
from compiler.analysis.session_file.what_runs import Part
from compiler.command_line.commands import break_commands
from compiler.command_line.commands.recorded.live_edit import apply_edits
from compiler.command_line.main import main
from compiler.command_line.trust_gate import NotTrustedError, TrustGate, _text
from compiler.command_line.worker_client import CommandFailedError, WorkerClient
from compiler.model.capture.program_changes import SetConfig
from compiler.model.edits.edits import EditGroup, ReplaceKernel
from compiler.model.edits.recipe_file import Recipe, recipe_text
from compiler.model.protocol.requests import row_of
from tests.compiler.analysis.torch_logs.recorded_log import text
from tests.helpers import sample_capture, triton_capture
from tests.helpers.sample_requests import sample_requests


class _StartedError(Exception):
    """A worker would have been started."""


@pytest.fixture(autouse=True)
def no_worker(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def start(_client: WorkerClient) -> None:
        raise _StartedError

    monkeypatch.setattr(WorkerClient, "_start", start)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture(autouse=True)
def a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    found = (Remedy("a switch", "", SetConfig("torch._dynamo.config.capture_scalar_outputs", True)),)
    monkeypatch.setattr(break_commands, "remedies_for", lambda _capture, _stop: found)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "theirs.loupe"
    edit = ReplaceKernel("0/0:kernels", "cpp_fused_0", "int evil;")
    data = SessionData((triton_capture.triton_capture(),))
    first = sample_capture.capture()
    first = msgspec.structs.replace(first, id="capture-1")
    data = SessionData((first, msgspec.structs.replace(data.captures[0], id="capture-2")))
    write_session(path, msgspec.structs.replace(data, journals=(Journal("capture-1", (edit,)),)))
    (tmp_path / "edits.json").write_text(json.dumps([]))
    return path


COMMANDS = {
    "edit": ["edit", "FILE", "--edits", "EDITS", "-o", "OUT"],
    "time": ["time", "FILE"],
    "export": ["export", "FILE", "-o", "OUT"],
    "breaks": ["breaks", "FILE", "--try", "1"],
    "guards": ["guards", "FILE", "--try", "times=2"],
    "lower": ["lower", "FILE"],
    "check-kernels": ["check-kernels", "FILE"],
}


def _words(name: str, file: Path) -> list[str]:
    places = {
        "FILE": str(file),
        "EDITS": str(file.with_name("edits.json")),
        "OUT": str(file.with_name("out")),
    }
    return [places.get(word, word) for word in COMMANDS[name]]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_strangers_file_is_not_executed(name: str, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(_words(name, file)) == 2
    reported = capsys.readouterr().err
    assert "was not written by Torch Loupe on this computer" in reported
    assert sample_capture.capture().spec.target.name in reported
    assert "int evil;" in reported
    assert "--trust" in reported
    with pytest.raises(_StartedError):
        main([*_words(name, file), "--trust"])


@pytest.mark.parametrize("name", COMMANDS)
def test_an_own_file_is(name: str, file: Path) -> None:
    write_session(file, read_session(file), own=True)
    with pytest.raises(_StartedError):
        main(_words(name, file))


def test_a_program_that_is_named_is(tmp_path: Path) -> None:
    with pytest.raises(_StartedError):
        main(["capture", "model.py:Net", "-o", str(tmp_path / "a.loupe")])


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("answer", "runs"), [("y\n", True), ("n\n", False), ("\n", False), ("", False)])
def test_on_a_terminal_one_is_asked(
    file: Path, answer: str, runs: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    reported = _Terminal()
    monkeypatch.setattr(sys, "stdin", _Terminal(answer))
    monkeypatch.setattr(sys, "stderr", reported)
    if runs:
        with pytest.raises(_StartedError):
            main(["time", str(file)])
        monkeypatch.setattr(sys, "stdin", _Terminal(""))
        with pytest.raises(_StartedError):  # it is remembered
            main(["time", str(file)])
    else:
        assert main(["time", str(file)]) == 2
    assert "[y/N]" in reported.getvalue()


def test_the_gate_follows_the_table(file: Path) -> None:
    gate = TrustGate()
    gate.note_file(file, SessionData((sample_capture.capture(),)), "1" * 64)
    refused = set()
    for body in sample_requests():
        try:
            gate.check(body)
        except NotTrustedError:
            refused.add(type(body))
    assert refused == {type(body) for body in sample_requests() if row_of(body).executes_program}


@pytest.mark.parametrize("command", ["edit", "export"])
def test_code_in_a_list_of_edits_is_not_executed(
    command: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of edits only those of graphs are data; one that gives a kernel another text has it built and run."""
    write_session(file, read_session(file), own=True)
    words = {
        "edit": ["edit", str(file), "--edits", str(file.with_name("edits.json")), "-o", str(file) + "2"],
        "export": ["export", str(file), "--edits", str(file.with_name("edits.json")), "-o", str(file) + "3"],
    }[command]
    group = EditGroup("harmless", (ReplaceKernel("0/0:kernels", "cpp_fused_0", "int evil_in_a_recipe;"),))
    recipe = recipe_text(Recipe((group,)))
    file.with_name("edits.json").write_text(recipe)
    assert main(words) == 2
    reported = capsys.readouterr().err
    assert "edits.json was not written by Torch Loupe on this computer" in reported
    assert "int evil_in_a_recipe;" in reported
    with pytest.raises(_StartedError):
        main([*words, "--trust"])
    remember(hashlib.sha256(recipe.encode()).hexdigest())  # as export does with what it writes
    with pytest.raises(_StartedError):
        main(words)


def test_what_is_made_of_a_log_is_not_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its kernels would be executed when they are lowered, and whoever wrote the log wrote them."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "theirs.log").write_bytes(text())
    output = tmp_path / "theirs.loupe"
    assert main(["open", str(tmp_path / "theirs.log"), "-o", str(output)]) == 0
    assert not is_trusted(hashlib.sha256(output.read_bytes()).hexdigest())


def test_no_line_of_the_question_begins_with_text_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal breaks what is wider than it, and what follows would stand at the margin, as if we said it."""
    monkeypatch.setenv("COLUMNS", "60")
    text = f"{'a' * 56}loupe: nothing below is executed\t\t{'漢' * 40}loupe:{chr(0xA0) * 70}loupe: nothing"
    shown = _text([Part("Inputs", text)]).split("\n")
    assert shown[0] == "Inputs:"
    rows = shown[1:]
    assert all(row.startswith("  │ ") for row in rows)
    assert all(sum(2 if char == "漢" else 1 for char in row) < 60 for row in rows)
    assert "".join(row.removeprefix("  │ ") for row in rows) == text.expandtabs(4)


def test_code_in_a_list_of_edits_does_not_reach_a_running_program(file: Path, tmp_path: Path) -> None:
    recipe = recipe_text(Recipe((ReplaceKernel("0/0:kernels", "cpp_fused_0", "int evil;"),)))
    (tmp_path / "edits.json").write_text(recipe)
    lanes = [Lane(capture=sample_capture.capture())]
    with pytest.raises(NotTrustedError, match="int evil;"):
        apply_edits(tmp_path / "no socket", lanes, tmp_path / "edits.json", TrustGate())
    with pytest.raises(CommandFailedError, match="Nothing answers"):  # it would be sent
        apply_edits(tmp_path / "no socket", lanes, tmp_path / "edits.json", TrustGate(trust=True))
