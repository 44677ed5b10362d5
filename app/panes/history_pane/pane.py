"""Edits that can be stepped through, captures that can be shown, and the verdict of the one shown."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QResizeEvent
from PySide6.QtWidgets import QLabel, QSplitter, QTreeWidgetItem, QVBoxLayout, QWidget

from app.panes.history_pane.verdict_table import VerdictTable
from app.panes.history_pane.verdict_texts import right_text, speed_text, verdict_text
from app.session.session import Session
from app.theme import current
from app.widgets.filter_tree import FilterTree

_INDEX_ROLE = int(Qt.ItemDataRole.UserRole)


class HistoryPane(QWidget):
    """A click on an edit goes to the state right after it, by undoing or redoing what lies between."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("history_pane")
        self._session = session
        self.edits = FilterTree(("Edit", "State"), "Filter edits", self)
        self.edits.tree.setRootIsDecorated(False)
        self.edits.stretch_column(0)
        self.captures = FilterTree(("Capture", "Made in", "Right", "Speed"), "Filter captures", self)
        self.captures.field.hide()
        self.captures.tree.setRootIsDecorated(False)
        self.captures.stretch_column(0)
        self.verdict = VerdictTable(self)
        self._split = QSplitter(Qt.Orientation.Horizontal, self)
        lists = QSplitter(Qt.Orientation.Vertical)
        lists.addWidget(_titled("Edits", self.edits))
        lists.addWidget(_titled("Captures", self.captures))
        self._split.addWidget(lists)
        self._split.addWidget(_titled("Verdict of the capture shown", self.verdict))
        self._split.setSizes([400, 500])
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 4, 0)
        column.addWidget(self._split)
        self.edits.tree.itemClicked.connect(self._go_to_edit)
        self.edits.tree.itemActivated.connect(self._go_to_edit)
        self.captures.tree.itemClicked.connect(self._show_capture)
        self.captures.tree.itemActivated.connect(self._show_capture)
        session.edits_changed.connect(self.fill)
        session.capture_changed.connect(self.fill)
        session.verdict_changed.connect(self.fill)
        current.signals().changed.connect(self.fill)
        self.fill()

    def fill(self) -> None:
        """Show the session's edits, captures and verdict."""
        self._fill_edits()
        self._fill_captures()
        capture = self._session.capture
        nothing = "Edit the Dynamo graph or the post-grad graph and recompile: the results are judged here."
        if capture is not None and capture.parent:
            nothing = "This recompile was not judged."
        self.verdict.show_verdict(self._session.verdict, nothing)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Side by side in a wide dock, one above the other in a narrow one."""
        super().resizeEvent(event)
        wide = self.width() > 600
        self._split.setOrientation(Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical)

    def _fill_edits(self) -> None:
        stack, colors = self._session.undo_stack, current.colors()
        tree = self.edits.tree
        tree.clear()
        start = QTreeWidgetItem(["As captured", ""])
        start.setData(0, _INDEX_ROLE, 0)
        tree.addTopLevelItem(start)
        for index in range(stack.count()):
            command = stack.command(index)
            undone = index >= stack.index()
            state, color = self._state(index, undone)
            row = QTreeWidgetItem([command.text(), state])
            row.setToolTip(0, "Click to go back to right after this edit, or forward to it")
            row.setData(0, _INDEX_ROLE, index + 1)
            row.setForeground(1, QBrush(QColor(color)))
            if undone:
                row.setForeground(0, QBrush(QColor(colors.dim_text)))
                font = row.font(0)
                font.setStrikeOut(True)
                row.setFont(0, font)
            tree.addTopLevelItem(row)
        self.edits.make_current(stack.index())
        self.edits.apply_filter()

    def _state(self, index: int, undone: bool) -> tuple[str, str]:
        colors = current.colors()
        if undone:
            return "undone", colors.dim_text
        if self._session.edits[: index + 1] == self._session.compiled_edits[: index + 1]:
            return "compiled", colors.good
        return "not compiled", colors.edited

    def _fill_captures(self) -> None:
        tree, shown = self.captures.tree, self._session.capture
        tree.clear()
        for capture in self._session.captures:
            verdict = self._session.verdict_of(capture.id)
            speed = speed_text(verdict) if verdict is not None else ""
            right = right_text(verdict) if capture.parent else ""
            title = f"Recompile {tree.topLevelItemCount()}" if capture.parent else "As captured"
            row = QTreeWidgetItem([title, f"{capture.seconds:.1f} s", right, speed])
            row.setData(0, _INDEX_ROLE, capture.id)
            origin = f", made from {capture.parent}" if capture.parent else ""
            row.setToolTip(0, f"{capture.id} of {capture.spec.target.name}{origin}. Click to show it.")
            if verdict is not None:
                for column in (2, 3):
                    row.setToolTip(column, verdict_text(verdict))
            tree.addTopLevelItem(row)
            if shown is not None and capture.id == shown.id:
                font = row.font(0)
                font.setBold(True)
                row.setFont(0, font)
                tree.setCurrentItem(row)

    def _go_to_edit(self, item: QTreeWidgetItem) -> None:
        self._session.undo_stack.setIndex(item.data(0, _INDEX_ROLE))

    def _show_capture(self, item: QTreeWidgetItem) -> None:
        self._session.show_capture(item.data(0, _INDEX_ROLE))


def _titled(title: str, widget: QWidget) -> QWidget:
    box = QWidget()
    column = QVBoxLayout(box)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(2)
    label = QLabel(title, box)
    label.setMargin(4)
    font = label.font()
    font.setBold(True)
    label.setFont(font)
    column.addWidget(label)
    column.addWidget(widget, 1)
    return box
