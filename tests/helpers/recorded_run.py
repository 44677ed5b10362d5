"""A program that runs by itself, without one: what its processes would tell, through the real socket."""

from collections.abc import Callable
from typing import TypeAlias

import msgspec
from pytestqt.qtbot import QtBot

from compiler.analysis.running.listener import Listener
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import TargetSpec
from compiler.model.capture.compile_phases import CompilePhase
from compiler.model.capture.guards import FailedGuard, RecompileRecord, TriedEntry
from compiler.model.capture.run_story import GraphCalls
from compiler.model.ir.graph import SourceLine
from compiler.model.protocol.messages import EventBody, Failure, Reply
from compiler.model.protocol.run_events import RunBegan, RunCounted
from compiler.recorder.channel import Channel
from tests.helpers import sample_capture

Until: TypeAlias = Callable[[Callable[[], object]], None]
HINT = "(HINT: make this integer dynamic.)"


def recorded_capture(compiles: int = 1) -> Capture:
    """The sample as a recorded run would give it: `compiles` compiles of one function, the last of which a limit refused
    where there are many.
    """
    whole = sample_capture.capture("run")
    frame, path = whole.frames[0], sample_capture.PATH
    frames, phases, recompiles = [frame], [CompilePhase("phase", "dynamo", 0.1, 1.0, -1, "0/0")], []
    for index in range(1, compiles):
        reason = (
            f"0/{index - 1}: self.step == {index - 1}      # self.step += 1  # {path}:6 in model {HINT}\n"
        )
        frames.append(
            msgspec.structs.replace(
                frame, id=f"0/{index}", recompile_reasons=(reason,), original="", rewritten="", graph=""
            )
        )
        phases.append(CompilePhase("phase", "dynamo", 1.0 + index, 0.5, -1, f"0/{index}"))
        line = SourceLine(path, 6, "model", "self.step += 1")
        failed = FailedGuard("self.step", "EQUALS_MATCH", "self.step == 0", "self.step == 0", line)
        recompiles.append(RecompileRecord(f"0/{index}", "model", (TriedEntry("0/0", (failed,)),)))
    spec = msgspec.structs.replace(
        whole.spec, target=TargetSpec("train.py", "/home/me", recorded=("python", "train.py"))
    )
    return msgspec.structs.replace(
        whole, spec=spec, frames=tuple(frames), phases=tuple(phases), recompiles=tuple(recompiles)
    )


def counted(seconds: float, calls: int) -> RunCounted:
    return RunCounted((GraphCalls("0/0", calls, calls * 10_000_000, 10_000_000),), seconds, 1 << 20)


class ScriptedProcess:
    """One process of the program."""

    def __init__(self, listener: Listener, pid: int = 4711, rank: str = "", editable: bool = False) -> None:
        self._channel = Channel(str(listener.place))
        self.emit(RunBegan(pid, 1, ("python", "train.py"), "/home/me", "2.13.0", rank, editable=editable))

    def emit(self, *bodies: EventBody) -> None:
        for body in bodies:
            self._channel.emit(body)

    def send(self, message: Reply | Failure) -> None:
        self._channel.send(message)

    def heard(self) -> list[object]:
        """What was said to it."""
        return list(self._channel.heard(wait=False))

    def close(self) -> None:
        self._channel.close()


def listening(listener: Listener, qtbot: QtBot) -> Until:
    """Lets ``loupe run``, which listens with this, and the window go on until something is so."""

    def until(holds: Callable[[], object]) -> None:
        def step() -> None:
            listener.wait(0.0, lambda _: None)
            assert holds()

        qtbot.waitUntil(step, timeout=20_000)

    return until
