"""Every recompile with all guards that failed, and two compiles beside each other."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush, QColor, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QStackedLayout,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.panes.guards_pane.comparing import differences, earlier_compiles
from app.session.captures.source_lines import short
from app.session.comparison.rows import Difference
from app.theme import current
from app.translation.texts import tr
from app.widgets.difference_tree import DifferenceTree
from app.widgets.empty_state import EmptyState
from app.widgets.filter_tree import FilterTree
from compiler.model.capture.capture import Capture
from compiler.model.capture.guards import RecompileRecord, TriedEntry

_NARROW = 900
_ID_ROLE = int(Qt.ItemDataRole.UserRole)
_LINE_ROLE = _ID_ROLE + 1


class RecompilePage(QWidget):
    """Left: what was compiled again and why. Right: what is different in it."""

    line_clicked = Signal(object)
    """A SourceLine."""
    place_clicked = Signal(object)
    """A Place: a node or a kernel that differs."""
    graphs_wanted = Signal(str, str)
    """Two compile ids."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._capture: Capture | None = None
        self.list = FilterTree((tr("Compiled again, since"), tr("Line")), tr("Filter recompiles"), self)
        self.list.stretch_column(0)
        self.before = QComboBox(self)
        self.before.setAccessibleName(tr("Compared compile"))
        self.after = QComboBox(self)
        self.after.setAccessibleName(tr("With this compile"))
        self.diff = DifferenceTree(self)
        self.diff.row_clicked.connect(self._row_clicked)
        top = QHBoxLayout()
        top.addWidget(QLabel(tr("Compare"), self))
        top.addWidget(self.before)
        top.addWidget(QLabel(tr("with"), self))
        top.addWidget(self.after)
        self.graphs = QPushButton(tr("Compare graphs"), self)
        self.graphs.setToolTip(
            tr("Lay the Dynamo graphs of both compiles beside each other, drawn and as text")
        )
        top.addWidget(self.graphs)
        top.addStretch(1)
        right = QWidget(self)
        column_of_diff = QVBoxLayout(right)
        column_of_diff.setContentsMargins(0, 0, 0, 0)
        column_of_diff.setSpacing(2)
        column_of_diff.addLayout(top)
        column_of_diff.addWidget(self.diff, 1)
        self._split = QSplitter(Qt.Orientation.Horizontal, self)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(self.list)
        self._split.addWidget(right)
        self._split.setSizes([420, 480])
        self.none = EmptyState(tr("No recompiles"), "", self)
        self._stack = QStackedLayout(self)
        self._stack.setContentsMargins(4, 4, 4, 0)
        self._stack.addWidget(self._split)
        self._stack.addWidget(self.none)
        self.list.tree.currentItemChanged.connect(self._compare_current)
        self.list.tree.itemClicked.connect(self._clicked)
        self.list.tree.itemActivated.connect(self._clicked)
        self.graphs.clicked.connect(
            lambda: self.graphs_wanted.emit(self.before.currentText(), self.after.currentText())
        )
        self.before.currentIndexChanged.connect(self._compare)
        self.after.currentIndexChanged.connect(self._compare)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow dock a click still leads to the line, whose name would leave no room for the reason."""
        super().resizeEvent(event)
        self.list.tree.setColumnHidden(1, self.width() < _NARROW)

    def show_capture(self, capture: Capture | None) -> None:
        """Show the recompiles of a capture."""
        self._capture = capture
        records = capture.recompiles if capture is not None else ()
        self._stack.setCurrentWidget(self._split if records else self.none)
        self.none.tell(*_nothing(capture))
        self.list.tree.clear()
        for record in records:
            self._add(record)
        self.list.apply_filter()
        if records:
            self.list.make_current(0)

    def _add(self, record: RecompileRecord) -> None:
        colors = current.colors()
        row = QTreeWidgetItem(self.list.tree, [f"{record.name} ({record.compile_id})"])
        row.setData(0, _ID_ROLE, (record.compile_id, ""))
        if record.note:
            QTreeWidgetItem(row, [record.note]).setData(0, _ID_ROLE, (record.compile_id, ""))
        for entry in record.entries:
            tried = QTreeWidgetItem(
                row,
                [
                    tr("{compile_id} did not fit: {how_many}").format(
                        compile_id=entry.compile_id, how_many=_how_many(entry)
                    )
                ],
            )
            tried.setData(0, _ID_ROLE, (record.compile_id, entry.compile_id))
            tried.setForeground(0, QBrush(QColor(colors.dim_text)))
            for failed in entry.failed:
                item = QTreeWidgetItem(tried, [failed.reason, short(failed.line)])
                item.setToolTip(
                    0,
                    tr("{kind} on {source}\n{code}\n{reason}").format(
                        kind=failed.kind, source=failed.source, code=failed.code, reason=failed.reason
                    ),
                )
                item.setForeground(1, QBrush(QColor(colors.accent)))
                item.setData(0, _ID_ROLE, (record.compile_id, entry.compile_id))
                item.setData(0, _LINE_ROLE, failed.line)
            if entry.note or not entry.failed:
                reported = QTreeWidgetItem(
                    tried, ["; ".join(entry.reasons) if not entry.failed else entry.note]
                )
                reported.setData(0, _ID_ROLE, (record.compile_id, entry.compile_id))
            tried.setExpanded(True)
        row.setExpanded(True)

    def _clicked(self, item: QTreeWidgetItem) -> None:
        line = item.data(0, _LINE_ROLE)
        if line is not None:
            self.line_clicked.emit(line)

    def _compare_current(self, item: QTreeWidgetItem | None) -> None:
        picked = item.data(0, _ID_ROLE) if item is not None else None
        if picked is None or self._capture is None:
            return
        compile_id, tried = picked
        ids = earlier_compiles(self._capture, compile_id)
        at = ids.index(compile_id) if compile_id in ids else len(ids) - 1
        wanted = (tried if tried in ids else ids[max(at - 1, 0)] if ids else "", compile_id)
        for combo, name in zip((self.before, self.after), wanted, strict=True):
            combo.blockSignals(True)
            combo.clear()
            combo.addItems(list(ids))
            combo.setCurrentIndex(combo.findText(name))
            combo.blockSignals(False)
        self._compare()

    def _compare(self) -> None:
        self.diff.clear()
        before, after = self.before.currentText(), self.after.currentText()
        if self._capture is None or not before or not after:
            return
        self.diff.show_groups(differences(self._capture, before, after), before, after)

    def _row_clicked(self, row: Difference) -> None:
        if row.location:
            self.place_clicked.emit(row.location)


def _how_many(entry: TriedEntry) -> str:
    count = len(entry.failed)
    return tr("%n guard(s) fail", None, count) if count else tr("no guard fails now")


def _nothing(capture: Capture | None) -> tuple[str, str]:
    if capture is None:
        return tr("No program captured yet"), tr("Frames that were compiled more than once are listed here.")
    return tr("No recompiles: every frame was compiled once"), tr(
        "The tester says which inputs would change that."
    )
