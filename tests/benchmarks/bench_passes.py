"""Stepping through the passes of a graph of 2,000 nodes: what the window's thread does in a step, the layout apart."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import random
import time

import msgspec
from PySide6.QtCore import QCoreApplication, QEventLoop

from app.panes.graph.graph_pane import GraphPane
from app.panes.inspector_pane import InspectorPane
from app.session.facade.session import Session
from app.window.application import application
from compiler.model.capture.capture import Capture
from compiler.model.ir.arguments import NodeArgument, SequenceArgument
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import place
from compiler.model.ir.passes import PassRun, PassStart, difference
from compiler.model.ir.stage import FxStage, Stage, StageKind
from tests.benchmarks.measuring import line
from tests.helpers import sample_capture as sample
from tests.helpers.fake_engine import FakeEngine
from tests.helpers.opened_capture import open_capture

NODES, PASSES, TOUCHED = 2000, 20, 100
STAGE = sample.POST_GRAD


def _call(name: str, *used: str) -> Node:
    inputs = SequenceArgument("tuple", tuple(map(NodeArgument, used)))
    module = f"layers.{int(name.split('_')[1]) // 20}"
    return Node(
        name, "call_function", "aten.relu.default", inputs, value=sample.tensor(32, 64), module_path=module
    )


def _capture() -> Capture:
    """20 passes, each of which replaces 100 nodes of 2,000."""
    chance = random.Random(0)
    names = [f"n_{number}" for number in range(NODES)]
    start = graph = _graph(names)
    runs = []
    for number in range(1, PASSES + 1):
        replaced = []
        for index in sorted(chance.sample(range(1, NODES), TOUCHED)):
            fresh = f"p{number}_{index}"
            replaced.append((names[index], fresh))
            names[index] = fresh
        after = _graph(names)
        found = difference(graph, after)
        facts = {field: getattr(found, field) for field in found.__struct_fields__}
        origins = tuple((new, (old,)) for old, new in replaced)
        runs.append(
            PassRun(
                f"{number}",
                f"pass_{number}",
                "post_grad",
                STAGE,
                replaced=tuple(replaced),
                origins=origins,
                **facts,
            )
        )
        graph = after
    stage = Stage(STAGE, StageKind.POST_GRAD_GRAPH, "Post-grad graph", FxStage(graph), "0/0", "forward")
    starts = (PassStart(STAGE, "post_grad", graph=start),)
    base = sample.capture()
    return msgspec.structs.replace(
        base,
        stages=(stage,),
        links=(),
        frames=(),
        breaks=(),
        problems=(),
        passes=tuple(runs),
        pass_starts=starts,
    )


def _graph(names: list[str]) -> Graph:
    calls = [_call(name, *names[max(0, index - 1) : index]) for index, name in enumerate(names)]
    return Graph((*calls, sample.output(names[-1])))


def main() -> None:
    """Print the figures."""
    print(f"Stepping through passes over {NODES:,} nodes (each replaces {TOUCHED})")
    application()
    engine = FakeEngine()
    session = Session(engine)
    capture = _capture()
    open_capture(session, capture)
    session.show_stage(STAGE)
    graph, inspector = GraphPane(session), InspectorPane(session)
    for pane in (graph, inspector):
        pane.resize(900, 700)
        pane.show()
    nodes = capture.stages[0].graph.nodes if capture.stages[0].graph is not None else ()
    session.selection.select(place(STAGE, nodes[NODES // 2].id))
    _settle(graph)
    steps, whole = [], []
    for direction in (-1, 1):
        for _ in range(PASSES):
            started = time.perf_counter()
            session.passes.step(STAGE, direction)
            steps.append(time.perf_counter() - started)
            _settle(graph)
            whole.append(time.perf_counter() - started)
    line("a step, layout apart", steps)
    line("a step until its graph is on show", whole)
    for pane in (graph, inspector):
        pane.close()
        pane.deleteLater()
    session.close()


def _settle(pane: GraphPane) -> None:
    while not pane.is_idle():
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 5)


if __name__ == "__main__":
    main()
