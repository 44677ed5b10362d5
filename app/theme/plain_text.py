"""Text of programs and files is shown as it is: Qt guesses markup from a text's looks, and obeys characters that turn it round.

The style sees every widget before it is shown, so this is done here for all labels, message boxes, tooltips, lists, menus and fields, also
for those that are written tomorrow. Who wants markup says so (`RichText`) and escapes what is not his own.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QEvent, QLocale, QObject, QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPalette
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QApplication,
    QLabel,
    QLineEdit,
    QProxyStyle,
    QStyle,
    QStyledItemDelegate,
    QStyleOption,
    QStyleOptionComboBox,
    QStyleOptionFrame,
    QStyleOptionMenuItem,
    QStyleOptionViewItem,
    QWidget,
)

from app.theme.drawn_text import draw_text, elided
from compiler.analysis.text_format.visible_text import hides_something, visible, visible_line

_LINE_END = "\u2028"
_TICKED = (QStyle.PrimitiveElement.PE_IndicatorCheckBox, QStyle.PrimitiveElement.PE_IndicatorRadioButton)
_DARK = 128
"""Of 255: the lightness of a ground below which edges are lighter than it."""


class VisibleDelegate(QStyledItemDelegate):
    """Cells whose hidden characters are written out. Every other delegate of ours is one of these."""

    def displayText(self, value: object, locale: QLocale | QLocale.Language) -> str:
        return super().displayText(visible(value) if isinstance(value, str) else value, locale)


class PlainTextStyle(QProxyStyle):
    """Fusion, with no markup where nobody asked for it, and boxes to tick that are seen on any ground."""

    def __init__(self) -> None:
        super().__init__("Fusion")
        self._labels, self._fields = _VisibleLabels(self), _VisibleFields(self)
        self._titles = _VisibleTitles(self)

    def polish(self, thing: QWidget | QApplication | QPalette) -> None:  # type: ignore[override]
        super().polish(thing)
        if isinstance(thing, QLabel):
            if thing.textFormat() in (Qt.TextFormat.AutoText, Qt.TextFormat.PlainText):
                thing.setTextFormat(Qt.TextFormat.PlainText)
                thing.installEventFilter(self._labels)
        elif isinstance(thing, QLineEdit):
            thing.installEventFilter(self._fields)
        elif isinstance(thing, QAbstractItemView) and _is_qts_own(thing.itemDelegate()):
            thing.setItemDelegate(VisibleDelegate(thing))
        if isinstance(thing, QWidget) and thing.isWindow():
            _write_title_out(thing)
            thing.installEventFilter(self._titles)

    def drawControl(
        self,
        element: QStyle.ControlElement,
        option: QStyleOption,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        """Rows of menus, of lists that combo boxes open, and of proposals: they do not come through `drawItemText`."""
        if isinstance(option, QStyleOptionViewItem):
            # Qt has written the ends of lines as separators by now; only so does it begin another one
            option.text = visible(option.text.replace(_LINE_END, "\n")).replace("\n", _LINE_END)
        elif isinstance(option, QStyleOptionMenuItem) and hides_something(option.text):
            option.text = visible(option.text)
        elif isinstance(option, QStyleOptionComboBox) and element is QStyle.ControlElement.CE_ComboBoxLabel:
            option.currentText = self._fitting(option, widget)
        super().drawControl(element, option, painter, widget)

    def drawPrimitive(
        self,
        element: QStyle.PrimitiveElement,
        option: QStyleOption,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        """Boxes to tick: Fusion draws their edge darker than what they lie on, which nobody sees on a dark ground."""
        if element in _TICKED and option.palette.color(QPalette.ColorRole.Window).lightness() < _DARK:
            palette = QPalette(option.palette)
            palette.setColor(QPalette.ColorRole.Window, palette.color(QPalette.ColorRole.PlaceholderText))
            option.palette = palette
        super().drawPrimitive(element, option, painter, widget)

    def _fitting(self, option: QStyleOptionComboBox, widget: QWidget | None) -> str:
        """What is chosen, with an ellipsis where its box is too narrow: Qt would cut through a letter."""
        field = QStyle.SubControl.SC_ComboBoxEditField
        box = self.subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, widget)  # type: ignore[arg-type]
        room = box.width() - 4 - (0 if option.currentIcon.isNull() else option.iconSize.width() + 4)
        return elided(option.fontMetrics, option.currentText, Qt.TextElideMode.ElideRight, room)

    def sizeFromContents(
        self,
        type: QStyle.ContentsType,  # noqa: A002  Qt's name
        option: QStyleOption,
        size: QSize,
        widget: QWidget | None = None,
    ) -> QSize:
        made = super().sizeFromContents(type, option, size, widget)  # type: ignore[arg-type]
        text = getattr(option, "text", "")
        if isinstance(text, str) and hides_something(text):
            width = option.fontMetrics.horizontalAdvance
            made.setWidth(made.width() + width(visible(text)) - width(text))
        return made

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
        shown = text if _Written.out else visible(text)
        super().drawItemText(painter, rect, flags, palette, enabled, shown, textRole)


class _Written:
    """Whether what is painted now was written out before, and then given places to break at."""

    out = False


@contextmanager
def written_out() -> Iterator[None]:
    """While a label is painted that looked for hidden characters itself."""
    _Written.out = True
    try:
        yield
    finally:
        _Written.out = False


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


class _VisibleTitles(QObject):
    """Writes out what a window's title hides: the desktop draws it, and obeys characters that turn it round."""

    def eventFilter(self, window: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.WindowTitleChange and isinstance(window, QWidget):
            _write_title_out(window)
        return False


def _write_title_out(window: QWidget) -> None:
    title = window.windowTitle()
    if (shown := visible_line(title)) != title:
        window.setWindowTitle(shown)


class _VisibleFields(QObject):
    """Paints a field of one line whose text hides something; the text stays what it is, whatever is typed or copied."""

    def eventFilter(self, field: QObject, event: QEvent) -> bool:
        if event.type() is not QEvent.Type.Paint or not isinstance(field, QLineEdit):
            return False
        if field.echoMode() is not QLineEdit.EchoMode.Normal or not hides_something(field.text()):
            return False
        option = QStyleOptionFrame()
        field.initStyleOption(option)
        painter = QPainter(field)
        style = field.style()
        style.drawPrimitive(QStyle.PrimitiveElement.PE_PanelLineEdit, option, painter, field)
        area = style.subElementRect(QStyle.SubElement.SE_LineEditContents, option, field).adjusted(
            2, 0, -2, 0
        )
        before, metrics = visible(field.text()[: field.cursorPosition()]), field.fontMetrics()
        cursor = metrics.horizontalAdvance(before)
        left = area.left() - max(cursor - area.width(), 0)
        painter.setClipRect(area)
        painter.setPen(field.palette().color(QPalette.ColorRole.Text))
        wide = QRect(left, area.top(), metrics.horizontalAdvance(visible(field.text())) + 2, area.height())
        draw_text(painter, wide, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, field.text())
        if field.hasFocus():
            painter.drawLine(left + cursor, area.top() + 2, left + cursor, area.bottom() - 2)
        painter.end()
        return True


def use_plain_text(app: QApplication) -> None:
    """Make it the style of the application, once."""
    if not isinstance(app.property("plain_text_style"), bool):
        app.setStyle(PlainTextStyle())
        app.setProperty("plain_text_style", True)
