"""What mouse and keys on the canvas do to the session's selection."""

from PySide6.QtCore import QObject, QPoint, QRectF, Qt, Signal

from app.canvas.graph_view import GraphView
from app.canvas.keyboard_walk import neighbours, step
from app.canvas.scene import Hit, far_node, main_nodes, to_qt
from app.graph_layout.geometry import Edge
from app.graph_layout.module_tree import Module
from app.session.facade.session import Session
from compiler.model.ir.ids import NOWHERE, NodeId, Place, StageId


class SelectionControl(QObject):
    """Turns clicks, hovering and keys into selections; it is the sender of what it selects."""

    toggled = Signal(str)
    """Open or collapse this module."""
    menu_requested = Signal(object, QPoint)
    """(place, global position)."""

    def __init__(self, session: Session, view: GraphView) -> None:
        super().__init__(view)
        self._session = session
        self._view = view
        self._stage_id: StageId = ""
        self._trees: tuple[Module, ...] = ()
        view.clicked.connect(self._on_click)
        view.area_chosen.connect(self._on_area)
        view.edge_clicked.connect(self._on_edge)
        view.hovered.connect(self._on_hover)
        view.menu_requested.connect(self._on_menu)

    def set_shown(self, stage_id: StageId, trees: tuple[Module, ...]) -> None:
        """The view shows this stage with these modules now."""
        self._stage_id, self._trees = stage_id, trees

    def go_to(self, node: NodeId) -> None:
        """Select a node and bring it into view."""
        self._session.selection.select(self._place(node), self)
        rect = self._view.scene_data.rect_of(node)
        if rect is not None:
            self._view.show_readably(to_qt(rect).adjusted(-20, -20, 20, 20))

    # -- by mouse ----------------------------------------------------------------------------------------------

    def _place(self, *nodes: NodeId) -> Place:
        return self._session.passes.at(self._stage_id, *nodes) if nodes else NOWHERE

    def _selected(self) -> frozenset[NodeId]:
        """What is selected, as it is called in what is drawn."""
        return self._session.passes.pinned_in(self._stage_id)

    def _on_click(self, hit: Hit, add: bool) -> None:
        nodes = self._nodes_of(hit)
        selection = self._session.selection
        self._view.setFocus(Qt.FocusReason.MouseFocusReason)
        if hit.stub is not None:
            selection.select(self._place(*nodes), None)
            return
        if add:
            selected = set(self._selected())
            chosen = set(nodes)
            nodes = tuple(selected - chosen if chosen <= selected else selected | chosen)
        selection.select(self._place(*nodes), self)

    def _on_area(self, area: QRectF) -> None:
        selected = self._selected()
        self._session.selection.select(self._place(*selected, *self._view.scene_data.nodes_in(area)), self)

    def _on_edge(self, edge: Edge) -> None:
        """An arrow selects its two ends: what is inserted then goes between them."""
        self._view.setFocus(Qt.FocusReason.MouseFocusReason)
        ends = tuple(dict.fromkeys(node for pair in edge.nodes for node in pair))
        self._session.selection.select(self._place(*ends), self)

    def _on_hover(self, hit: Hit) -> None:
        nodes: tuple[NodeId, ...] = ()
        if hit.stub is not None:
            nodes = main_nodes(self._view.scene_data.boxes[hit.stub.box])
        elif hit.box is not None:
            nodes = self._nodes_of(hit)
        self._session.selection.hover(self._place(*nodes), self)

    def _on_menu(self, hit: Hit, location: QPoint) -> None:
        nodes = self._nodes_of(hit) if hit.box is not None else ()
        selected = self._selected()
        chosen = tuple(selected) if set(nodes) <= selected else nodes
        if nodes and chosen is nodes:
            self._session.selection.select(self._place(*nodes), self)
        self.menu_requested.emit(self._place(*chosen), location)

    def _nodes_of(self, hit: Hit) -> tuple[NodeId, ...]:
        """What a click selects: a node, everything in a module, or the far ends of a stub."""
        if hit.stub is not None:
            return tuple(far_node(hit.stub, end) for end in hit.stub.ends)
        if hit.frame is not None:
            return self._members_of(hit.frame.id)
        if hit.box is None:
            return ()
        return (hit.node,) if hit.node else main_nodes(hit.box)

    def _members_of(self, module_id: str) -> tuple[NodeId, ...]:
        for tree in self._trees:
            for module in tree.modules():
                if module.id == module_id:
                    return tuple(node.id for node in module.nodes())
        return ()

    # -- by keyboard ------------------------------------------------------------------------------------------

    def walk(self, direction: str) -> None:
        """Select the box that an arrow key leads to."""
        scene = self._view.scene_data
        selected = [node for node in sorted(self._selected()) if node in scene.layout.where]
        if selected:
            target = step(scene, scene.boxes[scene.layout.where[selected[0]]], direction)
        else:
            seen = scene.boxes_in(self._view.visible_area())
            target = next(iter(seen or scene.layout.boxes), None)
        if target is not None:
            self._session.selection.select(self._place(*main_nodes(target)), self)
            self._view.reveal(to_qt(target.rect).adjusted(-20, -20, 20, 20))

    def extend(self, to_inputs: bool) -> None:
        """Add all inputs, or all outputs, of what is selected."""
        selected = self._selected()
        more = neighbours(self._view.scene_data, sorted(selected), to_inputs)
        if selected and more:
            self._session.selection.select(self._place(*selected, *more), self)

    def toggle_selected(self) -> None:
        """Open the collapsed module that is selected; on a node the key does nothing more than select."""
        scene = self._view.scene_data
        selected = sorted(self._selected())
        boxes = {scene.layout.where[node] for node in selected if node in scene.layout.where}
        if len(boxes) == 1 and scene.boxes[(box := boxes.pop())].node is None:
            self.toggled.emit(box)

    def collapse_around(self) -> None:
        """Collapse the innermost open module around the selection."""
        scene = self._view.scene_data
        selected = sorted(self._selected())
        rects = [
            scene.boxes[scene.layout.where[node]].rect for node in selected if node in scene.layout.where
        ]
        if rects:
            around = [frame for frame in scene.layout.frames if to_qt(frame.rect).contains(to_qt(rects[0]))]
            if around:
                self.toggled.emit(max(around, key=lambda frame: frame.depth).id)
