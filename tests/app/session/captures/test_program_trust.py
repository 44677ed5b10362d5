"""A stranger's file is only shown: whatever executes something of it is asked about, at the one border to the workers."""

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from pytestqt.qtbot import QtBot

from app.engine_client.engine import Engine
from app.session.captures.program_trust import ProgramTrust
from app.session.facade.session import Session
from compiler.analysis.session_file import trusted_files
from compiler.analysis.session_file.session_file import SessionData, write_session
from compiler.analysis.session_file.what_runs import Part
from compiler.model.capture.program_changes import SetConfig
from compiler.model.experiments.compile_choices import COMMON
from compiler.model.protocol.messages import CaptureMade, DescribeTarget, MakeCapture, RequestBody
from compiler.model.protocol.requests import row_of
from compiler.model.timing.timings import TimingSettings
from tests.helpers import sample_capture
from tests.helpers.fake_engine import FakeEngine
from tests.helpers.sample_requests import sample_requests

SWITCH = SetConfig("torch._dynamo.config.capture_scalar_outputs", True)


@pytest.fixture(autouse=True)
def trusted_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "torch-loupe" / "trusted-files"


class Stranger:
    """A session with a stranger's file open, both of its engines, and every question that was asked."""

    def __init__(self, session: Session, engine: FakeEngine, second: FakeEngine) -> None:
        self.session, self.engines = session, (engine, second)
        self.questions: list[tuple[Part, ...]] = []
        self.agree = False
        session.trust.confirm = self._confirm

    def _confirm(self, parts: tuple[Part, ...]) -> bool:
        self.questions.append(parts)
        return self.agree

    @property
    def executed(self) -> list[RequestBody]:
        """What was sent that executes code."""
        sent = [asked.body for engine in self.engines for asked in engine.asked]
        return [body for body in sent if row_of(body).executes_program]

    def open(self, path: Path) -> None:
        self.session.open_file(path)
        self.session.wait_for_files()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    capture = sample_capture.capture()
    spec = msgspec.structs.replace(capture.spec, changes=(SWITCH,))
    path = tmp_path / "theirs.loupe"
    write_session(path, SessionData((msgspec.structs.replace(capture, spec=spec),)))
    return path


@pytest.fixture
def stranger(file: Path, tmp_path: Path, qtbot: QtBot) -> Iterator[Stranger]:
    engine, second = FakeEngine(), FakeEngine()
    session = Session(engine, journals=tmp_path / "journals", trial_engine=lambda: second)
    session.trials.kept.connect(lambda spec: session.capture_target(spec, again=True))
    made = Stranger(session, engine, second)
    made.open(file)
    assert session.trust.restricted
    yield made
    session.close()
    session.deleteLater()


@pytest.mark.parametrize("body", sample_requests(), ids=lambda body: type(body).__name__)
def test_no_request_that_executes_code_is_sent_unasked(stranger: Stranger, body: RequestBody) -> None:
    failed = []
    for engine in stranger.engines:
        stranger.session.trials.worker.ready(
            runs_program=False
        )  # the second engine is made when it is needed
        engine.send(body, lambda _reply: None, failed.append)
    executes = row_of(body).executes_program
    assert stranger.executed == []
    assert len(stranger.questions) == len(failed) == (2 if executes else 0)
    assert all("was not run" in failure.problem.what for failure in failed)


def _keep(session: Session) -> None:
    from compiler.analysis.remedies import Remedy

    session.trials.choose(Remedy("a switch", "", SetConfig("torch._dynamo.config.verbose", True)))
    session.trials.keep()


WAYS: dict[str, Callable[[Session], object]] = {
    "take out": lambda session: session.trials.take_out(SWITCH),
    "take over": lambda session: session.choices.take_over(COMMON[0]),
    "keep": _keep,
    "assume": lambda session: session.capture_target(
        msgspec.structs.replace(session.captures[0].spec, assume=(("padding", "yes"),)), again=True
    ),
    "again": lambda session: session.capture_again(),
    "measure choices": lambda session: (
        session.choices.choose(COMMON[0]),
        session.choices.measure(),
    ),
    "measure sizes": lambda session: session.choices.measure_sizes(None),
    "compare front ends": lambda session: session.front_ends.start(),
    "another front end": lambda session: session.operators.capture_with("fx"),
    "dispatch trace": lambda session: session.operators.trace_program(),
    "TorchScript": lambda session: session.scripts.run("jit.script", None),
    "timing": lambda session: session.timings.start(TimingSettings()),
    "watch": lambda session: session.watch.set_on(True),
    "assembly": lambda session: session.asking.assembly("int main;", lambda _answer: None),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_nothing_in_the_window_runs_it_without_one_question(
    stranger: Stranger, way: Callable[[Session], object]
) -> None:
    way(stranger.session)
    assert len(stranger.questions) == 1
    assert stranger.executed == []
    assert stranger.session.trust.restricted
    assert not stranger.session.watch.on


def test_who_agrees_once_is_not_asked_again(stranger: Stranger, file: Path, trusted_here: Path) -> None:
    stranger.agree = True
    stranger.session.capture_again()
    stranger.session.capture_again()
    assert len(stranger.questions) == 1
    assert len(stranger.executed) == 2
    assert not stranger.session.trust.restricted
    assert trusted_here.stat().st_mode & 0o777 == 0o600
    stranger.open(file)
    assert not stranger.session.trust.restricted
    file.write_bytes(file.read_bytes() + b"\0")
    stranger.open(file)
    assert stranger.session.trust.restricted


def test_a_program_that_was_named_by_hand_needs_no_question(stranger: Stranger) -> None:
    spec = sample_capture.capture().spec
    stranger.session.describe_target(spec.target, lambda _answer: None)
    stranger.session.open_program(spec)
    assert stranger.questions == []
    assert [type(body) for body in stranger.executed] == [DescribeTarget, MakeCapture]
    assert stranger.session.trust.restricted  # what is open is still theirs
    stranger.engines[0].last(MakeCapture).reply(CaptureMade(sample_capture.capture()))
    assert not stranger.session.trust.restricted


def test_what_was_saved_here_opens_trusted_and_theirs_does_not(
    stranger: Stranger, open_session: Session, tmp_path: Path
) -> None:
    for session, name in ((open_session, "own.loupe"), (stranger.session, "copy.loupe")):
        session.save_file(tmp_path / name)
        session.wait_for_files()
        stranger.open(tmp_path / name)
        assert stranger.session.trust.restricted == (name == "copy.loupe")
        stranger.open(tmp_path / "theirs.loupe")


def test_a_list_that_others_can_write_counts_for_nothing(trusted_here: Path) -> None:
    digest = "0" * 64
    trusted_files.remember(digest)
    assert trusted_files.is_trusted(digest)
    trusted_here.chmod(0o620)
    assert not trusted_files.is_trusted(digest)
    trusted_here.chmod(0o600)
    trusted_here.parent.chmod(0o777)
    assert not trusted_files.is_trusted(digest)


def test_what_goes_on_behind_the_question_is_refused(stranger: Stranger) -> None:
    trust: ProgramTrust = stranger.session.trust
    behind = []
    trust.confirm = lambda _parts: bool(
        behind.append(trust.gate(MakeCapture(sample_capture.capture().spec, "x")))
    )
    assert not trust.allow()
    assert [problem is None for problem in behind] == [False]


def test_an_engine_that_belongs_to_no_session_executes_nothing() -> None:
    engine: Engine = FakeEngine()
    failed = []
    for body in sample_requests():
        engine.send(body, lambda _reply: None, failed.append)
    assert len(failed) == sum(row_of(body).executes_program for body in sample_requests())
