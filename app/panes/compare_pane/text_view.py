"""The programs of both sides, line beside line."""

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QScrollBar, QWidget

from app.panes.compare_pane.places import Places
from app.panes.compare_pane.text_delegate import TextDelegate
from app.panes.compare_pane.text_rows import TextRows
from app.session.comparison.compare_job import Compared
from app.translation.texts import tr
from app.widgets.layouts.boxes import set_column
from compiler.model.ir.ids import NodeId

_NARROW = 660
"""Below this width two columns would show little but the beginnings of lines."""


class TextView(QWidget):
    """A click selects the node of a line, or opens a stretch of equal lines."""

    nodes_clicked = Signal(object)
    """Names in the merged drawing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = TextRows()
        self.list = QListView(self)
        self.list.setAccessibleName(tr("Programs, line beside line"))
        self.list.setUniformItemSizes(True)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.setModel(self.rows)
        self.delegate = TextDelegate(self.rows, self.list)
        self.list.setItemDelegate(self.delegate)
        self.shift = QScrollBar(Qt.Orientation.Horizontal, self)
        self.shift.setAccessibleName(tr("Move the lines sideways"))
        set_column(self, (self.list, 1), self.shift, margins=0, spacing=0)
        self.shift.valueChanged.connect(self._on_shift)
        self.list.clicked.connect(self._on_click)
        self.list.activated.connect(self._on_click)
        self._longest = 0

    def show_compared(self, compared: Compared | None, places: Places, fold: bool) -> None:
        """Show another comparison, or the same with its equal lines folded or not."""
        self.rows.show(compared, places, fold)
        texts = compared.texts if compared is not None else ()
        self._longest = max((len(line) for text in texts for line in text.text.split("\n")), default=0)
        self._set_range()

    def set_pinned(self, nodes: frozenset[NodeId]) -> None:
        """Mark the lines of these nodes."""
        if nodes != self.delegate.pinned:
            self.delegate.pinned = nodes
            self.list.viewport().update()

    def reveal(self, number: int) -> None:
        """Bring a row of the comparison into view."""
        index = self.rows.index(self.rows.row_of(number))
        self.list.setCurrentIndex(index)
        self.list.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._set_range()

    def _set_range(self) -> None:
        self.rows.stack(self.width() < _NARROW)
        half = self.width() if self.rows.stacked else self.width() / 2
        beyond = round(self.delegate.text_width(self._longest) - half)
        self.shift.setPageStep(round(half))
        self.shift.setSingleStep(24)
        self.shift.setRange(0, max(beyond, 0))
        self.shift.setVisible(beyond > 0)

    def _on_shift(self, value: int) -> None:
        self.delegate.shift = float(value)
        self.list.viewport().update()

    def _on_click(self, index: QModelIndex) -> None:
        line = self.rows.line(index.row())
        if line.hidden:
            at = self.list.verticalScrollBar().value()
            self.rows.open(line)
            self.list.verticalScrollBar().setValue(at)
        else:
            self.nodes_clicked.emit(self.rows.nodes(line))
