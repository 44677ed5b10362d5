"""A day of live timing with its clock let run, saves in watch mode, captures: what the processes hold stays as it was once warm."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

from PySide6.QtWidgets import QApplication

from app.engine_client.engine_client import EngineClient
from app.panes.timings_pane import TimingsPane
from app.session.facade.session import Session
from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec
from compiler.model.ir.ids import place
from compiler.model.protocol.frames import FrameReader
from compiler.model.protocol.messages import CaptureMade, Event, MakeCapture
from compiler.model.timing.timings import TimedKernel, TimingStarted
from tests.benchmarks.bench_timing_soak import _KERNELS, _capture, _frames
from tests.endurance.drift.process_counts import Counts, counts, grown, told
from tests.endurance.report import Row
from tests.endurance.working_process import PROGRAM
from tests.helpers import sample_capture
from tests.helpers.fake_engine import FakeEngine

_DAY_S, _BATCHES_A_SECOND = 86_400, 10
_FULL_SAVES, _FULL_CAPTURES = 2000, 1000
_WARM = 0.4
"""Of the rounds, before what is held is noted."""
_LEAST_WARM_BATCHES = 3000
"""The rings are full by then."""
_PATIENCE_S = 150
_PAGES = 40
"""Batches between two looks at another page of the timings pane."""


def run(scale: float, folder: Path, planted: str = "") -> Row:
    """All three. `planted`: ``leak``, something of each save stays."""
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    app.setOrganizationName("torch-loupe-tests")
    faults: list[str] = []
    texts = [] if planted else [_timing_day(app, scale, folder, faults)]
    texts.append(_saves_and_captures(app, scale, folder, faults, planted))
    return Row("; ".join(texts), tuple(faults))


def _timing_day(app: QApplication, scale: float, folder: Path, faults: list[str]) -> str:
    """Batches as a worker sends them in a day, one after the other."""
    engine = FakeEngine()
    session = Session(engine, journals=folder / "journals")
    session.capture_target(sample_capture.capture().spec)
    engine.last(MakeCapture).reply(CaptureMade(_capture()))
    kernels = tuple(
        TimedKernel(
            f"cpp_fused_{index}", place(sample_capture.KERNELS, f"cpp_fused_{index}"), "forward", "cpp"
        )
        for index in range(_KERNELS)
    )
    engine.event_arrived.emit(TimingStarted("capture-1", kernels, 2))
    pane = TimingsPane(session)
    pane.show()
    reader, frames = FrameReader(), _frames()
    warm = _LEAST_WARM_BATCHES
    number = max(round(_DAY_S * _BATCHES_A_SECOND * scale), 2 * warm)
    before: Counts | None = None
    for index in range(number):
        for message in reader.feed(next(frames)):
            assert isinstance(message, Event)
            engine.event_arrived.emit(message.body)
        if index % _PAGES == 0:
            pane.tabs.setCurrentIndex(index // _PAGES % pane.tabs.count())
            app.processEvents()
        if index == warm:
            before = counts(os.getpid(), folder)
    assert before is not None
    after = counts(os.getpid(), folder)
    faults += grown("timing", before, after)
    pane.close()
    for thing in (pane, session):
        thing.deleteLater()
    hours = number / _BATCHES_A_SECOND / 3600
    return f"{hours:.1f} h of live timing ({number:,} batches of {_KERNELS} kernels): {told(before, after)}"


def _saves_and_captures(
    app: QApplication, scale: float, folder: Path, faults: list[str], planted: str
) -> str:
    """One window's session with one real worker: the same program captured, then saved and followed."""
    file = folder / "program.py"
    file.write_text(PROGRAM)
    engine = EngineClient()
    session = Session(engine, journals=folder / "journals")
    engine.start()
    spec = CaptureSpec(TargetSpec("program.py:f", str(folder)))
    leaked: list[IO[bytes]] = []

    def next_capture(begin: Callable[[], object]) -> bool:
        before, end = session.capture, time.monotonic() + _PATIENCE_S
        begin()
        while time.monotonic() < end:
            app.processEvents()
            time.sleep(0.002)
            if (
                session.capture is not before
                and session.captures
                and not session.busy
                and engine.state == "ready"
            ):
                return True
        faults.append(f"no capture: {[problem.message() for problem in session.problems]}")
        return False

    def save(number: int) -> None:
        fresh = folder / ".program.py.new"
        fresh.write_text(PROGRAM.replace("2.5", f"{2.5 + (number + 1) % 2}"))
        fresh.replace(file)
        if planted == "leak":
            leaked.append(file.open("rb"))

    texts = []
    saves, captures = (max(round(full * scale), 6) for full in (_FULL_SAVES, _FULL_CAPTURES))
    try:
        if next_capture(lambda: session.capture_target(spec)):
            texts.append(
                _rounds(
                    "captures",
                    captures,
                    lambda _: next_capture(lambda: session.capture_target(spec)),
                    engine,
                    faults,
                )
            )
            session.watch.set_on(True)
            texts.append(
                _rounds("saves", saves, lambda number: next_capture(lambda: save(number)), engine, faults)
            )
    finally:
        session.watch.set_on(False)
        engine.shut_down()
        for stream in leaked:
            stream.close()
        for thing in (session, engine):
            thing.deleteLater()
    return "; ".join(texts)


def _rounds(
    what: str, number: int, one: Callable[[int], bool], engine: EngineClient, faults: list[str]
) -> str:
    """So many of them; compares what the window's and the worker's process held once warm with the end."""
    before: tuple[Counts, Counts] | None = None

    def held() -> tuple[Counts, Counts]:
        assert engine._process is not None
        return counts(os.getpid(), engine._folder), counts(engine._process.id, engine._folder)

    for index in range(number):
        if not one(index):
            break
        if before is None and index + 1 >= number * _WARM:
            before, generation = held(), engine.generation
    if before is None:
        return f"no {what}"
    after = held()
    if engine.generation == generation:  # else it is another process
        faults += grown(f"{what}, worker", before[1], after[1])
    faults += grown(f"{what}, window", before[0], after[0])
    return f"{number:,} {what}: window {told(before[0], after[0])}, worker {told(before[1], after[1])}"
