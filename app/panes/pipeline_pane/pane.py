"""The list of stages: pick one to bring it to the front."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMenu, QStackedLayout, QWidget

from app.panes.pipeline_pane.compare_menu import fill_menu
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
from app.translation.compiler_texts import stage_title
from app.translation.texts import tr, tr_noop
from app.widgets.empty_state import EmptyState
from app.widgets.layouts.boxes import set_column
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width
from compiler.model.capture.capture import Capture
from compiler.model.edits.editable_stages import edits_graph, why_fixed
from compiler.model.ir.ids import NOWHERE, StageId
from compiler.model.ir.stage import Stage

_STATE, _TIME = 1, 3
_NARROW = 280
"""Narrower than this, times are hidden."""
_WIDE = 380
"""From here on states are written out."""
_INDENT = 9
_SMALLEST_COLUMN = 14
"""Pixels: a column of signs takes no more than a sign."""
_DOT = QSize(12, 12)
_COLORS = {
    CAPTURED: "dim_text",
    CHANGED: "accent",
    EDITED: "edited",
    STALE: "warning",
    RECOMPILED: "accent",
    FAILED: "error",
    BUILDING: "accent",
    CLEARED: "dim_text",
    SUSPECTED: "warning",
    WRONG: "error",
}


class PipelinePane(QWidget):
    """Follows the session's capture and stage; asks for a stage when one is clicked or Enter is pressed."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pipeline_pane")
        self._session = session
        self._groups: tuple[StageGroup, ...] = ()
        self._texts: dict[StageId, tuple[str, str]] = {}
        """Titles and tooltips, which stay what they are as long as the capture does."""
        self._states: dict[StageId, str] = {}
        self._pinned = NOWHERE
        self._marked: StageId = ""
        self.verdict_line = VerdictLine(session, self)
        self.stages = RowTable(_columns(wide=True, narrow=False), tr("Filter stages"), self)
        # what stages inlined from one file differ in stands at the end of their names
        self.stages.tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.stages.tree.setIndentation(_INDENT)
        self.stages.tree.setIconSize(_DOT)
        self.stages.tree.header().setMinimumSectionSize(_SMALLEST_COLUMN)
        self.empty = EmptyState(
            tr("No program captured yet"),
            tr("Open a Python file and capture it: every stage of torch.compile will be listed here."),
            self,
        )
        self._stack = QStackedLayout()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.stages)
        set_column(self, self.verdict_line, (self._stack, 1), margins=(4, 4, 4, 0), spacing=4)
        self.stages.offer_menu(self._fill_menu)
        self.stages.row_picked.connect(self._show_clicked)
        session.capture_changed.connect(self.fill)
        session.stage_changed.connect(self._follow_stage)
        session.edits_changed.connect(self._show_states)
        session.preview_changed.connect(self._show_states)
        session.problems_changed.connect(self._show_states)
        session.causes.changed.connect(self._show_states)
        session.selection.changed.connect(self._selection_changed)
        self.fill()

    def fill(self) -> None:
        """Show the session's capture from scratch."""
        capture = self._session.capture
        self._stack.setCurrentWidget(self.empty if capture is None else self.stages)
        self._groups = tuple(groups_of(capture)) if capture is not None else ()
        self._texts = _texts(capture, self._groups) if capture is not None else {}
        self._find_states()
        self._mark_current()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrow dock keeps the names: states become signs, and times give way."""
        super().resizeEvent(event)
        if (event.oldSize().width() >= _WIDE, event.oldSize().width() >= _NARROW) != (
            self.width() >= _WIDE,
            self.width() >= _NARROW,
        ):
            self._show_rows()

    def _show_rows(self) -> None:
        wide, narrow = self.width() >= _WIDE, self.width() < _NARROW
        quiet = all(state == CAPTURED for state in self._states.values())
        self.stages.set_columns(_columns(wide, narrow))
        hidden = ((_TIME, narrow), (_STATE, quiet and not wide))
        self.stages.leave_out({column for column, hide in hidden if hide})
        self.stages.set_rows([self._group(group, is_top=True) for group in self._groups])

    def _group(self, group: StageGroup, is_top: bool) -> Row:
        nodes = Cell()
        if group.nodes:
            tip = tr("{nodes:,} nodes, {weight:.0%} of the largest graph").format(
                nodes=group.nodes, weight=group.weight
            )
            nodes = Cell(f"{group.nodes:,}", tooltip=tip, fraction=group.weight)
        title = Cell(group.title, tooltip=group.tooltip or group.title, bold=is_top)
        inside = [self._stage(stage) for stage in group.stages]
        inside += [self._group(part, is_top=False) for part in group.parts]
        return Row((group.title,), (title, Cell(), nodes), tuple(inside), open=not group.closed)

    def _stage(self, stage: Stage) -> Row:
        state, shown = self._states.get(stage.id, CAPTURED), self._session.stage
        title, made = self._texts[stage.id]
        cells = (
            Cell(
                title,
                tooltip=made,
                color=_COLORS[state] if state in (CLEARED, WRONG) else "",
                bold=shown is not None and stage.id == shown.id,
                mark="dot" if self._session.selection.pinned_in(stage.id) else "none",
                mark_color="pinned",
            ),
            Cell(
                tr(state) if self.width() >= _WIDE else SIGN[state],
                tooltip=tr(MEANING[state]),
                color=_COLORS[state],
            ),
            Cell(f"{stage.node_count:,}", color="dim_text"),
            Cell(
                _time_text(stage.seconds),
                tooltip=tr("Wall time of the step that made it, measured in this run, observers included")
                if stage.seconds is not None
                else "",
                color="dim_text",
            ),
        )
        return Row(stage.id, cells, value=stage.id)

    def _show_clicked(self, row: Row) -> None:
        if isinstance(row.value, str):
            self._session.show_stage(row.value)

    def _fill_menu(self, menu: QMenu, row: Row) -> None:
        if isinstance(row.value, str):
            fill_menu(menu, self._session, row.value)

    def _follow_stage(self) -> None:
        if self._current() != self._marked:
            self._mark_current()

    def _current(self) -> StageId:
        return self._session.stage.id if self._session.stage is not None else ""

    def _mark_current(self) -> None:
        before, self._marked = self._marked, self._current()
        self._show_rows()
        self.stages.select({self._marked}, scroll=self._marked != before)

    def _show_states(self) -> None:
        before = self._states
        self._find_states()
        if self._states != before:  # with each part of a recompile four signals come here
            self._show_rows()

    def _find_states(self) -> None:
        capture = self._session.capture
        if capture is None:
            self._states = {}
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

    def _is_edited(self, stage: Stage) -> bool:
        return self._session.stage_with_edits(stage.id) is not stage

    def _is_changed(self, stage_id: StageId) -> bool:
        changes, capture = self._session.changes, self._session.capture
        compared = capture is not None and changes.after is not None and capture.id == changes.after.id
        return compared and changes.is_changed(stage_id)

    def _selection_changed(self) -> None:
        """A dot stands at every stage that the pinned selection has a counterpart in."""
        if self._session.selection.pinned != self._pinned:
            self._pinned = self._session.selection.pinned
            self._show_rows()


def _columns(wide: bool, narrow: bool) -> tuple[Column, ...]:
    return (
        Column(tr_noop("Stage"), width=Width.STRETCH),
        Column(tr_noop("State") if wide else ""),
        Column(
            "#" if narrow else tr_noop("Nodes"),
            tr_noop("Nodes, instructions, kernels or lines"),
            right=True,
            bar=True,
        ),
        Column(tr_noop("Time"), right=True),
    )


def _texts(capture: Capture, groups: tuple[StageGroup, ...]) -> dict[StageId, tuple[str, str]]:
    titles = {stage.id: stage_title(stage.title) for stage in capture.stages}
    found: dict[StageId, tuple[str, str]] = {}
    for group in groups:
        found |= _texts(capture, group.parts)
        for stage in group.stages:
            title = short_title(stage, capture) if group.is_graph else titles[stage.id]
            found[stage.id] = (title, _made_text(stage, titles))
    return found


def _time_text(seconds: float | None) -> str:
    if seconds is None:
        return ""
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{seconds * 1e3:.0f} ms" if seconds >= 0.01 else f"{seconds * 1e3:.1f} ms"


def _made_text(stage: Stage, titles: dict[StageId, str]) -> str:
    lines = [titles[stage.id]]
    if stage.made_by:
        lines.append(tr("Made by {made_by}").format(made_by=stage.made_by))
    if stage.made_from:
        lines.append(tr("Made from ") + ", ".join(titles.get(origin, origin) for origin in stage.made_from))
    if edits_graph(stage):
        lines.append(tr("Its graph can be edited and recompiled."))
    elif stage.compile_id and stage.graph is not None:
        lines.append(why_fixed(stage))
    return "\n".join(lines)
