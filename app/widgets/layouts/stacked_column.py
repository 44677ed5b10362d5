"""Bars above what has the rest of the room."""

from PySide6.QtWidgets import QVBoxLayout, QWidget


def stacked(*parts: QWidget) -> QWidget:
    """The parts from above to below, with nothing between; the last one takes the room that the others leave."""
    whole = QWidget()
    column = QVBoxLayout(whole)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for part in parts:
        column.addWidget(part, 1 if part is parts[-1] else 0)
    return whole
