"""Times of layout and of first and later paints of the canvas: ``python tests/benchmarks/bench_layout.py``.

Medians of several runs; the machine, the number of cores and their load are printed, since they decide. The
layout is timed in this thread; painting is a whole 1280 × 800 frame in software, offscreen.
"""

import argparse
import os
import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication  # noqa: E402

from app.canvas.graph_view import GraphView  # noqa: E402
from app.canvas.layout_job import MOST_BOXES  # noqa: E402
from app.canvas.painting.box_measure import BoxMeasure  # noqa: E402
from app.graph_layout.arrange import arrange, prepare  # noqa: E402
from app.graph_layout.geometry import Layout  # noqa: E402
from app.graph_layout.initial_collapse import first_view  # noqa: E402
from app.theme import palette  # noqa: E402
from app.theme.colors import LIGHT  # noqa: E402
from compiler.model.diagrams.diagrams import Diagram  # noqa: E402
from tests.app.graph_layout.sample_diagrams import chain, joint  # noqa: E402

SIZES = (100, 1000, 2000)


def milliseconds(work: Callable[[], object], runs: int) -> float:
    """Median wall time of a call."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return median(times) * 1e3


def paint_times(layout: Layout, runs: int) -> tuple[float, float, float]:
    """First paint of a fresh view as a person first sees it, a paint after a scroll, and a paint of everything."""
    firsts, scrolls, wholes = [], [], []
    for _ in range(runs):
        view = GraphView()
        view.resize(1280, 800)
        view.show()
        QApplication.processEvents()
        start = time.perf_counter()
        view.set_layout(layout)
        view.open_well()
        view.viewport().repaint()
        firsts.append(time.perf_counter() - start)
        start = time.perf_counter()
        view.verticalScrollBar().setValue(view.verticalScrollBar().value() + 37)
        view.viewport().repaint()
        scrolls.append(time.perf_counter() - start)
        view.fit()
        start = time.perf_counter()
        view.viewport().repaint()
        wholes.append(time.perf_counter() - start)
        view.close()
        view.deleteLater()
        QApplication.processEvents()
    return median(firsts) * 1e3, median(scrolls) * 1e3, median(wholes) * 1e3


def row(name: str, diagram: Diagram, collapsed: frozenset[str], runs: int) -> str:
    """One line of the table."""
    measure = BoxMeasure()
    layout = arrange(prepare(diagram), measure, collapsed)
    laid_out = milliseconds(lambda: arrange(prepare(diagram), measure, collapsed), runs)
    first, scroll, whole = paint_times(layout, runs)
    return (
        f"{name:<26}{len(diagram.nodes):>6}{len(layout.boxes):>7}"
        f"{laid_out:>10.1f}{first:>10.1f}{scroll:>10.1f}{whole:>10.1f}"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7, help="runs of each figure (at least 5)")
    runs = max(parser.parse_args().runs, 5)
    application = QApplication([])
    palette.apply(application, LIGHT)
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    print(
        f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, load {load:.1f}, median of {runs}"
    )
    print(f"{'graph':<26}{'nodes':>6}{'boxes':>7}{'layout':>10}{'first':>10}{'scroll':>10}{'all':>10}   ms")
    for size in SIZES:
        for name, diagram in (("chain", chain(size)), ("joint", joint(size))):
            print(row(f"{name}, all open", diagram, frozenset(), runs))
            collapsed = first_view(prepare(diagram).trees, MOST_BOXES)
            if len(diagram.nodes) > MOST_BOXES:
                print(row(f"{name}, as it opens", diagram, collapsed, runs))


if __name__ == "__main__":
    main()
