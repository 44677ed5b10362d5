"""What a pane shows while it has nothing to show: what would be here, and how to get it."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QWidget

from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import Room, set_column


class EmptyState(QWidget):
    """A headline and a sentence or two in the middle of the pane."""

    def __init__(self, headline: str, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.headline = WrappedLabel(headline, self)
        font = self.headline.font()
        font.setPointSizeF(font.pointSizeF() * 1.15)
        font.setBold(True)
        self.headline.setFont(font)
        self.text = WrappedLabel(text, self)
        self.text.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        column = set_column(self, Room(2), margins=24)
        for label in (self.headline, self.text):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(label)
        column.addStretch(3)

    def show_text(self, headline: str, text: str = "") -> None:
        """Say something else."""
        self.headline.setText(headline)
        self.text.setText(text)
