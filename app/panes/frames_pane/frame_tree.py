"""The frames as a story: frame, its graph, the break that ended it, the function that resumed after it."""

from dataclasses import dataclass, field

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import QTreeWidgetItem, QWidget

from app.theme import current
from app.theme.colors import Colors
from app.translation.compiler_words import tell
from app.translation.texts import tr
from app.widgets.filter_tree import FilterTree
from compiler.model.capture.capture import Capture
from compiler.model.capture.frames import Frame, GraphBreak, InlinedCall
from compiler.model.graph_breaks.break_summary import describe, describe_skip, heading, nothing_to_compile
from compiler.model.ir.graph import SourceLine
from compiler.model.ir.ids import StageId

STAGE_ROLE = int(Qt.ItemDataRole.UserRole)
BREAK_ROLE = STAGE_ROLE + 1
LINE_ROLE = STAGE_ROLE + 2


class FrameTree(FilterTree):
    """Frames nested by what resumed what. Rows that stand for something can be clicked."""

    stage_clicked = Signal(str)
    break_clicked = Signal(str)
    line_clicked = Signal(object)
    """A SourceLine."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._calls: dict[int, tuple[QTreeWidgetItem, tuple[InlinedCall, ...]]] = {}
        super().__init__((tr("What happened"), tr("Guards"), tr("Where")), tr("Filter frames"), parent)
        self.stretch_column(0)
        self.tree.itemClicked.connect(self._clicked)
        self.tree.itemActivated.connect(self._clicked)
        self.tree.itemExpanded.connect(self._expanded)

    def show_frames(self, capture: Capture) -> None:
        """Show the frames of a capture: what resumes after a break hangs under that break."""
        colors = current.colors()
        filling = _Filling(
            {item.id: item for item in capture.breaks},
            {stage.id: stage.node_count for stage in capture.stages},
        )
        self._calls.clear()
        self.tree.blockSignals(True)
        self.tree.clear()
        tops: list[QTreeWidgetItem] = []
        for frame in capture.frames:
            item, breaks = self._frame(frame, filling, colors)
            above = filling.resumed_at.get(frame.parent)
            filling.resumed_at[frame.id] = breaks[-1] if breaks else item
            if above is None:
                tops.append(item)
            else:
                above.addChild(item)
        self.tree.addTopLevelItems(tops)
        self.tree.expandAll()
        self.tree.scheduleDelayedItemsLayout()  # or each group that is folded would lay the tree out again
        for group, _ in self._calls.values():
            group.setExpanded(False)
            group.setChildIndicatorPolicy(QTreeWidgetItem.ChildIndicatorPolicy.ShowIndicator)
        self.tree.blockSignals(False)
        self.apply_filter()

    def apply_filter(self) -> None:
        """What is filtered for may be among calls that were not unfolded yet."""
        if self.field.text():
            for group, calls in self._calls.values():
                _unfold(group, calls)
        super().apply_filter()

    def _frame(
        self, frame: Frame, filling: "_Filling", colors: Colors
    ) -> tuple[QTreeWidgetItem, list[QTreeWidgetItem]]:
        """The row of a frame with what happened in it, and the rows of its breaks after which something resumed."""
        item = _row(
            _title(frame), "", str(frame.guards or ""), f"{frame.path.rpartition('/')[2]}:{frame.line}"
        )
        item.setData(0, LINE_ROLE, SourceLine(frame.path, frame.line, frame.name))
        item.setToolTip(2, f"{frame.path}:{frame.line}")
        inside = [
            _note(tr("Compiled again ({index}): {reason}").format(index=index, reason=reason), colors.warning)
            for index, reason in enumerate(frame.recompile_reasons, 1)
        ]
        inside += [
            _note(tr("Dynamo began again: {reason}").format(reason=reason), colors.dim_text)
            for reason in frame.restarts
        ]
        if frame.calls:
            inside.append(self._calls_of(frame, colors))
        if frame.graph:
            graph = _row(
                tr("Graph {id} with %n node(s)", None, filling.sizes.get(frame.graph, 0)).format(id=frame.id),
                colors.accent,
            )
            graph.setData(0, STAGE_ROLE, frame.graph)
            inside.append(graph)
        breaks = []
        for stopped in (filling.breaks[name] for name in frame.breaks if name in filling.breaks):
            row = _break(stopped, filling.breaks, colors)
            inside.append(row)
            if not stopped.skipped_frame:
                breaks.append(row)
        if frame.skip_reason:
            item.setForeground(0, QBrush(QColor(colors.dim_text)))
            words = describe_skip(frame.skip_reason, tell) or frame.skip_reason
            lost = colors.dim_text if nothing_to_compile(frame.skip_reason) else colors.warning
            inside.append(_note(tr("Skipped, runs eagerly: {words}").format(words=words), lost))
        if frame.error:
            inside.append(_note(tr("Failed: {error}").format(error=frame.error), colors.error))
        item.addChildren(inside)
        return item, breaks

    def _calls_of(self, frame: Frame, colors: Colors) -> QTreeWidgetItem:
        """The calls traced into a frame, folded; their rows are made when they are asked for."""
        count = sum(call.times for call in frame.calls if not call.refused)
        refused = sum(1 for call in frame.calls if call.refused)
        words = [tr("{calls} traced into it").format(calls=_calls(count))] if count else []
        words += [tr("{calls} not taken in").format(calls=_calls(refused))] if refused else []
        group = _row(", ".join(words), colors.dim_text)
        self._calls[id(group)] = (group, frame.calls)
        return group

    def _expanded(self, item: QTreeWidgetItem) -> None:
        if id(item) in self._calls:
            _unfold(*self._calls[id(item)])

    def _clicked(self, item: QTreeWidgetItem) -> None:
        if stage := item.data(0, STAGE_ROLE):
            self.stage_clicked.emit(stage)
        elif break_id := item.data(0, BREAK_ROLE):
            self.break_clicked.emit(break_id)
        elif line := item.data(0, LINE_ROLE):
            self.line_clicked.emit(line)


@dataclass
class _Filling:
    """What filling the tree goes by."""

    breaks: dict[str, GraphBreak]
    sizes: dict[StageId, int]
    resumed_at: dict[str, QTreeWidgetItem] = field(default_factory=dict)
    """Frame → the row under which what resumes it hangs."""


def _row(text: str, color: str = "", guards: str = "", where: str = "") -> QTreeWidgetItem:
    row = QTreeWidgetItem([text, guards, where])
    if color:
        row.setForeground(0, QBrush(QColor(color)))
    return row


def _note(text: str, color: str) -> QTreeWidgetItem:
    row = _row(text.strip().partition("\n")[0], color)
    row.setToolTip(0, text)
    return row


def _break(stopped: GraphBreak, breaks: dict[str, GraphBreak], colors: Colors) -> QTreeWidgetItem:
    reported = stopped.where
    line = tr(" at line {line}").format(line=reported.line) if reported is not None else ""
    where = f"{reported.path.rpartition('/')[2]}:{reported.line}" if reported is not None else ""
    row = _row(f"{heading(stopped, tell)}{line}: {describe(stopped, tell)}", colors.error, "", where)
    row.setData(0, BREAK_ROLE, stopped.id)
    cause = breaks.get(stopped.caused_by)
    because = (
        tr("\nBecause of: {describe}").format(describe=describe(cause, tell)) if cause is not None else ""
    )
    row.setToolTip(0, f"{stopped.kind} {stopped.registry_id}{because}\n\n{stopped.reason}")
    return row


def _calls(count: int) -> str:
    return tr("%n call(s)", None, count)


def _unfold(group: QTreeWidgetItem, calls: tuple[InlinedCall, ...]) -> None:
    """Make the rows of calls, each under its caller."""
    if group.childCount():
        return
    colors = current.colors()
    path: list[QTreeWidgetItem] = [group]
    for call in calls:
        del path[min(call.depth, len(path)) :]
        times = f" ×{call.times}" if call.times > 1 else ""
        nodes = tr(", %n node(s)", None, call.nodes) if call.nodes else ""
        said = tr(": not taken in, {refused}").format(refused=call.refused) if call.refused else nodes
        where = f"{call.caller_path.rpartition('/')[2]}:{call.caller_line}"
        row = _row(f"{call.name}{times}{said}", colors.warning if call.refused else "", "", where)
        row.setToolTip(0, f"{call.name}, {call.path}:{call.line}")
        row.setData(0, LINE_ROLE, SourceLine(call.caller_path, call.caller_line, call.name))
        path[-1].addChild(row)
        path.append(row)


def _title(frame: Frame) -> str:
    head, found, line = frame.name.rpartition("_at_")
    if found and line.isdigit():
        return tr("{value} resumes after line {line} ({id})").format(
            value=head.removeprefix("torch_dynamo_resume_in_"), line=line, id=frame.id
        )
    return f"{frame.name} ({frame.id})"
