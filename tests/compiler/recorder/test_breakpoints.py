"""A program that is stopped where somebody wants to look, and goes on as if nothing had been."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from compiler.analysis.running.lanes import Lane
from compiler.analysis.running.listener import Listener
from compiler.installation import python_path
from compiler.model.protocol.run_events import BREAKS, RunStopped
from compiler.processes.recorded_program import recorded_environment
from tests.helpers.finished_process import ran

pytestmark = pytest.mark.engine

_PROGRAM = """
import torch
@torch.compile(backend="aot_eager")
def f(x, by):
    y = torch.sin(x) * by
    print("in f", flush=True)
    return y / x
for x, by in (([1.0, 2.0], 2), ([0.0, 2.0], 2), ([1.0, 2.0, 3.0], 2)):
    print(f(torch.tensor(x), by).tolist(), flush=True)
x = torch.tensor([0.0, 4.0], requires_grad=True)
root = torch.compile(torch.sqrt, backend="inductor")
root(x).sum().backward()
print(x.grad.tolist())
"""
_PATIENCE = 200.0


@pytest.fixture
def listener(tmp_path: Path) -> Iterator[Listener]:
    made = Listener(tmp_path)
    yield made
    made.close()


class Program:
    """The program, and whoever lets it go on."""

    def __init__(self, folder: Path, listener: Listener, *stops: str, program: str = _PROGRAM) -> None:
        self._listener = listener
        path = folder / "train.py"
        path.write_text(program)
        environment = recorded_environment(listener.place, False, stops)
        environment["PYTHONPATH"] = os.pathsep.join(
            (environment["PYTHONPATH"].split(os.pathsep)[0], python_path(None))
        )
        self.out = folder / "out"
        with self.out.open("w") as out, (folder / "err").open("w") as err:
            self.process = subprocess.Popen(
                [sys.executable, str(path)], stdout=out, stderr=err, env=environment
            )

    def until(self, holds: Callable[[], bool]) -> None:
        began = time.monotonic()
        while not holds():
            self._listener.wait(0.05, lambda _: None)
            assert time.monotonic() - began < _PATIENCE

    @property
    def lane(self) -> Lane:
        return self._listener.lanes[0]

    def next_stop(self) -> RunStopped | None:
        """Where it waits next; None where it ended."""
        self.until(
            lambda: (
                bool(self._listener.lanes) and (self.lane.stopped is not None or self.lane.ended is not None)
            )
        )
        return self.lane.stopped

    def go_on(self) -> None:
        """It may wait at the next place before anybody looks."""
        before = self.lane.stopped
        self._listener.go_on(self.lane)
        self.until(lambda: self.lane.stopped is not before)

    def end(self) -> str:
        self.until(lambda: self.process.poll() is not None)
        assert self.process.returncode == 0, (self.out.parent / "err").read_text()
        return self.out.read_text()


def _all_stops(program: Program) -> list[RunStopped]:
    found = []
    while (stopped := program.next_stop()) is not None:
        found.append(stopped)
        program.go_on()
    return found


@pytest.mark.thorough
def test_it_stops_at_every_kind_of_place_and_prints_what_it_prints_alone(
    tmp_path: Path, listener: Listener
) -> None:
    program = Program(tmp_path, listener, *BREAKS)
    stops = _all_stops(program)
    alone = ran([sys.executable, str(tmp_path / "train.py")], check=True)
    assert program.end() == alone.stdout
    kinds = [stopped.kind for stopped in stops]
    assert kinds.count("graph break") >= 1
    assert kinds.count("recompile") >= 1
    assert kinds.count("compile") == len([row for row in program.lane.capture.frames if row.seconds])
    (broken, *_) = [stopped for stopped in stops if stopped.kind == "graph break"]
    assert broken.line.line == 6
    values = [stopped.text for stopped in stops if stopped.kind == "nan"]
    assert any("1 NaN" in text for text in values), "0/0 in the second call"
    assert any("backward" in text and "1 Inf" in text for text in values), "the slope of a root at 0"


@pytest.mark.thorough
def test_a_guard_by_its_text_and_no_other(tmp_path: Path, listener: Listener) -> None:
    program = Program(tmp_path, listener, "guard:size mismatch")
    stops = _all_stops(program)
    assert {stopped.kind for stopped in stops} == {"recompile"}
    assert all("size mismatch" in stopped.text for stopped in stops)
    assert stops
    program.end()
    listener.lanes.clear()
    program = Program(tmp_path, listener, "guard:no such guard")
    assert not _all_stops(program)
    program.end()


@pytest.mark.thorough
def test_time_stands_still_while_it_waits_and_nothing_goes_on(tmp_path: Path, listener: Listener) -> None:
    program = Program(tmp_path, listener, "recompile")
    assert program.next_stop() is not None
    printed, pause = program.out.read_text(), 12.0
    until = time.monotonic() + pause
    program.until(lambda: time.monotonic() > until)
    assert program.out.read_text() == printed
    began = program.lane.began
    _all_stops(program)
    program.end()
    capture = program.lane.capture
    wall = time.time() - began.began
    assert program.lane.seconds <= wall - pause
    again = [frame for frame in capture.frames if frame.recompile_reasons]
    assert again
    assert all((frame.seconds or 0.0) < pause for frame in again)


@pytest.mark.thorough
def test_where_to_stop_can_be_said_while_it_runs(tmp_path: Path, listener: Listener) -> None:
    program = Program(tmp_path, listener, "compile")
    assert program.next_stop() is not None
    listener.break_at(())
    program.go_on()
    assert not _all_stops(program)
    program.end()


@pytest.mark.thorough
def test_it_goes_on_when_nobody_is_there_any_more(tmp_path: Path) -> None:
    listener = Listener(tmp_path)
    program = Program(tmp_path, listener, "compile")
    assert program.next_stop() is not None
    listener.close()
    assert program.process.wait(_PATIENCE) == 0
    assert "no longer recorded" in (tmp_path / "err").read_text()
    assert len(program.out.read_text().splitlines()) == 7
