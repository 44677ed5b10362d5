"""Time to fill the source pane and the tree of frames: ``python -m tests.benchmarks.bench_breaks``."""

import os
import statistics
import time
from collections.abc import Callable

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication, QWidget

from app.panes.frames_pane.frame_tree import FrameTree
from app.panes.source_pane import SourcePane
from app.session.facade.session import Session
from app.theme import palette
from app.theme.colors import LIGHT
from compiler.model.capture.capture import Capture
from tests.helpers.broken_capture import broken_capture
from tests.helpers.fake_engine import FakeEngine
from tests.helpers.opened_capture import open_capture

_RUNS = 9
BREAKS, GRAPHS = 200, 300


def fill_times(capture: Capture, runs: int) -> tuple[float, float]:
    """Medians in milliseconds: source pane and frame tree made, filled with a capture and painted."""
    engine = FakeEngine()
    session = Session(engine)
    open_capture(session, capture)
    source = [_time(lambda: SourcePane(session)) for _ in range(runs)]
    frames = [_time(lambda: _tree(capture)) for _ in range(runs)]
    return statistics.median(source), statistics.median(frames)


def _tree(capture: Capture) -> FrameTree:
    tree = FrameTree()
    tree.show_frames(capture)
    return tree


def _time(make: Callable[[], QWidget]) -> float:
    """Milliseconds to make a filled widget and to paint it."""
    begun = time.perf_counter()
    widget = make()
    widget.resize(900, 700)
    widget.show()
    widget.repaint()
    QApplication.processEvents()
    taken = time.perf_counter() - begun
    widget.close()
    widget.deleteLater()
    return taken * 1e3


def main() -> None:
    """Print the figures."""
    app = QApplication.instance() or QApplication([])
    palette.apply(app, LIGHT)
    source, frames = fill_times(broken_capture(BREAKS, GRAPHS), _RUNS)
    print(f"{BREAKS} breaks, {GRAPHS} graphs, 2,000 lines: made, filled and painted, medians of {_RUNS}")
    print(f"  source pane {source:6.0f} ms")
    print(f"  frame tree  {frames:6.0f} ms")
    print(f"  both        {source + frames:6.0f} ms   aim 200")


if __name__ == "__main__":
    main()
