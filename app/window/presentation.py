"""The window as a room sees it: larger text and graphs, more contrast, thicker lines, and a ring around the pointer."""

from PySide6.QtCore import QEvent, QObject, QPoint, QSettings, Qt, QTimer
from PySide6.QtGui import QColor, QCursor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QMainWindow, QWidget

from app.theme.current import colors
from app.window.theme_choice import ThemeChoice
from app.window.workspaces.workspaces import Workspaces

_RING = 60
_MS_PER_LOOK = 25


class Presentation(QObject):
    """On or off for each workspace, and remembered with it."""

    def __init__(self, workspaces: Workspaces, looks: ThemeChoice, window: QMainWindow) -> None:
        super().__init__(window)
        self._workspaces, self._looks = workspaces, looks
        self._ring = PointerRing(window)
        self.on = False
        workspaces.changed.connect(self._follow)

    def toggle(self) -> None:
        """Dress the workspace in front for a room, or as usual again."""
        QSettings().setValue(f"presenting/{self._workspaces.current}", "no" if self.on else "yes")
        self._follow()

    def _follow(self) -> None:
        wanted = QSettings().value(f"presenting/{self._workspaces.current}") == "yes"
        if wanted or self.on:
            self._workspaces.present(wanted)
        if wanted != self.on:
            self.on = wanted
            self._looks.present(wanted)
            self._ring.follow(wanted)


class PointerRing(QWidget):
    """A ring that goes with the pointer. Takes no clicks."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFixedSize(_RING, _RING)
        self.hide()
        self._timer = QTimer(self, interval=_MS_PER_LOOK)
        self._timer.timeout.connect(self._look)
        window.installEventFilter(self)
        self._wanted = False

    def follow(self, on: bool) -> None:
        """Go with the pointer, or rest."""
        self._wanted = on
        if on and self.window().isVisible():
            self._timer.start()
            self._look()
        else:
            self._timer.stop()
            self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A window that is not seen needs no ring."""
        if event.type() in (QEvent.Type.Show, QEvent.Type.Hide) and self._wanted:
            self.follow(True)
        return super().eventFilter(watched, event)

    def _look(self) -> None:
        pointer = self.window().mapFromGlobal(QCursor.pos())
        self.move(pointer - QPoint(_RING // 2, _RING // 2))
        inside = self.window().rect().contains(pointer)
        if inside != self.isVisible():
            self.setVisible(inside)
            self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A ring in the colour of what is pinned, with a pale middle."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        color = QColor(colors().pinned)
        painter.setPen(QPen(color, 3))
        color.setAlpha(40)
        painter.setBrush(color)
        painter.drawEllipse(self.rect().adjusted(3, 3, -3, -3))
