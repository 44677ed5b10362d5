"""Large frames: what it takes to open the guards pane with 5,000 guards, to compare two such compiles, and to compare
captures with graphs of 2,000 nodes: ``python -m tests.benchmarks.bench_large``. The aim of a pane is 200 ms.
"""

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import msgspec
from PySide6.QtWidgets import QApplication, QWidget

from app.panes.guards_pane import GuardsPane
from app.session.facade.session import Session
from compiler.analysis.diff.graph_matching import match_graphs
from compiler.model.diff.capture_diff import compare_captures
from compiler.model.diff.graph_diff import compare_graphs
from compiler.model.ir.arguments import Argument, NodeArgument, SequenceArgument
from compiler.model.ir.graph import Graph
from tests.benchmarks.measuring import quartiles, timed
from tests.helpers.fake_engine import FakeEngine
from tests.helpers.large_capture import large_capture, large_graph
from tests.helpers.opened_capture import open_capture
from tests.helpers.sample_capture import graph_with
from tests.helpers.transformer_graph import joint_graph

_RUNS = 7
_AIM_MS = 200


def renumbered(graph: Graph) -> Graph:
    """The graph with its first operation twice, and so other names for most nodes behind it."""
    first = next(index for index, node in enumerate(graph.nodes) if node.op == "call_function")
    names = {node.id: f"{node.id}_9" for node in graph.nodes[first + 1 :] if node.op == "call_function"}

    def reported(item: Argument) -> Argument:
        match item:
            case NodeArgument():
                return NodeArgument(names.get(item.node, item.node))
            case SequenceArgument():
                return SequenceArgument(item.kind, tuple(map(reported, item.items)))
        return item

    nodes = [
        msgspec.structs.replace(node, id=names.get(node.id, node.id), args=reported(node.args))
        for node in graph.nodes
    ]
    return graph_with(
        *nodes[: first + 1], msgspec.structs.replace(nodes[first], id="again"), *nodes[first + 1 :]
    )


def _row(name: str, work: Callable[[], object], aim: float) -> bool:
    samples = [timed(work) * 1e3 for _ in range(_RUNS)]
    low, middle, high = quartiles(samples)
    good = middle <= aim
    print(f"{name:<62}{middle:>8.0f} ms [{low:.0f}–{high:.0f}]   aim {aim:.0f}{'' if good else '   MISSED'}")
    return good


def _opened(session: Session, prepare: Callable[[GuardsPane], None]) -> Callable[[], None]:
    """Made, laid out and painted once, as when its dock comes to the front."""

    def work() -> None:
        holder = QWidget()
        pane = GuardsPane(session, holder)
        prepare(pane)
        pane.resize(900, 400)
        pane.grab()
        holder.deleteLater()

    return work


def main() -> int:
    """Print the figures; 1 where an aim is missed."""
    application = QApplication.instance() or QApplication([])
    engine = FakeEngine()
    session = Session(engine, journals=Path(tempfile.mkdtemp()))
    capture = large_capture()
    open_capture(session, capture)
    guards = capture.guards[0].count
    good = _row(f"Guards pane, {guards:,} guards", _opened(session, lambda pane: None), _AIM_MS)

    def filtered(pane: GuardsPane) -> None:
        pane.tree.field.setText("weight")
        pane.tree.apply_filter()

    good &= _row("the same, filtered", _opened(session, filtered), _AIM_MS)
    name = f"Recompiles tab: {guards:,} guards and 2,000 nodes compared"
    good &= _row(name, _opened(session, lambda pane: pane.tabs.setCurrentIndex(1)), _AIM_MS)
    before, after = large_graph(2000, 3), large_graph(2000, 8)
    good &= _row("two graphs of 2,000 nodes, 80 of them others", lambda: compare_graphs(before, after), 100)
    for count, aim in ((2_000, 100), (10_000, 1_000)):
        one, other = joint_graph(count), renumbered(joint_graph(count))
        good &= _row(
            f"two joint graphs of {count:,} nodes matched", lambda a=one, b=other: match_graphs(a, b), aim
        )
    moved = msgspec.structs.replace(large_capture(3), id="capture-2")
    good &= _row("two captures of it", lambda: compare_captures(capture, moved), _AIM_MS)
    session.close()
    application.processEvents()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
