"""Begins to record the process it is loaded into. Everything of ours that recording needs is imported here: later our modules
are out of the way of the program's own.
"""

import atexit
import contextlib
import multiprocessing
import multiprocessing.util
import os
import sys
import time
from collections.abc import Callable
from typing import Any

import torch

from compiler.engine.run_recording.run_recorder import RunRecorder
from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec
from compiler.model.capture.run_story import RunEdit
from compiler.model.ir.graph import SourceLine
from compiler.model.protocol.messages import EventBody, Failure, Progress, Reply, Request
from compiler.model.protocol.progress import step_of
from compiler.model.protocol.run_events import (
    BreakAt,
    GoOn,
    RunBegan,
    RunCaptured,
    RunEdited,
    RunEnded,
    RunStopped,
    RunValuesFound,
    RunWentOn,
)
from compiler.model.session_file.checks import consistent
from compiler.processes.recorded_program import (
    BREAKS_AT,
    EDITABLE,
    KEEP_CACHES,
    OUTPUT,
    PLACE,
    WATCH_VALUES,
)
from compiler.recorder.breakpoints import Breakpoints
from compiler.recorder.channel import Channel, GoneError
from compiler.recorder.collector import start_collector
from compiler.recorder.live_edits import LiveEdits
from compiler.recorder.value_watch import ValueWatch

_AFTER_THEIRS = -1_000
"""Finalizers of multiprocessing run from the highest priority down; the program's may still compile."""


class Recording:
    """One process that is recorded, from torch's import to its end."""

    def __init__(self) -> None:
        self._began = time.time()
        self._channel: Channel | None = None
        self._hooks = contextlib.ExitStack()
        self._pending = False
        self._over = False
        self._busy = False
        spec = CaptureSpec(TargetSpec(_name(), os.getcwd(), recorded=tuple(_command())))
        self._breakpoints = Breakpoints(self._wait)
        every = os.environ.get(WATCH_VALUES, "")
        self._values = ValueWatch(int(every), self._send_values) if every.isdecimal() else None
        keeps_caches = bool(os.environ.get(KEEP_CACHES))
        self._recorder = RunRecorder(
            spec,
            self._report_progress,
            self._settled,
            self._send_counts,
            caches_off=not keeps_caches,
            editable=bool(os.environ.get(EDITABLE)),
        )
        self._edits = LiveEdits(
            self._recorder, self._answer, self._report_progress, self._note_edits, self._stood_still
        )

    def begin(self) -> None:
        """Listen to torch from now on."""
        self._recorder.recorder.stop_here = self._stop_here
        self._stop_at(tuple(filter(None, os.environ.get(BREAKS_AT, "").split("\n"))))
        self._hooks.enter_context(self._recorder.listening())
        atexit.register(self._leave)
        os.register_at_fork(after_in_child=self._forked)

    # -- what the hooks call -------------------------------------------------------------------------------------

    def _report_progress(self, text: str) -> None:
        self._guarded(lambda: self._open().emit(Progress(0, str(text), step_of(text))))

    def _settled(self) -> None:
        self._pending = True
        if self._recorder.affordable() or self._breakpoints.where:  # who stops wants to see everything so far
            self._guarded(self._send_capture)

    def _send_capture(self) -> None:
        capture, _ = consistent(self._recorder.read())
        self._open().emit(RunCaptured(capture))
        self._count()
        self._pending = False

    def _send_counts(self) -> None:
        """Some time has passed: what was too dear to read when it was compiled may no longer be."""
        late = self._pending and not self._recorder.recorder.current_frames and self._recorder.affordable()
        self._guarded(self._send_capture if late else self._count)

    def _stop_here(self, kind: str, text: str, line: SourceLine | None) -> None:
        """A place where somebody may want to stop."""
        if not self._over and not self._busy:
            if self._channel is not None:
                self._guarded(self._hear)
            self._breakpoints.stop_here(kind, text, line)

    def _wait(self, stopped: RunStopped) -> None:
        """Tell that the program has stopped, and wait until it is to go on."""

        def wait() -> None:
            channel = self._open()
            if self._pending and not self._recorder.recorder.current_frames:
                self._send_capture()
            channel.emit(stopped)
            began = time.time()
            while GoOn() not in (heard := channel.heard(wait=True)):
                self._follow(heard)
            self._follow(heard)
            self._stood_still(time.time() - began)
            channel.emit(RunWentOn())

        self._guarded(wait)

    def _hear(self) -> None:
        """What was said meanwhile."""
        self._follow(self._open().heard(wait=False))

    def _follow(self, bodies: list[EventBody | Request]) -> None:
        for body in bodies:
            if isinstance(body, BreakAt):
                self._stop_at(body.where)
            elif isinstance(body, Request):
                self._edits.take(body)

    def _answer(self, message: Reply | Failure) -> None:
        if self._busy:  # what was just heard is answered at once
            self._open().send(message)
        else:
            self._guarded(lambda: self._open().send(message))

    def _note_edits(self, edits: tuple[str, ...], seconds: float) -> None:
        """The program runs with other edits from now on."""
        edit = RunEdit(time.time() - self._began, edits, seconds)
        self._guarded(lambda: self._open().emit(RunEdited(edit)))

    def _stood_still(self, seconds: float) -> None:
        """The run's clock stood still meanwhile."""
        self._began += seconds
        self._recorder.waited(seconds)

    def _stop_at(self, where: tuple[str, ...]) -> None:
        self._breakpoints.where = where
        wanted = self._breakpoints.watches_values or self._values is not None
        self._recorder.watch_values(self._look if wanted else None)

    def _look(self, graph: str, values: Any) -> None:
        """A graph has returned."""
        if self._values is not None:
            self._values.look(graph, values)
        if self._breakpoints.watches_values:
            self._breakpoints.check_values(graph, values)

    def _send_values(self, found: RunValuesFound) -> None:
        self._guarded(lambda: self._open().emit(found))

    def _count(self) -> None:
        self._hear()
        self._open().emit(self._recorder.counted(time.time() - self._began))

    # -- beginning and end ---------------------------------------------------------------------------------------

    def _open(self) -> Channel:
        """The way to the client, made when there is something to report."""
        if self._channel is None:
            self._channel = Channel(os.environ.get(PLACE, ""))
            self._leave_with_multiprocessing()
            self._channel.emit(
                RunBegan(
                    os.getpid(),
                    os.getppid(),
                    tuple(_command()),
                    os.getcwd(),
                    str(torch.__version__),
                    os.environ.get("RANK", ""),
                    os.environ.get("WORLD_SIZE", ""),
                    self._began,
                    self._breakpoints.where,
                    bool(os.environ.get(EDITABLE)),
                )
            )
        return self._channel

    def _leave_with_multiprocessing(self) -> None:
        """Its processes, but those that are spawned, leave by os._exit: no atexit, but finalizers of its own."""
        if multiprocessing.parent_process() is not None:
            multiprocessing.util.Finalize(None, self._leave, exitpriority=_AFTER_THEIRS)

    def _guarded(self, emit: Callable[[], None]) -> None:
        """Do what may fail; then the recorder is shed, with one line, and the program goes on."""
        if self._over or self._busy:
            return
        self._busy = True
        try:
            emit()
        except GoneError:
            self._shed("nobody listens any more")
        except Exception as error:  # noqa: BLE001  nothing of ours may reach the program
            self._shed(f"{type(error).__name__}: {error}")
        finally:
            self._busy = False

    def _shed(self, why: str) -> None:
        self._over = True
        sys.stderr.write(f"loupe: no longer recorded ({why}); the program goes on\n")
        with contextlib.suppress(Exception):
            self._hooks.close()
        with contextlib.suppress(Exception):
            if self._channel is not None:
                self._channel.emit(RunEnded(why))
                self._channel.close()

    def _leave(self) -> None:
        if self._channel is None and not self._pending:
            return
        self._guarded(self._finish)
        self._over = True

    def _finish(self) -> None:
        self._send_capture() if self._pending else self._count()
        channel = self._open()
        channel.emit(RunEnded())
        channel.close()

    def _forked(self) -> None:
        """What was recorded is the parent's; this process begins with nothing, and says who it is when it compiles."""
        if self._channel is not None:
            self._channel.close()
        self._channel, self._pending, self._busy = None, False, False
        self._edits.clear()
        self._recorder.forget()


def begin() -> None:
    """Record this process, unless nobody listens. Anything that goes wrong is one line."""
    output = os.environ.get(OUTPUT)
    if not os.environ.get(PLACE) and not output:
        return
    try:
        if not os.environ.get(PLACE) and output:
            os.environ[PLACE] = start_collector(output)  # for the processes that this one starts, too
        Recording().begin()
    except Exception as error:  # noqa: BLE001  see above
        sys.stderr.write(f"loupe: this process is not recorded: {type(error).__name__}: {error}\n")


def _command() -> list[str]:
    return [*getattr(sys, "orig_argv", sys.argv)]


def _name() -> str:
    words = _command()[1:]
    while words and words[0].startswith("-") and words[0] not in ("-m", "-c"):
        del words[0]
    if words[:1] == ["-m"]:
        return f"-m {words[1]}" if len(words) > 1 else "-m"
    return words[0] if words and words[0] != "-c" else "python -c"
