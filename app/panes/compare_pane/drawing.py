"""Both graphs as one drawing, or one drawing of each that move together: what both have stands at the same place in either."""

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QLabel, QSplitter, QStackedWidget, QWidget

from app.canvas.difference_item import DifferenceItem, Differences, state_color
from app.canvas.graph_view import GraphView
from app.canvas.layout_job import Arrangement, LayoutJobs
from app.canvas.marks import Marks
from app.canvas.minimap import Minimap
from app.canvas.painting.brushes import Brushes
from app.canvas.scene import Hit, Scene, main_nodes, to_qt
from app.canvas.waiting_label import WaitingLabel
from app.graph_layout.equal_stretches import EQUAL, Shortened, shorten
from app.graph_layout.geometry import Box, Layout
from app.graph_layout.one_side import one_side
from app.session.comparison.compare_job import Compared
from app.theme import current
from app.translation.texts import tr
from app.widgets.layouts.boxes import as_widget, column_of, set_column
from compiler.analysis.diff.graph_matching import KEPT
from compiler.analysis.diff.merged_diagram import ADDED, REMOVED
from compiler.model.diagrams.diagrams import diagram
from compiler.model.ir.ids import NodeId


class Drawing(QWidget):
    """Lays the merged diagram out once, whichever way it is shown."""

    nodes_clicked = Signal(object, bool)
    """Names in the merged drawing, and whether they join what is selected."""
    ready = Signal()
    """The layout asked for last is on show."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items = DifferenceItem(), DifferenceItem(), DifferenceItem()
        self.merged, self.before, self.after = (GraphView(self, item) for item in self._items)
        for view, name in zip(
            self.views, (tr("Both graphs in one"), tr("The graph before"), tr("The graph after")), strict=True
        ):
            view.setAccessibleName(name)
            view.clicked.connect(self._on_click)
            view.toggled.connect(self._on_toggle)
        self.minimap = Minimap(self.merged, self._speck)
        self._captions = QLabel(tr("Before"), self), QLabel(tr("After"), self)
        self._pair = QSplitter(Qt.Orientation.Horizontal, self)
        for caption, view in zip(self._captions, (self.before, self.after), strict=True):
            self._pair.addWidget(_titled(caption, view))
        self._pair.setChildrenCollapsible(False)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.merged)
        self._stack.addWidget(self._pair)
        set_column(self, self._stack, margins=0)
        self._jobs = LayoutJobs(self)
        self._jobs.ready.connect(self._on_layout)
        self._jobs.failed.connect(self._on_failure)
        self.waiting = WaitingLabel(self._jobs, self)
        self.before.view_changed.connect(lambda: self._follow(self.before, self.after))
        self.after.view_changed.connect(lambda: self._follow(self.after, self.before))
        self._compared: Compared | None = None
        self._shortened: Shortened | None = None
        self._arrangement: Arrangement | None = None
        self._unfolded: set[NodeId] = set()
        self._fold = True
        self._opening = True
        self._anchor: tuple[str, QRectF] | None = None
        self._following = False
        self._pinned: frozenset[NodeId] = frozenset()
        application = QApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self._jobs.stop)
        self.dress()

    @property
    def views(self) -> tuple[GraphView, GraphView, GraphView]:
        """The merged drawing, and that of either side."""
        return self.merged, self.before, self.after

    @property
    def busy(self) -> bool:
        """Whether what was asked for is not on show, or something moves."""
        return self._jobs.busy or any(view.moving for view in self.views)

    @property
    def two(self) -> bool:
        """Whether each side has a drawing of its own."""
        return self._stack.currentWidget() is self._pair

    @two.setter
    def two(self, on: bool) -> None:
        self._stack.setCurrentWidget(self._pair if on else self.merged)
        self._open_well()
        self._reveal()

    def front(self) -> GraphView:
        """The view that gestures and keys are about."""
        return self.after if self.two else self.merged

    # -- what is shown -----------------------------------------------------------------------------------------

    def show_compared(self, compared: Compared | None, fold: bool) -> None:
        """Show another comparison, or the same with its equal stretches folded or not."""
        self._opening = compared is not self._compared or fold != self._fold
        if self._opening:
            self._unfolded.clear()
        self._compared, self._fold = compared, fold
        self._request(None)

    def set_pinned(self, nodes: frozenset[NodeId], reveal: bool = True) -> None:
        """Mark these nodes, and bring one of them into view."""
        self._pinned = nodes
        self._refresh_marks()
        if reveal:
            self._reveal()

    def give_up(self) -> bool:
        """Stop laying out; False where nothing is being laid out."""
        busy = self._jobs.busy
        self._jobs.cancel()
        self.waiting.end()
        return busy

    def stop(self) -> None:
        """Give up what is being laid out; for when the pane goes away."""
        self._jobs.stop()

    def dress(self) -> None:
        """Another look."""
        colors = current.colors()
        for view in self.views:
            view.dress()
        self.waiting.setStyleSheet(
            f"color: {colors.dim_text}; background: {colors.panel}; border: 1px solid {colors.line};"
            "border-radius: 6px; padding: 3px 9px;"
        )
        self.minimap.refresh()

    def _request(self, collapsed: frozenset[str] | None) -> None:
        compared = self._compared
        if compared is None or compared.merged is None:
            self._jobs.cancel()
            self.waiting.end()
            return
        if not self._fold:
            self._shortened = Shortened(compared.merged.diagram, {})
        elif self._unfolded or compared.shortened is None:
            self._shortened = shorten(compared.merged.diagram, compared.differing, self._unfolded)
        else:
            self._shortened = compared.shortened
        self._jobs.request(self._shortened.diagram, collapsed)

    def _on_layout(self, arrangement: Arrangement) -> None:
        self.waiting.end()
        compared, self._arrangement = self._compared, arrangement
        if compared is None or compared.merged is None:
            return
        merged, layout = compared.merged, arrangement.scene.layout
        differences = Differences(
            {node.id: node.state for node in merged.nodes if node.state != KEPT},
            {node.id: node.what for node in merged.nodes if node.what},
            frozenset(merged.gone_edges),
            frozenset(merged.new_edges),
        )
        for item in self._items:
            item.set_differences(differences)
        old, new = diagram(compared.before), diagram(compared.after)
        texts_old = {node.id: node for node in old.nodes} if old is not None else {}
        texts_new = {node.id: node for node in new.nodes} if new is not None else {}
        both = [node for node in merged.nodes if node.before and node.after]
        added = [node.id for node in merged.nodes if node.state == ADDED]
        removed = [node.id for node in merged.nodes if node.state == REMOVED]
        left = one_side(
            layout,
            added,
            merged.new_edges,
            {node.id: texts_old[node.before] for node in both if node.before in texts_old},
        )
        right = one_side(
            layout,
            removed,
            merged.gone_edges,
            {node.id: texts_new[node.after] for node in both if node.after in texts_new},
        )
        self.merged.set_scene(arrangement.scene)
        self.before.set_scene(Scene(left))
        self.after.set_scene(Scene(right))
        self._refresh_marks()
        if self._opening:
            self._opening = False
            self._open_well()
        elif self._anchor is not None:
            self._return(*self._anchor)
        self._anchor = None
        self.minimap.refresh()
        self.ready.emit()

    def _open_well(self) -> None:
        views = (self.before, self.after) if self.two else (self.merged,)
        for view, item in zip(self.views, self._items, strict=True):
            if view in views:
                view.open_well()
                seen = view.visible_area()
                differing = [to_qt(box.rect) for box in view.scene_data.layout.boxes if item.state_of(box)]
                if differing and not any(seen.intersects(rect) for rect in differing):
                    view.show_readably(differing[0].adjusted(-20, -20, 20, 20))

    def _speck(self, box: Box, look: Brushes) -> QColor:
        """In the overview what differs stands out."""
        state = self._items[0].state_of(box)
        return state_color(state, look) if state else look.color("edge")

    def _on_failure(self) -> None:
        """The programs are beside it; the log says why."""
        self.waiting.end()
        self.merged.set_layout(Layout())

    # -- selecting ---------------------------------------------------------------------------------------------

    def _box_of(self, node: NodeId) -> NodeId:
        """What stands for a node in the diagram: itself, or the stretch that it is folded in."""
        stretches = self._shortened.stretches if self._shortened is not None else {}
        if not stretches or (self._arrangement is not None and node in self._arrangement.scene.layout.where):
            return node
        return next((box for box, members in stretches.items() if node in members), node)

    def _refresh_marks(self) -> None:
        marks = Marks(pinned=frozenset(self._box_of(node) for node in self._pinned))
        for item in self._items:
            item.set_marks(marks)

    def _reveal(self) -> None:
        """Bring what is selected into view, unless some of it is."""
        views = (self.before, self.after) if self.two else (self.merged,)
        for view in reversed(views):
            rects = [view.scene_data.rect_of(self._box_of(node)) for node in sorted(self._pinned)]
            shapes = [to_qt(rect) for rect in rects if rect is not None]
            if not shapes:
                continue
            every = QRectF(shapes[0])
            for shape in shapes:
                every = every.united(shape)
            seen = view.visible_area()
            fits = every.width() < seen.width() and every.height() < seen.height()
            view.show_readably((every if fits else shapes[0]).adjusted(-20, -20, 20, 20))
            return

    def _on_click(self, hit: Hit, add: bool) -> None:
        if hit.box is not None and hit.box.node is not None and hit.box.node.id.startswith(EQUAL):
            self._unfold(hit.box.node.id)
            return
        nodes: tuple[NodeId, ...] = ()
        if hit.box is not None:
            nodes = (hit.node,) if hit.node else main_nodes(hit.box)
        elif hit.stub is not None:
            nodes = main_nodes(self.merged.scene_data.boxes[hit.stub.box])
        self.nodes_clicked.emit(tuple(node for node in nodes if not node.startswith(EQUAL)), add)

    def _unfold(self, box: NodeId) -> None:
        """The stretch opens where it stands."""
        rect = self.front().scene_data.rect_of(box)
        if rect is not None and self._shortened is not None:
            first = self._shortened.stretches[box][0]
            self._anchor = first, self.front().rect_in_view(to_qt(rect))
        self._unfolded.add(box)
        self._request(self._arrangement.collapsed if self._arrangement is not None else None)

    def _on_toggle(self, module_id: str) -> None:
        if self._arrangement is None:
            return
        scene = self._arrangement.scene
        box = scene.boxes.get(module_id)
        shape = box or scene.frames.get(module_id)
        if shape is not None:
            opened = box.opens if box is not None and box.opens else module_id
            self._anchor = opened, self.front().rect_in_view(to_qt(shape.rect))
            self._request(self._arrangement.collapsed ^ {opened})

    def _return(self, name: str, location: QRectF) -> None:
        scene = self.front().scene_data
        shape = scene.boxes.get(scene.layout.where.get(name, name)) or scene.frames.get(name)
        if shape is not None:
            self.front().keep_in_place(to_qt(shape.rect), location.topLeft())

    # -- moving together ---------------------------------------------------------------------------------------

    def _follow(self, moved: GraphView, other: GraphView) -> None:
        if self._following or not self.two:
            return
        self._following = True
        other.look_like(moved)
        self._following = False


def _titled(caption: QLabel, view: GraphView) -> QWidget:
    caption.setContentsMargins(6, 0, 0, 2)
    caption.setEnabled(False)
    return as_widget(column_of(caption, (view, 1), margins=0, spacing=0))
