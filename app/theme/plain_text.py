"""Text of programs and files is shown as it is: Qt guesses markup from a text's looks, and obeys characters that turn it round.

The style sees every widget before it is shown, so this is done here for all labels, message boxes, tooltips and lists, also
for those that are written tomorrow. Who wants markup says so (`RichText`) and escapes what is not his own.
"""

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPalette
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QApplication,
    QLabel,
    QProxyStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from compiler.analysis.text_format.visible_text import visible


class VisibleDelegate(QStyledItemDelegate):
    """Cells whose hidden characters are written out. Every other delegate of ours is one of these."""

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().initStyleOption(option, index)
        option.text = visible(option.text)


class PlainTextStyle(QProxyStyle):
    """Fusion, with no markup where nobody asked for it."""

    def __init__(self) -> None:
        super().__init__("Fusion")
        self._labels = _VisibleLabels(self)

    def polish(self, thing: QWidget | QApplication | QPalette) -> None:  # type: ignore[override]
        super().polish(thing)
        if isinstance(thing, QLabel):
            if thing.textFormat() is Qt.TextFormat.AutoText:
                thing.setTextFormat(Qt.TextFormat.PlainText)
                thing.installEventFilter(self._labels)
        elif isinstance(thing, QAbstractItemView) and _is_qts_own(thing.itemDelegate()):
            thing.setItemDelegate(VisibleDelegate(thing))

    def drawItemText(
        self,
        painter: QPainter,
        rect: QRect,
        flags: int,
        palette: QPalette | Qt.GlobalColor | QColor,
        enabled: bool,
        text: str,
        textRole: QPalette.ColorRole = QPalette.ColorRole.NoRole,  # noqa: N803  Qt's name
    ) -> None:
        """Buttons, boxes to tick, tabs and headers."""
        super().drawItemText(painter, rect, flags, palette, enabled, visible(text), textRole)


def _is_qts_own(delegate: QAbstractItemDelegate | None) -> bool:
    """Whether a list draws its cells as Qt does by itself; headers have no delegate, and those of combo boxes are their own."""
    return delegate is not None and delegate.metaObject().className() == "QStyledItemDelegate"


class _VisibleLabels(QObject):
    """Writes out what a label hides, just before it is painted: its text may have changed since it was polished."""

    def eventFilter(self, label: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Paint and isinstance(label, QLabel):
            text = label.text()
            if (shown := visible(text)) != text:
                label.setText(shown)
        return False


def use_plain_text(app: QApplication) -> None:
    """Make it the style of the application, once."""
    if not isinstance(app.property("plain_text_style"), bool):
        app.setStyle(PlainTextStyle())
        app.setProperty("plain_text_style", True)
