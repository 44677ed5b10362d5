"""Every compile of a process: what it took, how often it was used, and why it was made."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush, QColor, QResizeEvent
from PySide6.QtWidgets import QTreeWidgetItem, QVBoxLayout, QWidget

from app.theme import current
from app.widgets.filter_tree import SORT_ROLE, FilterTree, SortableItem
from compiler.analysis.running.run_summary import CompileRow
from compiler.analysis.text_format.times import time_text

_ID, _NAME, _SECONDS, _KERNELS, _CALLS, _EACH, _WHY = range(7)
_COLUMNS = ("", "Compiled", "Compile", "Kernels", "Calls", "A call", "Why again, or why not")
_ROW_ROLE = int(Qt.ItemDataRole.UserRole)
_NARROW = 620
_TIPS = {
    _ID: "Torch's compile id: frame / which compile of it",
    _SECONDS: "Wall time of this compile; a backward that was compiled later is a bar of its own",
    _CALLS: "How often its graph was called so far",
    _EACH: "Mean of a call of its forward, without the first one",
    _WHY: "The guard that failed, in torch's words, or why it runs eagerly",
}


class CompileTable(QWidget):
    """A click leads to the compile in the other panes."""

    picked = Signal(object)
    """A CompileRow."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[CompileRow, ...] = ()
        self._filtered = FilterTree(_COLUMNS, "Filter compiles", self)
        self.tree = self._filtered.tree
        self.tree.setRootIsDecorated(False)
        self._filtered.stretch_column(_WHY)
        for column, tip in _TIPS.items():
            self.tree.headerItem().setToolTip(column, tip)
        column_box = QVBoxLayout(self)
        column_box.setContentsMargins(0, 0, 0, 0)
        column_box.addWidget(self._filtered)
        self.tree.itemClicked.connect(self._picked)
        self.tree.itemActivated.connect(self._picked)

    def show_rows(self, rows: tuple[CompileRow, ...]) -> None:
        """Show these. Rows that were there keep their place and what is selected: only what is new changes."""
        if [row.id for row in rows[: len(self.rows)]] != [row.id for row in self.rows]:
            self.tree.clear()
            self.rows = ()
        for index, row in enumerate(rows):
            if index < len(self.rows):
                item = self.tree.topLevelItem(index)
                if item is not None and self.rows[index] != row:
                    self._fill(item, row)
            else:
                item = SortableItem()
                self.tree.addTopLevelItem(item)
                self._fill(item, row)
        self.rows = rows
        self._filtered.apply_filter()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow dock the numbers of calls give way to the reason."""
        super().resizeEvent(event)
        for column in (_KERNELS, _CALLS):
            self.tree.setColumnHidden(column, self.width() < _NARROW)

    def _fill(self, item: QTreeWidgetItem, row: CompileRow) -> None:
        colors = current.colors()
        seconds, each = row.seconds or 0.0, row.microseconds
        texts = {
            _ID: row.id,
            _NAME: f"{row.name} ({row.path.rpartition('/')[2]}:{row.line})",
            _SECONDS: time_text(seconds * 1e9) if row.seconds is not None else "–",
            _KERNELS: f"{row.kernels:,}" if row.kernels else "–",
            _CALLS: f"{row.calls:,}" if row.calls else "–",
            _EACH: time_text(each * 1e3) if each is not None else "–",
            _WHY: row.why,
        }
        for column, text in texts.items():
            item.setText(column, text)
            item.setToolTip(column, _TIPS.get(column, ""))
        item.setToolTip(_NAME, f"{row.path}:{row.line}")
        item.setToolTip(_WHY, "\n".join(filter(None, (row.outcome or row.cause, row.caches))))
        numbers = {_SECONDS: seconds, _KERNELS: row.kernels, _CALLS: row.calls, _EACH: each or 0.0}
        for column, number in numbers.items():
            item.setData(column, SORT_ROLE, number)
            item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        color = colors.error if row.outcome else colors.text
        item.setForeground(_WHY, QBrush(QColor(color)))
        item.setData(_ID, _ROW_ROLE, row)

    def _picked(self, item: QTreeWidgetItem) -> None:
        row = item.data(_ID, _ROW_ROLE)
        if row is not None:
            self.picked.emit(row)
