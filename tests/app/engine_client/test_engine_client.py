"""The client against real processes that misbehave."""

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.engine_client.engine_client import EngineClient
from compiler.model.protocol.messages import AskEnvironment, Done, Failure, ReplyBody, RequestBody

WORKER = str(Path(__file__).resolve().parents[2] / "helpers" / "problem_worker.py")
Start = Callable[[str], "Client"]


class Client:
    """An engine client with its answers in lists."""

    def __init__(self, kind: str) -> None:
        self.engine = EngineClient(command=lambda path: [sys.executable, WORKER, kind, "--socket", path])
        self.replies: list[tuple[str, ReplyBody]] = []
        self.failures: list[tuple[str, Failure]] = []
        self.problems: list = []
        self.printed = ""
        self.engine.problem_found.connect(self.problems.append)
        self.engine.output_arrived.connect(self._print)

    def _print(self, text: str) -> None:
        self.printed += text

    def ask(self, name: str, purpose: str | None = None, body: RequestBody | None = None) -> int:
        return self.engine.send(
            body or AskEnvironment(),
            lambda reply: self.replies.append((name, reply)),
            lambda failure: self.failures.append((name, failure)),
            purpose,
        )

    def cancel_first(self, qtbot) -> None:
        """Once it is ready, ask a first thing, and cancel that while it is worked on."""
        qtbot.waitUntil(lambda: self.engine.state == "ready")
        self.ask("a")
        qtbot.waitUntil(lambda: self.engine.status_text.startswith("Working"))
        self.engine.cancel()


@pytest.fixture
def client(qtbot) -> Iterator[Start]:
    made: list[Client] = []

    def start(kind: str) -> Client:
        made.append(Client(kind))
        made[-1].engine.start()
        return made[-1]

    yield start
    for one in made:
        one.engine.shut_down()
        one.engine.deleteLater()


def test_a_request_is_answered(client: Start, qtbot) -> None:
    one = client("good")
    assert one.engine.state == "starting"
    one.ask("first")
    qtbot.waitUntil(lambda: bool(one.replies))
    assert one.replies == [("first", Done())]
    assert one.engine.state == "ready"
    assert one.engine.torch_version == "2.0 (none)"


def test_a_newer_request_replaces_an_older_one(client: Start, qtbot) -> None:
    one = client("slow")
    qtbot.waitUntil(lambda: one.engine.state == "ready")
    for name in ("a", "b", "c"):
        one.ask(name, purpose="preview")
    qtbot.waitUntil(lambda: bool(one.replies), timeout=8000)
    assert [name for name, _ in one.replies] == ["c"]
    assert one.failures == []
    assert one.engine.state == "ready"


def test_cancelling_what_can_be_stopped_keeps_the_worker(client: Start, qtbot) -> None:
    one = client("slow")
    one.cancel_first(qtbot)
    qtbot.waitUntil(lambda: bool(one.failures))
    assert one.failures[0][1].cancelled
    assert one.engine.generation == 1


def test_what_is_asked_after_a_cancel_has_its_time(client: Start, qtbot) -> None:
    """The worker was killed two seconds after the cancel, whatever it did then."""
    one = client("slow")
    one.engine._patience.setInterval(200)
    one.cancel_first(qtbot)
    one.ask("b")
    qtbot.waitUntil(lambda: bool(one.replies), timeout=8000)
    assert [name for name, _ in one.replies] == ["b"]
    assert one.failures[0][1].cancelled
    assert one.engine.generation == 1


def test_what_is_asked_after_a_cancel_waits_for_another_worker(client: Start, qtbot) -> None:
    one = client("slow")
    one.cancel_first(qtbot)
    one.ask("b")
    one.engine._change_worker()
    assert [(name, failure.cancelled) for name, failure in one.failures] == [("a", True)]
    qtbot.waitUntil(lambda: bool(one.replies), timeout=8000)
    assert [name for name, _ in one.replies] == ["b"]


def test_a_worker_that_does_not_stop_is_killed_and_says_where_it_was(client: Start, qtbot) -> None:
    one = client("silent")
    one.cancel_first(qtbot)
    assert one.engine.status_text == "Cancelling"
    qtbot.waitUntil(lambda: bool(one.failures), timeout=8000)
    problem = one.failures[0][1].problem
    assert "was killed because it did not stop" in problem.what
    assert "Working on 1" in problem.what
    assert problem.path == WORKER
    qtbot.waitUntil(lambda: one.engine.state == "ready", timeout=8000)
    assert one.engine.generation == 2


def test_a_crash_says_how_and_where(client: Start, qtbot) -> None:
    one = client("crash")
    one.ask("a")
    one.ask("b")
    qtbot.waitUntil(lambda: len(one.failures) == 2, timeout=8000)
    problem = one.failures[0][1].problem
    assert "SIGSEGV" in problem.what
    assert problem.path == WORKER
    assert "os.kill(" in Path(WORKER).read_text().splitlines()[(problem.line or 0) - 1]


def test_a_silent_exit_says_its_code(client: Start, qtbot) -> None:
    one = client("exit")
    one.ask("a")
    qtbot.waitUntil(lambda: bool(one.failures), timeout=8000)
    assert "exit code 3" in one.failures[0][1].problem.what
    qtbot.waitUntil(lambda: one.engine.state == "ready", timeout=8000)


@pytest.mark.parametrize(("kind", "words"), [("babble", "no message"), ("hang_up", "closed its connection")])
def test_a_worker_that_cannot_be_understood_is_killed(client: Start, qtbot, kind: str, words: str) -> None:
    one = client(kind)
    one.ask("a")
    qtbot.waitUntil(lambda: bool(one.failures), timeout=8000)
    assert words in one.failures[0][1].problem.what


def test_prints_arrive_without_our_own_stacks(client: Start, qtbot) -> None:
    one = client("print")
    one.ask("a")
    qtbot.waitUntil(lambda: bool(one.replies) and "grüße" in one.printed)
    assert "LOUPE" not in one.printed
    assert "model.py" not in one.printed


def test_a_worker_that_cannot_start_is_given_up(client: Start, qtbot) -> None:
    one = client("start_crash")
    qtbot.waitUntil(lambda: one.engine.state == "stopped", timeout=20000)
    assert one.engine.generation == 6
    assert "not started again" in " ".join(problem.what for problem in one.problems)
    one.ask("late")
    qtbot.waitUntil(lambda: bool(one.failures))
    assert "stopped" in one.failures[-1][1].problem.what


def test_a_restart_by_hand(client: Start, qtbot) -> None:
    one = client("good")
    qtbot.waitUntil(lambda: one.engine.state == "ready")
    one.engine.restart()
    qtbot.waitUntil(lambda: one.engine.generation == 2 and one.engine.state == "ready", timeout=8000)
    assert one.problems == []


def test_shutting_down_is_quick_even_if_the_worker_is_stuck(client: Start, qtbot) -> None:
    one = client("silent")
    one.ask("a")
    qtbot.waitUntil(lambda: one.engine.status_text.startswith("Working"))
    started = time.monotonic()
    one.engine.shut_down()
    assert time.monotonic() - started < 4


def test_a_program_that_is_not_there(qtbot) -> None:
    engine = EngineClient(command=lambda _path: ["/no/such/python"])
    problems: list = []
    engine.problem_found.connect(problems.append)
    engine.start()
    qtbot.waitUntil(lambda: bool(problems))
    assert "could not be started" in problems[0].what
    engine.shut_down()
    engine.deleteLater()
