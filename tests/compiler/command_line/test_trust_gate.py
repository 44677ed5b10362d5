"""The commands execute nothing of a file that somebody else wrote, unless they are told to or somebody agrees."""

import io
import json
import sys
from pathlib import Path

import msgspec
import pytest

from compiler.analysis.remedies import Remedy
from compiler.analysis.session_file.session_file import Journal, SessionData, read_session, write_session
from compiler.command_line.commands import break_commands
from compiler.command_line.main import main
from compiler.command_line.trust_gate import NotTrustedError, TrustGate
from compiler.command_line.worker_client import WorkerClient
from compiler.model.capture.program_changes import SetConfig
from compiler.model.edits.edits import ReplaceKernel
from compiler.model.protocol.requests import row_of
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
    told = capsys.readouterr().err
    assert "was not written on this computer" in told
    assert sample_capture.capture().spec.target.name in told
    assert "int evil;" in told
    assert "--trust" in told
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
    told = _Terminal()
    monkeypatch.setattr(sys, "stdin", _Terminal(answer))
    monkeypatch.setattr(sys, "stderr", told)
    if runs:
        with pytest.raises(_StartedError):
            main(["time", str(file)])
        monkeypatch.setattr(sys, "stdin", _Terminal(""))
        with pytest.raises(_StartedError):  # it is remembered
            main(["time", str(file)])
    else:
        assert main(["time", str(file)]) == 2
    assert "[y/N]" in told.getvalue()


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
