"""What dragging arrows does to the session: the edit is made where the arrow is let go."""

from functools import partial

from PySide6.QtCore import QObject, QPoint
from PySide6.QtWidgets import QMenu

from app.canvas.edge_dragging import DraggedEdge
from app.canvas.graph_view import GraphView
from app.session.edit_builders.rewiring import edges_into, possible_sources, possible_users, rewire
from app.session.facade.session import Session
from app.session.facade.tried_edit import make_or_report
from app.translation.texts import tr
from compiler.model.edits.editable_stages import edits_graph
from compiler.model.ir.arguments import ArgumentPath
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NodeId, StageId


class EdgeRewiring(QObject):
    """Says where an arrow may go, and rewires. Graphs that cannot be edited, or are shown at an earlier pass, stay."""

    def __init__(self, session: Session, view: GraphView) -> None:
        super().__init__(view)
        self._session = session
        self._view = view
        view.may_hold = self.places_for
        view.edge_dropped.connect(self._on_drop)

    def places_for(self, dragged: DraggedEdge) -> frozenset[NodeId]:
        """The nodes that a dragged arrow may be let go on."""
        found = self._graph()
        if found is None or found[1].by_id().keys().isdisjoint((dragged.source,)):
            return frozenset()
        _, graph = found
        places = (
            possible_sources(graph, dragged.target)
            if dragged.moves_source
            else possible_users(graph, dragged.source)
        )
        return frozenset(places) - {dragged.source, dragged.target}

    def _graph(self) -> tuple[StageId, Graph] | None:
        stage = self._session.stage
        if stage is None or not edits_graph(stage) or self._session.passes.position(stage.id) is not None:
            return None
        graph = self._session.stage_with_edits(stage.id).graph
        return (stage.id, graph) if graph is not None else None

    def _on_drop(self, dragged: DraggedEdge, node: NodeId, location: QPoint) -> None:
        found = self._graph()
        if found is None:
            return
        stage, graph = found
        if dragged.moves_source:
            self._rewire(
                stage, graph, dragged.target, edges_into(graph, dragged.target, dragged.source), node
            )
            return
        uses = [(used, path) for used, path in graph.node(node).uses() if used != dragged.source]
        if len(uses) == 1:
            self._rewire(stage, graph, node, (uses[0][1],), dragged.source)
        elif uses:
            self._ask(stage, graph, dragged.source, node, uses, location)

    def _ask(
        self,
        stage: StageId,
        graph: Graph,
        source: NodeId,
        user: NodeId,
        uses: list[tuple[NodeId, ArgumentPath]],
        location: QPoint,
    ) -> None:
        """Which argument of the node takes it."""
        menu = QMenu(self._view)
        for used, path in uses:
            action = menu.addAction(
                tr("{user}: {names} = {source}   (now {used})").format(
                    user=user, names=".".join(path[1:]), source=source, used=used
                )
            )
            action.triggered.connect(
                lambda _=False, path=path: self._rewire(stage, graph, user, (path,), source)
            )
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(location)

    def _rewire(
        self, stage: StageId, graph: Graph, user: NodeId, paths: tuple[ArgumentPath, ...], source: NodeId
    ) -> None:
        make = partial(rewire, stage, graph, user, paths, source)
        make_or_report(self._session, make, tr("The edit was not made."))
