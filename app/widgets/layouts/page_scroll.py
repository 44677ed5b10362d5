"""A form that scrolls down where it is too long: never across, since the area is as wide as the form needs beside its bar."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QStyle, QWidget


class PageScroll(QScrollArea):
    """Asks for the width that its page needs, whatever the page shows by now."""

    def __init__(self, page: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(page)
        self._page = page
        page.installEventFilter(self)
        self._widen()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self._widen()
        return super().eventFilter(watched, event)

    def _widen(self) -> None:
        bar = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent, None, self)
        needed = self._page.minimumSizeHint().width() + bar
        if needed > self.minimumWidth():  # it gets no narrower again under one's hand
            self.setMinimumWidth(needed)
