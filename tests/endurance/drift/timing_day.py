"""A day of live timing with its clock let run: batches as a worker sends them, one after the other."""

import os
from pathlib import Path

from PySide6.QtWidgets import QApplication

from app.panes.timings_pane import TimingsPane
from app.session.facade.session import Session
from compiler.model.ir.ids import place
from compiler.model.protocol.frames import FrameReader
from compiler.model.protocol.messages import CaptureMade, Event, MakeCapture
from compiler.model.timing.timings import TimedKernel, TimingStarted
from tests.benchmarks.bench_timing_soak import _KERNELS, _capture, _frames
from tests.endurance.drift.process_counts import Looks, counts
from tests.endurance.report import Row
from tests.helpers import sample_capture
from tests.helpers.fake_engine import FakeEngine

_DAY_S, _BATCHES_A_SECOND = 86_400, 10
_LEAST_BATCHES = 6000
_LOOKS = 120
_WARM = 0.4
"""At the smallest scale the rings are full by then."""
_PAGES = 40
"""Batches between two looks at another page of the timings pane."""


def run(scale: float, folder: Path, planted: str = "") -> Row:
    """So much of the day. `planted`: ``grow``, something of each batch stays."""
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    app.setOrganizationName("torch-loupe-tests")
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
    number = max(round(_DAY_S * _BATCHES_A_SECOND * scale), _LEAST_BATCHES)
    looks, kept = Looks(("window",), _WARM), list[bytes]()
    for index in range(1, number + 1):
        for message in reader.feed(next(frames)):
            assert isinstance(message, Event)
            engine.event_arrived.emit(message.body)
        if planted == "grow":
            kept.append(bytes(100_000))  # shows beside what other tests left in this process, too
        if index % _PAGES == 0:
            pane.tabs.setCurrentIndex(index // _PAGES % pane.tabs.count())
            app.processEvents()
        if index % (number // _LOOKS) == 0:
            looks.add(f"{index:,} batches", (counts(os.getpid(), folder),))
    pane.close()
    for thing in (pane, session):
        thing.deleteLater()
    faults: list[str] = []
    hours = number / _BATCHES_A_SECOND / 3600
    text = (
        f"{hours:.1f} h of live timing ({number:,} batches of {_KERNELS} kernels): {looks.compared(faults)}"
    )
    return Row(text, tuple(faults))
