"""The timings pane fed with 50 kernels 60 times a second: the window's time a frame, and its memory from begin to end.

``python -m tests.benchmarks.bench_timing_soak 3600`` for an hour; without a number three minutes.
"""

import ctypes
import gc
import random
import statistics
import sys
import tempfile
import time
from array import array
from collections.abc import Iterator
from pathlib import Path

import msgspec
from PySide6.QtCore import QCoreApplication, QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from app.panes.timings_pane import TimingsPane
from app.session.facade.session import Session
from compiler.model.capture.capture import Capture
from compiler.model.ir.ids import place
from compiler.model.ir.loop_ir import Kernel, KernelSet
from compiler.model.ir.stage import KernelStage
from compiler.model.protocol.frames import FrameReader, encode
from compiler.model.protocol.messages import (
    CaptureMade,
    Event,
    MakeCapture,
    MeasureMachine,
)
from compiler.model.timing.machine_peaks import CopyCeiling, MachineCeilings, MatmulCeiling, Rate
from compiler.model.timing.step_trace import Span, SpanKind, StepTrace
from compiler.model.timing.timings import TimedKernel, TimingBatch, TimingStarted
from tests.helpers import sample_capture
from tests.helpers.changed_capture import with_content
from tests.helpers.fake_engine import FakeEngine

_KERNELS = 50
_A_SECOND = 60
_PAGE_SECONDS = 3.0
_WARM_UP_SECONDS = 45
"""Every page was shown three times by then, and the rings are full."""


_CEILINGS = MachineCeilings(
    "cpu",
    2,
    "",
    (CopyCeiling(1 << 14, Rate(4e10, 4e10, 4e10, 15)), CopyCeiling(1 << 28, Rate(1e10, 1e10, 1e10, 15))),
    (MatmulCeiling("float32", 512, Rate(1e11, 1e11, 1e11, 15)),),
)


def _capture() -> Capture:
    """The sample with 50 kernels."""
    capture = sample_capture.capture()
    kernels = tuple(
        Kernel(f"cpp_fused_{index}", f"cpp_fused_{index}", "cpp", call_line=8, loop_nodes=("op1_op2",))
        for index in range(_KERNELS)
    )
    capture = with_content(capture, sample_capture.KERNELS, lambda _: KernelStage(KernelSet(kernels)))
    return msgspec.structs.replace(capture, links=())


def _frames() -> Iterator[bytes]:
    """Messages as the worker sends them: one iteration of 50 kernels each, ten times a second with a step to draw."""
    draw = random.Random(0)
    number = 0
    while True:
        row = tuple(draw.randrange(5_000, 200_000) for _ in range(_KERNELS))
        step = sum(row) + 100_000
        traces: tuple[StepTrace, ...] = ()
        if number % 6 == 0:
            ends = [sum(row[: index + 1]) for index in range(_KERNELS)]
            spans = tuple(
                Span(end - spent, end, SpanKind.GENERATED, f"cpp_fused_{index}", index)
                for index, (spent, end) in enumerate(zip(row, ends, strict=True))
            )
            traces = (StepTrace(True, False, step, (Span(0, step, SpanKind.FORWARD), *spans)),)
        eager = (step * 2,) if number % 10 == 0 else ()
        pairs = ((step, step * 2),) if eager else ()
        batch = TimingBatch("capture-1", (row,), (step,), eager, ((step, 0, 0, 0, 0),), pairs, traces)
        yield encode(Event(batch))
        number += 1


def _resident() -> int:
    """KiB of memory that this process has."""
    for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    return 0


def _in_use() -> int:
    """The same without what the C library keeps of memory that was given back to it, which grows with fragmentation."""
    gc.collect()
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc has it
        if trim is not None:
            trim(0)
    return _resident()


def main(seconds: float) -> None:
    """Print time a frame by page, and memory over time."""
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QCoreApplication)
    engine = FakeEngine()
    session = Session(engine, journals=Path(tempfile.mkdtemp()))
    session.capture_target(sample_capture.capture().spec)
    engine.last(MakeCapture).reply(CaptureMade(_capture()))
    kernels = tuple(
        TimedKernel(
            f"cpp_fused_{index}", place("0/0:forward:kernels", f"cpp_fused_{index}"), "forward", "cpp"
        )
        for index in range(_KERNELS)
    )
    engine.event_arrived.emit(TimingStarted("capture-1", kernels, 2))
    pane = TimingsPane(session)
    pane.resize(1100, 700)
    pane.show()
    session.measured.measure_machine()
    engine.last(MeasureMachine).reply(_CEILINGS)
    reader, frames = FrameReader(), _frames()
    print(
        f"Timings pane, {_KERNELS} kernels {_A_SECOND} times a second, {seconds:.0f} s, {pane.tabs.count()} pages in turn"
    )
    memory: list[tuple[float, int]] = []
    by_page = {index: array("d") for index in range(pane.tabs.count())}
    began = time.perf_counter()
    due = began
    in_use: list[int] = []
    while (now := time.perf_counter()) - began < seconds:
        page = int((now - began) / _PAGE_SECONDS) % pane.tabs.count()
        if page != pane.tabs.currentIndex():
            pane.tabs.setCurrentIndex(page)
        started = time.thread_time()
        for message in reader.feed(next(frames)):
            assert isinstance(message, Event)
            engine.event_arrived.emit(message.body)
        app.processEvents()
        by_page[page].append(time.thread_time() - started)
        if not memory or now - memory[-1][0] > 5:
            if not in_use and now - began > min(_WARM_UP_SECONDS, seconds / 3):
                in_use.append(_in_use())
            memory.append((now, _resident()))
        due = max(due + 1 / _A_SECOND, now)
        loop = QEventLoop()
        QTimer.singleShot(max(0, round((due - time.perf_counter()) * 1000)), loop.quit)
        drawing = time.thread_time()
        loop.exec()
        by_page[page][-1] += time.thread_time() - drawing
    for page, spent in by_page.items():
        if spent:
            ordered = sorted(spent)
            print(
                f"  {pane.tabs.tabText(page):13} {len(spent):6} updates: median {statistics.median(spent) * 1e3:.2f} ms, mean "
                f"{statistics.fmean(spent) * 1e3:.2f} ms, p99 {ordered[int(0.99 * len(ordered))] * 1e3:.2f} ms of the window's "
                "time each (aim ≤ 5 ms)"
            )
    later = [size for at, size in memory if at - began > min(_WARM_UP_SECONDS, seconds / 3)] or [
        memory[-1][1]
    ]
    third = max(1, len(later) // 3)
    every = max(1, len(later) // 8)
    print("  memory over time, MiB: " + " ".join(f"{size / 1024:.1f}" for size in later[::every]))
    first, last = statistics.fmean(later[:third]), statistics.fmean(later[-third:])
    print(f"  memory: {first / 1024:.1f} MiB in the first third, {last / 1024:.1f} MiB in the last")
    print(
        f"  of it in use: {in_use[0] / 1024:.1f} MiB after warming up, {_in_use() / 1024:.1f} MiB in the end (aim: flat)"
    )
    pane.close()


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 180.0)
