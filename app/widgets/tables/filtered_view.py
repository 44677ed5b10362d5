"""A tree or table below a field that filters it."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QLineEdit, QTreeView, QVBoxLayout, QWidget

from app.widgets.bar_delegate import RoomyDelegate


class FilteredView(QWidget):
    """How both look and what their keys do. What is shown, and what the field's text does to it, is the deriving class's.

    Without a placeholder there is no field: a table of five rows needs none. Where there is room for two rows or so, these need it more:
    the field comes with Ctrl+F.
    """

    _LOW = 4
    """Heights of the field."""

    def __init__(
        self, view: QTreeView, titles: Sequence[str], placeholder: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.field = QLineEdit(self)
        self.field.setPlaceholderText(placeholder)
        self.field.setClearButtonEnabled(True)
        if not placeholder:
            self.field.hide()
            self.field.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        view.setAccessibleName(", ".join(filter(None, titles)))
        view.setUniformRowHeights(True)
        view.setFrameShape(QTreeView.Shape.NoFrame)
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setItemDelegate(RoomyDelegate(view))
        view.header().setStretchLastSection(False)
        view.header().setTextElideMode(Qt.TextElideMode.ElideRight)
        self._box = box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(2 if placeholder else 0)
        self._gave_way = False
        """Whether the field is hidden for want of room, and not by whoever has this view."""
        self._top = QHBoxLayout()
        self._top.addWidget(self.field, 1)
        box.addLayout(self._top)
        box.addWidget(view)

    def put_next_to_filter(self, widget: QWidget) -> None:
        """Show a button in the filter's line."""
        self._top.addWidget(widget)

    def put_below(self, widget: QWidget) -> None:
        """Show a widget below the rows."""
        self._box.addWidget(widget)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_low = self.height() < self._LOW * self.field.sizeHint().height()
        if is_low and not self.field.isHidden() and not self.field.text():
            self._gave_way = True
            self.field.hide()
        elif not is_low:
            self._come_back()

    def _come_back(self) -> None:
        if self._gave_way:
            self._gave_way = False
            self.field.show()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+F goes to the field, Escape empties it."""
        if (
            event.key() == Qt.Key.Key_F
            and event.modifiers() == Qt.KeyboardModifier.ControlModifier
            and self.field.placeholderText()
        ):
            self._come_back()
            self.field.setFocus()
        elif event.key() == Qt.Key.Key_Escape and self.field.text():
            self.field.clear()
        else:
            super().keyPressEvent(event)
