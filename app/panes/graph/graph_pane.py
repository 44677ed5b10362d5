"""The graph pane: the stage in front as boxes and arrows, following the session."""

from functools import partial
from itertools import islice, pairwise

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from app.canvas.box_colors import Painting
from app.canvas.graph_view import GraphView
from app.canvas.layout_job import Arrangement, LayoutJobs
from app.canvas.minimap import Minimap
from app.canvas.scene import to_qt
from app.canvas.waiting_label import WaitingLabel
from app.graph_layout.initial_collapse import collapsed_at_depth, depth_of
from app.graph_layout.running_order import in_running_order
from app.linked_text.linked_editor import LinkedEditor
from app.linked_text.shown_program import shown_program
from app.panes.graph.edge_rewiring import EdgeRewiring
from app.panes.graph.graph_keys import GraphKeys
from app.panes.graph.graph_marks import read_marks, read_tints
from app.panes.graph.graph_toolbar import GraphToolbar
from app.panes.graph.inherited_roles import with_inherited_roles
from app.panes.graph.pass_anchor import pass_anchor
from app.panes.graph.pass_bar import PassBar
from app.panes.graph.questions import questions_of
from app.panes.graph.search_bar import SearchBar
from app.panes.graph.searching import Searching
from app.panes.graph.selection_control import SelectionControl
from app.panes.graph.view_state import ViewState
from app.session.facade.displayed_stage import stage_in_view
from app.session.facade.prepared_stages import PreparedStages
from app.session.facade.ready_indexes import ReadyIndexes
from app.session.facade.session import Session
from app.theme import current
from app.translation.compiler_texts import stage_title
from app.translation.texts import tr
from app.widgets.empty_state import EmptyState
from app.widgets.layouts.boxes import set_column
from app.widgets.layouts.spare_room import SpareRoom
from compiler.analysis.queries.query_language import QueryError
from compiler.model.diagrams.diagrams import Diagram, DiagramNode, diagram
from compiler.model.ir.identity_cache import identity_cached
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.ir.stage import Stage


@identity_cached
def _nodes_by_id(shown: Diagram) -> dict[NodeId, DiagramNode]:
    return {node.id: node for node in shown.nodes}


class GraphPane(QWidget):
    """Toolbar, search row and canvas. It reads the session; it changes selection and hovering, and rewires arrows."""

    context_menu_requested = Signal(object, QPoint)
    """(place under the mouse or selected, global position): the window shows the menu."""

    idle = Signal()
    """The layout asked for last is on show."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("graph")
        self._session = session
        self._stage_id: StageId = ""
        self._diagram: Diagram | None = None
        self._arrangement: Arrangement | None = None
        self._arranged: StageId = ""
        self._collapsed: dict[StageId, frozenset[str]] = {}
        self._tints: dict[NodeId, int] = {}
        self._found: frozenset[NodeId] = frozenset()
        self._painting: Painting | None = None
        self._shown: frozenset[NodeId] = frozenset()
        self._opening = True
        self._anchor: tuple[str, QPointF] | None = None
        self._jobs = LayoutJobs(self)
        self._indexes = ReadyIndexes(session, self)
        self._prepared = PreparedStages(session, partial(questions_of, session), self)
        self._searching = Searching(self)
        self._work = self._jobs, self._prepared, self._searching
        self.idle.connect(self._indexes.begin_soon)
        self._build()
        self._connect()
        self._dress()
        self._show_stage()

    def _build(self) -> None:
        self.view = GraphView(self)
        self._control = SelectionControl(self._session, self.view)
        self._rewiring = EdgeRewiring(self._session, self.view)
        self.toolbar = GraphToolbar(self)
        self.pass_bar = PassBar(self._session, self)
        self.search = SearchBar(self)
        self.looking = ViewState(self._session, self.toolbar, self)
        self.view.setAccessibleName(tr("Graph"))
        self.minimap = Minimap(self.view)
        SpareRoom(self.view, self._covered)
        self.empty = EmptyState("", "", self)
        self.text = LinkedEditor(self._session, self)
        self.text.setAccessibleName(tr("Text of the stage"))
        self._stack = QStackedWidget(self)
        self.waiting = WaitingLabel(self._jobs, self._stack)
        self._prepared.slow.connect(self.waiting.begin_reading)
        self._stack.addWidget(self.view)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.text)
        set_column(
            self,
            self.toolbar,
            self.pass_bar,
            self.search,
            self.looking.filters,
            (self._stack, 1),
            self.looking.legend,
            margins=0,
            spacing=0,
        )
        self.setFocusProxy(self.view)
        for first, second in pairwise((self.view, *self.toolbar.buttons)):
            self.setTabOrder(first, second)
        self._keys = GraphKeys(
            self._control.walk,
            self._extend,
            self._keep_view,
            self._session.views.go_to,
            {
                Qt.Key.Key_Space: self.fit,
                Qt.Key.Key_F: self.fit,
                Qt.Key.Key_Plus: self.view.zoom_in,
                Qt.Key.Key_Equal: self.view.zoom_in,
                Qt.Key.Key_Minus: self.view.zoom_out,
                Qt.Key.Key_Slash: self.search.open,
                Qt.Key.Key_F3: self.search.go_on,
                Qt.Key.Key_Escape: self._clear,
                Qt.Key.Key_Return: self._control.toggle_selected,
                Qt.Key.Key_Enter: self._control.toggle_selected,
                Qt.Key.Key_Backspace: self._control.collapse_around,
            },
        )
        self.view.installEventFilter(self)

    def _connect(self) -> None:
        session = self._session
        session.capture_changed.connect(self._show_stage)
        session.stage_changed.connect(self._show_stage)
        session.edits_changed.connect(self._show_stage)
        session.preview_changed.connect(self._show_stage)
        session.passes.changed.connect(self._on_pass)
        session.problems_changed.connect(self._refresh_marks)
        self.looking.changed.connect(self._on_looking)
        self.looking.filters.closed.connect(self.view.setFocus)
        session.selection.changed.connect(self._on_selection)
        current.signals().changed.connect(self._dress)
        self._jobs.ready.connect(self._on_layout)
        self._jobs.failed.connect(self._on_failure)
        self.view.toggled.connect(self.toggle_module)
        self._control.toggled.connect(self.toggle_module)
        self._control.menu_requested.connect(self.context_menu_requested)
        self.view.view_changed.connect(self._on_view_change)
        self.toolbar.fit_asked.connect(self.fit)
        self.toolbar.zoom_in_asked.connect(self.view.zoom_in)
        self.toolbar.zoom_out_asked.connect(self.view.zoom_out)
        self.toolbar.search_asked.connect(self.search.open)
        self.toolbar.minimap_toggled.connect(self._on_minimap)
        self.toolbar.depth_asked.connect(self.open_levels)
        self.search.changed.connect(self._on_search)
        self._searching.found.connect(self._on_found)
        self.search.moved.connect(self._on_match)
        self.search.closed.connect(self._on_search_closed)
        if (application := QApplication.instance()) is not None:
            application.aboutToQuit.connect(self._stop_work)

    # -- for the window, tests and pictures --------------------------------------------------------------------

    def fit(self) -> None:
        """Everything in view, but never larger than is pleasant."""
        self.view.fit()

    def is_idle(self) -> bool:
        """Whether what the session asks for is on show and nothing moves."""
        return not any(work.busy for work in self._work) and not self.view.moving

    @property
    def collapsed(self) -> frozenset[str]:
        """Ids of the modules that are collapsed."""
        return self._arrangement.collapsed if self._arrangement is not None else frozenset()

    def toggle_module(self, module_id: str) -> None:
        """Open a collapsed module or collapse an open one; it stays where it is on the screen.

        Of several equal modules in one box the first opens, and the others stay in their box.
        """
        scene = self.view.scene_data
        box = scene.boxes.get(module_id)
        shape = box or scene.frames.get(module_id)
        if shape is None:
            return
        module_id = box.opens if box is not None and box.opens else module_id
        self._anchor = module_id, self.view.rect_in_view(to_qt(shape.rect)).topLeft()
        self._set_collapsed(self.collapsed ^ {module_id})

    def open_levels(self, levels: int) -> None:
        """Open so many levels of modules; 0 collapses all."""
        if self._arrangement is not None:
            self._opening = True
            self._set_collapsed(collapsed_at_depth(self._arrangement.prepared.trees, levels))

    # -- following the session ---------------------------------------------------------------------------------

    def _show_stage(self) -> None:
        stage = self._session.stage
        if stage is None:
            self._show_nothing(
                tr("Open a model to begin"), tr("The graphs of every stage appear here once it is captured.")
            )
            return
        self.pass_bar.show_stage(stage.id)
        in_view = stage_in_view(self._session, stage.id)
        if not self._prepared.ready(in_view, self._show_stage):
            self._jobs.cancel()
            return
        shown = in_running_order(diagram(in_view))
        if shown is None or not shown.nodes:
            self._show_text(in_view)
            return
        shown = self.looking.left(in_view, with_inherited_roles(shown, stage.id, self._session))
        if self.looking.hides_all():
            self._show_nothing(
                tr("Everything is hidden"), tr("Show all (Shift+U), or change the filters (Ctrl+Shift+L).")
            )
            return
        self._bring_up(self.view)
        self.toolbar.set_title(stage_title(stage.title))
        self._painting = self.looking.painting()
        self._tints = read_tints(self._session, stage.id, shown)
        # the same graph of another capture has other colours
        if stage.id == self._stage_id and shown == self._diagram and not self._jobs.dropped:
            self._anchor = None
            self.waiting.end()
            self._refresh_marks()
            return
        self._opening = self._opening or stage.id != self._stage_id
        if not self._opening and self._anchor is None:
            self._anchor = self._selected_anchor()
        elif self._opening:
            self._anchor = None
        self._stage_id, self._diagram = stage.id, shown
        self._jobs.request(shown, self._collapsed.get(stage.id))

    def _on_pass(self) -> None:
        """Another pass: what is selected, else what is in the middle, stays where it is on the screen."""
        before, after = self._session.passes.carried
        self._anchor = pass_anchor(self.view, before, after)
        self._show_stage()

    def _show_nothing(self, headline: str, text: str) -> None:
        self._jobs.cancel()
        self.waiting.end()
        self._stage_id, self._diagram, self._opening = "", None, True
        self.pass_bar.show_stage("")
        self.toolbar.set_title("")
        self.toolbar.set_counts("")
        self.empty.show_text(headline, text)
        self._bring_up(self.empty)
        self.idle.emit()

    def _show_text(self, stage: Stage) -> None:
        """What has no nodes to draw is read here as it is."""
        self._show_nothing("", "")
        self.toolbar.set_title(stage_title(stage.title))
        self.text.show_program(shown_program(stage))
        self._bring_up(self.text)

    def _bring_up(self, widget: QWidget) -> None:
        read = widget is self.text
        if not read:
            self.text.show_none()
        self._stack.setCurrentWidget(widget)
        self.toolbar.set_drawn(not read)
        self.toolbar.set_filled(widget is self.view, self._session.stage is not None)
        self.setFocusProxy(self.text if read else self.view)

    def _set_collapsed(self, collapsed: frozenset[str]) -> None:
        if self._diagram is not None:
            self._collapsed[self._stage_id] = collapsed
            self._jobs.request(self._diagram, collapsed)

    def _on_layout(self, arrangement: Arrangement) -> None:
        self.waiting.end()
        self._arrangement = arrangement
        self._arranged = self._stage_id
        self._control.set_shown(self._stage_id, arrangement.prepared.trees)
        self.view.set_scene(arrangement.scene)
        self.toolbar.set_depths(depth_of(arrangement.prepared.trees))
        self._on_search(self.search.field.text() if not self.search.isHidden() else "")
        if (view := self.looking.wanted) is not None and view.stage == self._stage_id:
            self._opening, self.looking.wanted = False, None
            self.view.go_to(view.zoom, QPointF(*view.center))
        elif self._opening:
            self._opening = False
            self.view.open_well()
            self._reveal_pinned()
        elif self._anchor is not None:
            self._return_to_anchor(*self._anchor)
        self._anchor = None
        self.minimap.refresh()
        self.idle.emit()

    def _on_failure(self) -> None:
        self._show_nothing(
            tr("This graph could not be laid out"), tr("Its program is in the code pane; the log says why.")
        )

    def _selected_anchor(self) -> tuple[str, QPointF] | None:
        """A selected box in view: it stays where it is while an edit moves others."""
        scene, seen = self.view.scene_data, self.view.visible_area()
        for node in sorted(self._session.passes.pinned_in(self._stage_id)):
            box = scene.boxes.get(scene.layout.where.get(node, ""))
            if box is not None and seen.intersects(to_qt(box.rect)):
                return box.id, self.view.rect_in_view(to_qt(box.rect)).topLeft()
        return None

    def _return_to_anchor(self, module_id: str, location: QPointF) -> None:
        scene = self.view.scene_data
        shape = scene.boxes.get(scene.layout.where.get(module_id, module_id)) or scene.frames.get(module_id)
        if shape is not None:
            self.view.keep_in_place(to_qt(shape.rect), location)
            self.view.show_what_fits()

    def _refresh_marks(self) -> None:
        if self._diagram is not None:
            marks = read_marks(self._session, self._stage_id, self._tints, self._found, self._painting)
            self.view.item.set_marks(marks)
            self.view.setAccessibleDescription(self._describe(marks.pinned))

    def _on_selection(self, sender: object) -> None:
        self._refresh_marks()
        pinned = self._session.passes.pinned_in(self._stage_id)
        if pinned != self._shown:
            self._shown = pinned
            if sender not in (self._control, self._session.passes):
                self._reveal_pinned()

    def _reveal_pinned(self) -> None:
        """Bring the selection's counterparts into view, unless one is in view already."""
        scene = self.view.scene_data
        rects = [scene.rect_of(node) for node in sorted(self._session.passes.pinned_in(self._stage_id))]
        shapes = [to_qt(rect) for rect in rects if rect is not None]
        seen = self.view.visible_area()
        if not shapes or any(seen.contains(shape) for shape in shapes):
            return
        every = QRectF(shapes[0])
        for shape in shapes:
            every = every.united(shape)
        fits = every.width() < seen.width() and every.height() < seen.height()
        self.view.reveal(every if fits else shapes[0])

    def _dress(self) -> None:
        colors = current.colors()
        self.view.dress()
        self.waiting.setStyleSheet(
            f"color: {colors.dim_text}; background: {colors.panel}; border: 1px solid {colors.line};"
            "border-radius: 6px; padding: 6px 12px;"
        )
        self.toolbar.refresh_icons()
        self.minimap.refresh()

    # -- following the keyboard --------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.view and isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            return self._keys.handle(event)
        return super().eventFilter(watched, event)

    def _stop_layout(self) -> bool:
        """Stop a layout that takes long, and stay with what is on show; False where there is none."""
        if self.waiting.isHidden():
            return False
        self._prepared.cancel()
        self._jobs.cancel()
        self.waiting.end()
        stage = self._session.stage
        if self._arrangement is None or stage is None or self._arranged != stage.id:
            self._show_nothing(
                tr("Not laid out"), tr("You stopped it. Choose the stage again to lay it out.")
            )
            return True
        self._collapsed[self._stage_id] = self._arrangement.collapsed
        self._anchor, self._opening = None, False
        self.idle.emit()
        return True

    def _clear(self) -> None:
        if self._stop_layout():
            return
        if not self.search.isHidden():
            self.search.close_bar()
        self._session.selection.clear(self._control)

    # -- search ------------------------------------------------------------------------------------------------

    def _on_search(self, text: str) -> None:
        try:
            self._searching.look(*(self.looking.finder(text) if self._diagram is not None else (tuple, 0)))
        except QueryError as error:
            self._searching.cancel()
            self.search.report_error(str(error))
            self._mark_found(())

    def _on_found(self, found: tuple[NodeId, ...]) -> None:
        self.search.set_matches(found)
        self._mark_found(found)

    def _mark_found(self, found: tuple[NodeId, ...]) -> None:
        self._found = frozenset(found)
        self._refresh_marks()

    def _on_match(self, node: NodeId) -> None:
        self.looking.reveal(node)
        self._control.go_to(node)

    def _on_search_closed(self) -> None:
        self._searching.cancel()
        self._mark_found(())
        self.view.setFocus()

    # -- how it is looked at -----------------------------------------------------------------------------------

    def _on_looking(self) -> None:
        """Other colours, other filters, or a kept view."""
        view = self.looking.wanted
        if view is not None:
            self._collapsed[view.stage] = frozenset(view.collapsed)
        self._show_stage()
        self._painting = self.looking.painting()
        self._refresh_marks()
        if view is not None and self.looking.wanted is view and self._diagram is not None:
            self._jobs.request(self._diagram, frozenset(view.collapsed))

    def _extend(self, to_inputs: bool) -> None:
        if not self.looking.extend(to_inputs):
            self._control.extend(to_inputs)

    def _keep_view(self, number: int) -> None:
        center = self.view.center()
        self._session.views.keep(
            number, self._stage_id, self.collapsed, self.view.zoom, (center.x(), center.y())
        )
        self.toolbar.set_counts(tr("Kept on {number}").format(number=number))

    # -- the rest ----------------------------------------------------------------------------------------------

    def _describe(self, pinned: frozenset[NodeId]) -> str:
        """What a screen reader says of the canvas."""
        if self._diagram is None:
            return ""
        text = tr("{nodes}, {edges}.").format(
            nodes=tr("%n node(s)", None, len(self._diagram.nodes)),
            edges=tr("%n edge(s)", None, len(self._diagram.edges)),
        )
        known = _nodes_by_id(self._diagram)
        chosen = [known[node] for node in islice(filter(known.__contains__, sorted(pinned)), 5)]
        reported = ", ".join(f"{node.title} {node.name} {node.detail}" for node in chosen)
        return tr("{text} Selected: {reported}").format(text=text, reported=reported) if chosen else text

    def _on_minimap(self, on: bool) -> None:
        self.minimap.wanted = on
        self.minimap.follow()

    def _covered(self, place: QRect) -> int:
        overview = not self.minimap.isHidden() and self.minimap.geometry().intersects(place)
        return overview + len(self.view.scene_data.boxes_in(self.view.map_area(place)))

    def _on_view_change(self) -> None:
        self.toolbar.set_zoom(self.view.zoom)

    def _stop_work(self) -> None:
        for work in self._work:
            work.stop()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._stop_work()
        self.waiting.end()
        super().closeEvent(event)
