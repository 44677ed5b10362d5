"""The frames as a story: frame, its graph, the break that ended it, the function that resumed after it."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import QTreeWidgetItem, QWidget

from app.theme import current
from app.widgets.filter_tree import FilterTree
from compiler.model.capture import Capture
from compiler.model.frames import Frame, GraphBreak
from compiler.model.graph import SourceLine
from compiler.model.ids import StageId

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
        super().__init__(("What happened", "Guards", "Where"), "Filter frames", parent)
        self.stretch_column(0)
        self.tree.itemClicked.connect(self._clicked)
        self.tree.itemActivated.connect(self._clicked)

    def show_frames(self, capture: Capture) -> None:
        """Show the frames of a capture."""
        self.tree.clear()
        breaks = {item.id: item for item in capture.breaks}
        sizes = {stage.id: stage.node_count for stage in capture.stages}
        rows: dict[str, QTreeWidgetItem] = {}
        for frame in capture.frames:
            above = rows.get(frame.parent, self.tree.invisibleRootItem())
            rows[frame.id] = self._add_frame(frame, above, breaks.get, sizes)
        self.tree.expandAll()
        self.apply_filter()

    def _add_frame(
        self,
        frame: Frame,
        above: QTreeWidgetItem,
        break_of: Callable[[str], GraphBreak | None],
        sizes: dict[StageId, int],
    ) -> QTreeWidgetItem:
        colors = current.colors()
        where = f"{frame.path.rpartition('/')[2]}:{frame.line}"
        item = QTreeWidgetItem(above, [_title(frame), str(frame.guards or ""), where])
        item.setData(0, LINE_ROLE, SourceLine(frame.path, frame.line, frame.name))
        item.setToolTip(2, f"{frame.path}:{frame.line}")
        for index, reason in enumerate(frame.recompile_reasons, 1):
            self._add_note(item, f"Compiled again ({index}): {reason}", colors.warning)
        for reason in frame.restarts:
            self._add_note(item, f"Dynamo began again: {reason}", colors.dim_text)
        if frame.skip_reason:
            self._add_note(item, f"Skipped, runs eagerly: {frame.skip_reason}", colors.warning)
        if frame.error:
            self._add_note(item, f"Failed: {frame.error}", colors.error)
        if frame.graph:
            graph = QTreeWidgetItem(item, [f"Graph {frame.id} with {sizes.get(frame.graph, 0)} nodes"])
            graph.setData(0, STAGE_ROLE, frame.graph)
            graph.setForeground(0, QBrush(QColor(colors.accent)))
        for break_id in frame.breaks:
            if (stopped := break_of(break_id)) is not None:
                line = f" at line {stopped.stack[-1].line}" if stopped.stack else ""
                row = QTreeWidgetItem(item, [f"Graph break{line}: {stopped.kind}"])
                row.setData(0, BREAK_ROLE, stopped.id)
                row.setForeground(0, QBrush(QColor(colors.error)))
                row.setToolTip(0, stopped.reason)
        return item

    def _add_note(self, item: QTreeWidgetItem, text: str, color: str) -> None:
        note = QTreeWidgetItem(item, [text.strip().partition("\n")[0]])
        note.setToolTip(0, text)
        note.setForeground(0, QBrush(QColor(color)))

    def _clicked(self, item: QTreeWidgetItem) -> None:
        if stage := item.data(0, STAGE_ROLE):
            self.stage_clicked.emit(stage)
        elif break_id := item.data(0, BREAK_ROLE):
            self.break_clicked.emit(break_id)
        elif line := item.data(0, LINE_ROLE):
            self.line_clicked.emit(line)


def _title(frame: Frame) -> str:
    head, found, line = frame.name.rpartition("_at_")
    if found and line.isdigit():
        return f"{head.removeprefix('torch_dynamo_resume_in_')} resumes after line {line} ({frame.id})"
    return f"{frame.name} ({frame.id})"
