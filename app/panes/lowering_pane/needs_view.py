"""Everything that one configuration of a kernel needs, beside what it needed before it was edited."""

from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import QFrame, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from app.theme import current
from app.translation.texts import tr
from app.widgets.bar_delegate import RoomyDelegate
from compiler.analysis.gpu.lowering_diff import INDENT, need_rows
from compiler.model.ir.lowered_kernel import Lowered

_WHAT, _BEFORE, _NOW = range(3)


class NeedsView(QTreeWidget):
    """Rows that changed are in the colour of edits."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("What the kernel needs"))
        self.setHeaderLabels([tr("What"), tr("Before"), tr("Now")])
        self.setUniformRowHeights(True)
        self.setRootIsDecorated(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setItemDelegate(RoomyDelegate(self))
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(_WHAT, QHeaderView.ResizeMode.ResizeToContents)
        for column in (_BEFORE, _NOW):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)

    def show_needs(self, before: Lowered | None, now: Lowered | None) -> None:
        """Show a configuration; `before` is the one it is compared with."""
        self.clear()
        self.setColumnHidden(_BEFORE, before is None)
        edited = QBrush(QColor(current.colors().edited))
        last: QTreeWidgetItem | None = None
        for row in need_rows(before, now) if now is not None else ():
            item = QTreeWidgetItem([row.what.strip(), row.before, row.after])
            for column in (_BEFORE, _NOW):
                item.setToolTip(column, item.text(column))
            if row.before and row.before != row.after:
                item.setForeground(_NOW, edited)
            if row.what.startswith(INDENT) and last is not None:
                last.addChild(item)
            else:
                self.addTopLevelItem(item)
                last = item
        self.expandAll()
