"""The graph pane over the hand-made capture, and over a deeper one with modules to open and collapse."""

from collections.abc import Callable

import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from app.panes.graph.graph_pane import GraphPane
from app.session.facade.session import Session
from compiler.model.capture.capture import Capture
from compiler.model.ir.arguments import MappingArgument, NodeArgument, SequenceArgument
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.stage import FxStage, Stage, StageKind
from tests.helpers.fake_engine import FakeEngine
from tests.helpers.node_rect import node_rect
from tests.helpers.opened_capture import open_capture


def settle(qtbot: QtBot, pane: GraphPane) -> None:
    qtbot.waitUntil(pane.is_idle, timeout=5000)


@pytest.fixture
def make_pane(put: Callable, qtbot: QtBot) -> Callable[..., GraphPane]:
    def make(session: Session, width: int = 900, height: int = 700) -> GraphPane:
        pane = GraphPane(session)
        put(pane, width, height)
        settle(qtbot, pane)
        return pane

    return make


@pytest.fixture
def pane(make_pane: Callable[..., GraphPane], shown: Session) -> GraphPane:
    """The Dynamo graph of the small MLP."""
    return make_pane(shown)


@pytest.fixture
def click(qtbot: QtBot) -> Callable[..., None]:
    """Clicks in the middle of a node's box, near its title."""

    def press(
        pane: GraphPane, node: str, modifier=Qt.KeyboardModifier.NoModifier, double: bool = False
    ) -> None:
        rect = node_rect(pane, node)
        location = QPoint(round(rect.center().x()), round(rect.top() + min(8, rect.height() / 2)))
        act = qtbot.mouseDClick if double else qtbot.mouseClick
        act(pane.view.viewport(), Qt.MouseButton.LeftButton, modifier, location)

    return press


def layered_graph(layers: int, steps: int) -> Graph:
    """A chain through modules ``layers.0``, ``layers.1`` … of some steps each."""
    nodes = [Node("x", "placeholder", "x", SequenceArgument("tuple", ()), role="input")]
    for layer in range(layers):
        for step in range(steps):
            argument = SequenceArgument("tuple", (NodeArgument(nodes[-1].id),))
            nodes.append(
                Node(
                    f"relu_{layer}_{step}",
                    "call_function",
                    "torch.relu",
                    argument,
                    MappingArgument(()),
                    module_path=f"layers.{layer}",
                )
            )
    result = SequenceArgument("tuple", (NodeArgument(nodes[-1].id),))
    nodes.append(Node("output", "output", "output", SequenceArgument("tuple", (result,))))
    return Graph(tuple(nodes))


@pytest.fixture
def show_graph(session: Session, engine: FakeEngine, capture: Capture) -> Callable[[Graph], Session]:
    """Opens a capture that holds one Dynamo graph."""

    def show(graph: Graph) -> Session:
        stage = Stage("0/0:dynamo", StageKind.DYNAMO_GRAPH, "Dynamo graph", FxStage(graph), "0/0")
        only = msgspec.structs.replace(capture, stages=(stage,), links=(), frames=(), breaks=())
        open_capture(session, only)
        session.show_stage("0/0:dynamo")
        return session

    return show
