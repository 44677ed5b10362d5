"""The list of stages: pick one to bring it to the front."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QPixmap, QResizeEvent
from PySide6.QtWidgets import QStackedLayout, QTreeWidgetItem, QVBoxLayout, QWidget

from app.panes.pipeline_pane.compare_menu import CompareMenu
from app.panes.pipeline_pane.grouping import StageGroup, groups_of, short_title
from app.panes.pipeline_pane.states import (
    BUILDING,
    CAPTURED,
    CHANGED,
    CLEARED,
    EDITED,
    FAILED,
    MEANING,
    RECOMPILED,
    SIGN,
    STALE,
    SUSPECTED,
    WRONG,
    cause_states,
    stage_states,
)
from app.panes.pipeline_pane.verdict_line import VerdictLine
from app.session.facade.session import Session
from app.theme import current
from app.translation.compiler_words import stage_title
from app.translation.texts import tr
from app.widgets.bar_delegate import FRACTION_ROLE, BarDelegate
from app.widgets.empty_state import EmptyState
from app.widgets.filter_tree import FilterTree
from compiler.model.capture.capture import Capture
from compiler.model.edits.editable_stages import edits_graph, why_fixed
from compiler.model.ir.ids import NOWHERE, StageId
from compiler.model.ir.stage import Stage

_STAGE, _STATE, _NODES, _TIME = range(4)
_NARROW = 280
"""Narrower than this, times are hidden."""
_WIDE = 380
"""From here on states are written out."""
_INDENT = 9
_SMALLEST_COLUMN = 14
"""Pixels: a column of signs takes no more than a sign."""
_ID_ROLE = int(Qt.ItemDataRole.UserRole)


class PipelinePane(QWidget):
    """Follows the session's capture and stage; asks for a stage when one is clicked or Enter is pressed."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pipeline_pane")
        self._session = session
        self._rows: dict[StageId, QTreeWidgetItem] = {}
        self._states: dict[StageId, str] = {}
        self._pinned = NOWHERE
        self.verdict_line = VerdictLine(session, self)
        self.stages = FilterTree(
            (tr("Stage"), tr("State"), tr("Nodes"), tr("Time")), tr("Filter stages"), self
        )
        tree = self.stages.tree
        tree.setItemDelegateForColumn(_NODES, BarDelegate(tree))
        tree.setIndentation(_INDENT)
        tree.header().setMinimumSectionSize(_SMALLEST_COLUMN)
        self.stages.stretch_column(_STAGE)
        self.empty = EmptyState(
            tr("No program captured yet"),
            tr("Open a Python file and capture it: every stage of torch.compile will be listed here."),
            self,
        )
        self._stack = QStackedLayout()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.stages)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 4, 0)
        column.setSpacing(4)
        column.addWidget(self.verdict_line)
        column.addLayout(self._stack, 1)
        self.menus = CompareMenu(session, tree, _STAGE, _ID_ROLE)
        tree.itemClicked.connect(self._show_clicked)
        tree.itemActivated.connect(self._show_clicked)
        session.capture_changed.connect(self.fill)
        session.stage_changed.connect(self._mark_current)
        session.edits_changed.connect(self._show_states)
        session.preview_changed.connect(self._show_states)
        session.problems_changed.connect(self._show_states)
        session.causes.changed.connect(self._show_states)
        session.selection.changed.connect(self._selection_changed)
        current.signals().changed.connect(self._restyle)
        self.fill()

    def fill(self) -> None:
        """Show the session's capture from scratch."""
        tree = self.stages.tree
        tree.clear()
        self._rows.clear()
        capture = self._session.capture
        self._stack.setCurrentWidget(self.empty if capture is None else self.stages)
        if capture is None:
            return
        for group in groups_of(capture):
            self._add_group(capture, group, None)
        self.stages.apply_filter()
        self._show_states()
        self._mark_current()
        self._show_reach()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrow dock keeps the names: states become signs, and times give way."""
        super().resizeEvent(event)
        self._fit_columns()

    def _fit_columns(self) -> None:
        tree, wide = self.stages.tree, self.width() >= _WIDE
        tree.headerItem().setText(_STATE, tr("State") if wide else "")
        tree.headerItem().setText(_NODES, tr("Nodes") if self.width() >= _NARROW else "#")
        tree.headerItem().setToolTip(_NODES, tr("Nodes, instructions, kernels or lines"))
        for stage_id, state in self._states.items():
            if (item := self._rows.get(stage_id)) is not None:
                item.setText(_STATE, tr(state) if wide else SIGN[state])
        quiet = all(state == CAPTURED for state in self._states.values())
        tree.setColumnHidden(_TIME, self.width() < _NARROW)
        tree.setColumnHidden(_STATE, quiet and not wide)

    def row_of(self, stage_id: StageId) -> QTreeWidgetItem:
        """The row of a stage. Raises KeyError."""
        return self._rows[stage_id]

    def _add_group(self, capture: Capture, group: StageGroup, above: QTreeWidgetItem | None) -> None:
        item = QTreeWidgetItem([group.title])
        font = item.font(_STAGE)
        font.setBold(above is None)
        item.setFont(_STAGE, font)
        item.setToolTip(_STAGE, group.tooltip or group.title)
        if group.nodes:
            item.setText(_NODES, f"{group.nodes:,}")
            item.setTextAlignment(_NODES, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            item.setData(_NODES, FRACTION_ROLE, group.weight)
            item.setToolTip(
                _NODES,
                tr("{nodes:,} nodes, {weight:.0%} of the largest graph").format(
                    nodes=group.nodes, weight=group.weight
                ),
            )
        if above is None:
            self.stages.tree.addTopLevelItem(item)
        else:
            above.addChild(item)
        for stage in group.stages:
            title = short_title(stage, capture) if group.is_graph else stage_title(stage.title)
            self._add_stage(capture, stage, title, item)
        for part in group.parts:
            self._add_group(capture, part, item)
        item.setExpanded(not group.closed)

    def _add_stage(self, capture: Capture, stage: Stage, title: str, group: QTreeWidgetItem) -> None:
        time = _time_text(stage.seconds)
        item = QTreeWidgetItem([title, "", f"{stage.node_count:,}", time])
        item.setData(_STAGE, _ID_ROLE, stage.id)
        for column in (_NODES, _TIME):
            item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        item.setToolTip(_STAGE, _made_text(stage, capture))
        if stage.seconds is not None:
            item.setToolTip(
                _TIME, tr("Wall time of the step that made it, measured in this run, observers included")
            )
        group.addChild(item)
        self._rows[stage.id] = item

    def _show_clicked(self, item: QTreeWidgetItem) -> None:
        stage_id = item.data(_STAGE, _ID_ROLE)
        if stage_id:
            self._session.show_stage(stage_id)

    def _mark_current(self) -> None:
        shown = self._session.stage.id if self._session.stage is not None else ""
        for stage_id, item in self._rows.items():
            font = item.font(_STAGE)
            font.setBold(stage_id == shown)
            item.setFont(_STAGE, font)
        if shown in self._rows:
            self.stages.tree.setCurrentItem(self._rows[shown])
        else:
            self.stages.tree.clearSelection()

    def _show_states(self) -> None:
        capture = self._session.capture
        if capture is None:
            return
        parent = next((other for other in self._session.captures if other.id == capture.parent), None)
        self._states = stage_states(
            capture,
            parent,
            self._is_edited,
            self._session.problems,
            self._is_changed,
            self._session.early.is_building,
        )
        causes = self._session.causes
        wrong = causes.found.stage if causes.found is not None else ""
        self._states = cause_states(self._states, causes.innocent, wrong, causes.searching)
        colors = current.colors()
        shades = {
            CAPTURED: colors.dim_text,
            CHANGED: colors.accent,
            EDITED: colors.edited,
            STALE: colors.warning,
            RECOMPILED: colors.good,
            FAILED: colors.error,
            BUILDING: colors.accent,
            CLEARED: colors.dim_text,
            SUSPECTED: colors.warning,
            WRONG: colors.error,
        }
        for stage_id, state in self._states.items():
            if (item := self._rows.get(stage_id)) is None:
                continue
            item.setToolTip(_STATE, tr(MEANING[state]))
            item.setForeground(_STATE, QBrush(QColor(shades[state])))
            for column in (_NODES, _TIME):
                item.setForeground(column, QBrush(QColor(colors.dim_text)))
            name = {CLEARED: colors.dim_text, WRONG: colors.error}.get(state)
            item.setForeground(_STAGE, QBrush(QColor(name)) if name else QBrush())
        self._fit_columns()

    def _is_edited(self, stage: Stage) -> bool:
        return self._session.stage_with_edits(stage.id) is not stage

    def _is_changed(self, stage_id: StageId) -> bool:
        changes, capture = self._session.changes, self._session.capture
        compared = capture is not None and changes.after is not None and capture.id == changes.after.id
        return compared and changes.is_changed(stage_id)

    def _selection_changed(self) -> None:
        if self._session.selection.pinned != self._pinned:
            self._show_reach()

    def _show_reach(self) -> None:
        """A dot at every stage that the pinned selection has a counterpart in."""
        broker = self._session.selection
        self._pinned = broker.pinned
        dot, blank = QPixmap(8, 8), QPixmap(8, 8)
        dot.fill(QColor(current.colors().pinned))
        blank.fill(Qt.GlobalColor.transparent)
        for stage_id, item in self._rows.items():
            item.setData(_STAGE, Qt.ItemDataRole.DecorationRole, dot if broker.pinned_in(stage_id) else blank)

    def _restyle(self) -> None:
        self._show_states()
        self._show_reach()


def _time_text(seconds: float | None) -> str:
    if seconds is None:
        return ""
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{seconds * 1e3:.0f} ms" if seconds >= 0.01 else f"{seconds * 1e3:.1f} ms"


def _made_text(stage: Stage, capture: Capture) -> str:
    titles = {other.id: stage_title(other.title) for other in capture.stages}
    lines = [stage_title(stage.title)]
    if stage.made_by:
        lines.append(tr("Made by {made_by}").format(made_by=stage.made_by))
    if stage.made_from:
        lines.append(tr("Made from ") + ", ".join(titles.get(origin, origin) for origin in stage.made_from))
    if edits_graph(stage):
        lines.append(tr("Its graph can be edited and recompiled."))
    elif stage.compile_id and stage.graph is not None:
        lines.append(why_fixed(stage))
    return "\n".join(lines)
