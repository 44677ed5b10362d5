"""A file that is dropped on the window is opened, as *Open file…* and *Open model…* open it."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, QTimer
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QWidget


class FileDrops(QObject):
    """Watches a window for files from outside; what is dragged within it, such as text, is left alone."""

    def __init__(self, window: QWidget, open_path: Callable[[Path], None]) -> None:
        super().__init__(window)
        self._open = open_path
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QDragEnterEvent | QDragMoveEvent | QDropEvent):
            path = _file_in(event.mimeData())
            if path is None:
                return False
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
            if event.type() is QEvent.Type.Drop:  # the drag is over first: questions may follow
                QTimer.singleShot(0, self, lambda: self._open(path))
            return True
        return super().eventFilter(watched, event)


def _file_in(data: QMimeData) -> Path | None:
    """The one file that is dragged; several cannot be open."""
    urls = data.urls()
    path = Path(urls[0].toLocalFile()) if len(urls) == 1 and urls[0].isLocalFile() else None
    return path if path is not None and path.is_file() else None
