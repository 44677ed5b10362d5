"""The whole window on joint graphs of 700 to 50,000 nodes: ``python -m tests.benchmarks.bench_canvas``.

Open: from choosing the stage to the complete picture, layout and paint included, in a window that is up. Frames: wall
time of one repaint of a 1600 × 1000 canvas in software while panning and zooming over everything opened. Selecting: a
click's way to all panes, up to the last one's paint. Each size is a process of its own, so that its memory is its own.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import msgspec
from PySide6.QtGui import QTransform
from PySide6.QtWidgets import QApplication

from app.panes.graph.graph_pane import GraphPane
from app.session.facade.session import Session
from app.window.application import application
from app.window.main_window import MainWindow
from app.window.theme_choice import ThemeChoice
from compiler.model.ir.ids import place
from tests.benchmarks.measuring import quartiles
from tests.helpers.fake_engine import FakeEngine
from tests.helpers.opened_capture import open_capture
from tests.helpers.sample_capture import DYNAMO, capture
from tests.helpers.transformer_graph import joint_stage

SIZES = (717, 1000, 5000, 10_000, 50_000)
_RUNS = 5
_FRAMES = 60
_ZOOMS = (1.0, 0.5, 0.25, 0.1, 0.05, 0.0)
"""0 stands for everything in view."""


def until(done: Callable[[], bool], seconds: float = 120.0) -> None:
    limit = time.perf_counter() + seconds
    while not done():
        QApplication.processEvents()
        time.sleep(
            0.001
        )  # as an event loop does: one that spins takes half of the interpreter from the layout's thread
        if time.perf_counter() > limit:
            raise TimeoutError("The canvas did not settle.")


def _measure(nodes: int) -> None:
    app = application()
    engine = FakeEngine()
    session = Session(engine, journals=Path(tempfile.mkdtemp()))
    window = MainWindow(session, ThemeChoice(app))
    window.resize(1600, 1000)
    window.show()
    app.processEvents()
    stage = joint_stage(nodes)
    names = [node.id for node in stage.graph.nodes] if stage.graph is not None else []
    base = capture()
    first = next(item for item in base.stages if item.id == DYNAMO)
    large = msgspec.structs.replace(base, stages=(first, stage), links=(), breaks=(), problems=())
    open_capture(session, large)
    pane = window.findChild(GraphPane)
    until(pane.is_idle)
    opens, computed = [], []
    for _ in range(_RUNS):
        session.show_stage(DYNAMO)
        until(pane.is_idle)
        started, busy = time.perf_counter(), time.process_time()
        session.show_stage(stage.id)
        until(pane.is_idle)
        pane.view.viewport().repaint()
        opens.append((time.perf_counter() - started) * 1e3)
        computed.append((time.process_time() - busy) * 1e3)
    boxes = len(pane.view.scene_data.layout.boxes)
    started, busy = time.perf_counter(), time.process_time()
    pane.open_levels(99)
    until(pane.is_idle)
    pane.view.viewport().repaint()
    opened, opened_cpu = (time.perf_counter() - started) * 1e3, (time.process_time() - busy) * 1e3
    low, middle, high = quartiles(opens)
    print(
        f"{len(names):>6} nodes: open {middle:7.0f} ms [{low:.0f}–{high:.0f}] ({boxes} boxes in view); "
        f"all {len(pane.view.scene_data.layout.boxes)} boxes {opened:7.0f} ms\n"
        f"         processor time: open {quartiles(computed)[1]:.0f} ms (first {computed[0]:.0f}); all {opened_cpu:.0f} ms",
        flush=True,
    )
    selects, select_cpu = [], []
    for number in range(1, 12):
        started, busy = time.perf_counter(), time.process_time()
        session.selection.select(place(stage.id, names[number * len(names) // 13]), None)
        window.repaint()
        app.processEvents()
        selects.append((time.perf_counter() - started) * 1e3)
        select_cpu.append((time.process_time() - busy) * 1e3)
    until(pane.is_idle)
    low, middle, high = quartiles(selects)
    print(f"         selecting a node, all panes: {middle:.0f} ms [{low:.0f}–{high:.0f}]", end="; ")
    print(f"processor time {quartiles(select_cpu)[1]:.0f} ms, the first {select_cpu[0]:.0f}", flush=True)
    _frames(pane)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"         most memory of the window's process: {peak:.0f} MB", flush=True)
    window.close()
    session.close()


def _frames(pane: GraphPane) -> None:
    view = pane.view
    view.setParent(None)
    view.resize(1600, 1000)
    view.show()
    QApplication.processEvents()
    bounds = pane.view.scene_data.layout.bounds
    for zoom in _ZOOMS:
        if zoom:
            view.setTransform(QTransform.fromScale(zoom, zoom))
        else:
            view.fit()
        times, computed = [], []
        for frame in range(_FRAMES):
            if frame % 15 == 0:
                part = 0.1 + 0.25 * (frame // 15)
                view.centerOn(bounds.x + bounds.width / 2, bounds.y + bounds.height * part)
            bar = view.verticalScrollBar()
            bar.setValue(bar.value() + 23)
            started, busy = time.perf_counter(), time.process_time()
            view.viewport().repaint()
            times.append((time.perf_counter() - started) * 1e3)
            computed.append((time.process_time() - busy) * 1e3)
        times.sort()
        print(
            f"         pan at zoom {view.zoom:.4f}: median {times[len(times) // 2]:5.1f} ms, p99 {times[-1]:5.1f} ms; "
            f"processor time {quartiles(computed)[1]:.1f}, {max(computed):.1f} ms",
            flush=True,
        )


def main() -> int:
    """Each size in a process of its own."""
    if len(sys.argv) > 1:
        _measure(int(sys.argv[1]))
        return 0
    failed = 0
    for size in SIZES:
        failed |= subprocess.run([sys.executable, "-m", __spec__.name, str(size)], check=False).returncode
    return failed


if __name__ == "__main__":
    sys.exit(main())
