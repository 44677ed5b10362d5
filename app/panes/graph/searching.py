"""Looks for what a query finds: in a large graph in another thread, and what was typed last only."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.concurrency.newest_work import NewestWork
from app.session.facade.prepared_stages import LARGE
from compiler.model.ir.ids import NodeId


class Searching(QObject):
    """Of one pane."""

    found = Signal(object)
    """The nodes, in order."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._work = NewestWork(parent=self)
        self._work.done.connect(lambda nodes: self.found.emit(nodes or ()))

    @property
    def busy(self) -> bool:
        """Whether somebody waits."""
        return self._work.busy

    def look(self, find: Callable[[], tuple[NodeId, ...]], among: int) -> None:
        """Find among so many nodes."""
        if among >= LARGE:
            self._work.start(find)
        else:
            self._work.cancel()
            self.found.emit(find())

    def cancel(self) -> None:
        """Nobody waits any more."""
        self._work.cancel()

    def stop(self) -> None:
        """Cancel, and wait for the thread; for when the pane goes away."""
        self._work.stop()
