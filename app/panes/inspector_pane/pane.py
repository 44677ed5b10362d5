"""What is selected, in full, with the edits that fit it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QStackedLayout,
    QWidget,
)

from app.panes.inspector_pane.argument_tree import ArgumentTree
from app.panes.inspector_pane.cost_facts import cost_rows
from app.panes.inspector_pane.facts import Facts, facts_of
from app.panes.inspector_pane.lowered_facts import lowered_facts
from app.panes.inspector_pane.node_table import NodeTable
from app.panes.inspector_pane.summary import NodeSummary
from app.session.facade.displayed_stage import stage_in_view
from app.session.facade.session import Session
from app.translation.texts import tr, tr_noop
from app.widgets.empty_state import EmptyState
from app.widgets.labels.link_label import LinkLabel
from app.widgets.layouts.boxes import Room, as_widget, row_of, scroll_of, set_column
from app.widgets.layouts.kept_in_sight import KeptInSight
from compiler.model.edits.editable_stages import edits_graph
from compiler.model.edits.edits import SetArgument
from compiler.model.ir.arguments import ArgumentPath, ConstantArgument
from compiler.model.ir.ids import NOWHERE, Place, StageId
from compiler.model.ir.stage import Stage, StageKind

_ACTIONS = (
    ("edit.replace_target", tr_noop("Replace…"), tr_noop("Let this node call something else")),
    ("edit.arguments", tr_noop("Arguments…"), tr_noop("Change the arguments of this node in a form")),
    ("edit.insert", tr_noop("Insert…"), tr_noop("Put an operation on this node's result")),
    ("edit.remove", tr_noop("Remove"), tr_noop("Take this node out; an input of it takes its place")),
)
_ACTIONS_OF_MANY = (
    ("edit.pattern", tr_noop("Pattern"), tr_noop("Look for every place like these nodes")),
    ("edit.extract", tr_noop("Extract…"), tr_noop("Make these nodes one call of a submodule")),
    ("edit.wrap", tr_noop("Wrap…"), tr_noop("Make these nodes one operator that Inductor cannot look into")),
    ("edit.remove", tr_noop("Remove"), tr_noop("Take these nodes out; what they use takes their place")),
)
_GUIDE = tr_noop(
    "Click a box of the graph, a line of code or an instruction.\n\n"
    "Hovering previews where it came from and what it became; a click keeps it. "
    "Nodes of every graph can be edited and recompiled, loops fused or kept apart, kernels rewritten."
)


class InspectorPane(QWidget):
    """Shows the pinned nodes. It edits constants itself; larger edits are asked of the window by id."""

    action_requested = Signal(str)
    """Id of an action of the window, such as ``edit.replace_target``."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("inspector_pane")
        self._session = session
        self._location = NOWHERE
        self.top = LinkLabel(self)
        self.arguments = ArgumentTree(self)
        self.bottom = LinkLabel(self)
        self.history = LinkLabel(self)
        self.history.setAccessibleName(tr("History of the node"))
        self.table = NodeTable(self)
        self.empty = EmptyState(tr("Nothing selected"), tr(_GUIDE), self)
        self.buttons = {action: self._button(action, tr(text), tr(tip)) for action, text, tip in _ACTIONS}
        self._story = NodeSummary()
        self._button_row = as_widget(row_of(*self.buttons.values(), Room(0), margins=(0, 4, 0, 4)), self)
        self._in_sight = KeptInSight(self)
        self._stack = QStackedLayout(self)
        for page in (self.empty, self._scrolled(), self._many()):
            self._stack.addWidget(page)
        for label in (self.top, self.bottom, self.history):
            label.link_clicked.connect(self._go_to)
            label.link_hovered.connect(self._preview)
        # Queued: the edit rebuilds the tree, which must not happen while its cell editor is closing.
        self.arguments.constant_typed.connect(self._set_argument, Qt.ConnectionType.QueuedConnection)
        self.arguments.node_clicked.connect(self._select_here)
        self.table.node_picked.connect(self._select_here)
        # problems are reported last, after a capture and after a preview
        for changed in (session.edits_changed, session.problems_changed, session.passes.changed):
            changed.connect(self._follow)
        session.states.arrived.connect(self.fill)
        session.selection.changed.connect(self._selection_changed)
        session.measured.lines.changed.connect(self._times_changed)
        session.passes.history_asked.connect(self.show_history)
        self.fill()

    def _button(self, action: str, text: str, tooltip: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setToolTip(tooltip)
        button.setMinimumWidth(20)
        button.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        button.clicked.connect(lambda: self.action_requested.emit(action))
        return button

    def _many(self) -> QWidget:
        page = QWidget(self)
        self._row_of_many = QWidget(page)
        row = QHBoxLayout(self._row_of_many)
        row.setContentsMargins(8, 6, 8, 0)
        self.buttons_of_many = {
            action: self._button(action, tr(text), tr(tip)) for action, text, tip in _ACTIONS_OF_MANY
        }
        for button in self.buttons_of_many.values():
            row.addWidget(button)
        row.addStretch()
        set_column(page, self._row_of_many, (self.table, 1), margins=0, spacing=0)
        return page

    def _scrolled(self) -> QScrollArea:
        page = QWidget()
        column = set_column(
            page, self.top, self._button_row, self.arguments, self.bottom, margins=(10, 8, 10, 12), spacing=2
        )
        column.addSpacing(8)
        column.addWidget(self.history)
        column.addStretch(1)
        area = self._area = scroll_of(page, tr("Inspector"), self, sideways=False)
        return area

    # -- what is shown -----------------------------------------------------------------------------------------

    def fill(self) -> None:
        """Show what is pinned now, as it is now."""
        self._location = self._session.selection.pinned
        stage = self._stage_of(self._location)
        shown = self._shown()
        if stage is None:
            self._stack.setCurrentIndex(0)
        elif len(shown.nodes) > 1:
            self.table.show_nodes(stage, shown.nodes)
            editable = edits_graph(stage) and self._session.passes.position(stage.id) is None
            self._row_of_many.setVisible(editable)
            self._stack.setCurrentIndex(2)
        else:
            self._show_one(stage, shown.nodes[0])
            self._stack.setCurrentIndex(1)
        self._in_sight.on = stage is not None

    def _follow(self) -> None:
        """An undo reports edits, passes, a capture and problems one by one: what is pinned is read once, after all."""
        if not self._session.states.on_the_way:
            self.fill()

    def _shown(self) -> Place:
        """What is pinned, as it is called in what is looked at; where all of it is gone there, as it was."""
        return self._session.passes.in_view(self._location) or self._location

    def _stage_of(self, location: Place) -> Stage | None:
        capture = self._session.capture
        if capture is None or not location or all(stage.id != location.stage for stage in capture.stages):
            return None
        return stage_in_view(self._session, location.stage)

    def _show_one(self, stage: Stage, node_id: str) -> None:
        capture = self._session.capture
        if capture is None:
            return
        story = self._story = NodeSummary()
        facts = facts_of(capture, stage, node_id, story.link)
        facts = facts or lowered_facts(capture, stage, node_id, story.link)
        if facts is None:
            facts = Facts(node_id, self._how_it_went(stage.id, node_id))
        rows, notes = cost_rows(self._session.measured.lines, stage, node_id, story.link)
        facts.rows += rows
        facts.notes += notes
        node = facts.node
        edited = node is not None and node_id in self._session.edited_nodes(stage.id)
        problems = self._session.problems_at(stage.id, node_id)
        self.top.set_content(story.opening(stage, facts, edited, problems))
        editable = edits_graph(stage) and self._session.passes.position(stage.id) is None
        can_edit = node is not None and editable and node.op not in ("placeholder", "output")
        self._button_row.setVisible(can_edit)
        arguments = len(node.args.items) + len(node.kwargs.items) if node is not None else 0
        self.arguments.setVisible(arguments > 0)
        if node is not None:
            self.arguments.show_node(node, editable)
        self.bottom.set_content(story.rest(capture, facts))
        self.history.set_content(story.history(capture, self._session.passes.history(self._shown())))

    def _how_it_went(self, stage: StageId, node: str) -> str:
        """Of a node that the graph has no more."""
        taker = self._session.passes.removed_by(stage, node)
        if taker:
            return tr("taken out by {value}").format(value=taker)
        waits = self._session.has_uncompiled_edits
        return tr("taken out by an edit, not compiled yet") if waits else tr("taken out by an edit")

    def show_history(self) -> None:
        """Bring the history of the selected node into view and let the keyboard scroll there."""
        if self._stack.currentIndex() != 1:
            return
        page = self._area.widget()
        layout = page.layout() if page is not None else None
        if layout is not None:
            layout.activate()
        bar = self._area.verticalScrollBar()
        bar.setValue(self.history.y())
        self._area.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _times_changed(self) -> None:
        """Only where times are shown: what is read elsewhere is not written again under the pointer."""
        stage = self._stage_of(self._location)
        if stage is not None and stage.kind in (StageKind.SOURCE, StageKind.KERNELS):
            self.fill()

    def _selection_changed(self) -> None:
        if self._session.selection.pinned != self._location:
            self._follow()

    # -- what is asked -----------------------------------------------------------------------------------------

    def _go_to(self, number: int) -> None:
        location, position = self._story.place_of(number), self._story.position_of(number)
        self._session.selection.hover(NOWHERE, self)
        self._session.show_stage(location.stage)
        self._session.passes.go_to(location.stage, position)
        if location:
            self._session.selection.select(location, self)

    def _preview(self, number: int) -> None:
        self._session.selection.hover(self._story.place_of(number) if number >= 0 else NOWHERE, self)

    def _select_here(self, node: str) -> None:
        self._session.selection.select(self._session.passes.at(self._location.stage, node), self)

    def _set_argument(self, path: ArgumentPath, constant: ConstantArgument) -> None:
        if len(self._location.nodes) == 1:
            self._session.make_edit(
                SetArgument(self._location.stage, self._location.nodes[0], path, constant)
            )
