"""A module that takes long to import, loaded off the window's thread, which goes on meanwhile."""

from contextlib import suppress
from importlib import import_module
from types import ModuleType

from PySide6.QtCore import QObject, Signal

from app.concurrency.one_thread import OneThread


class LateModule(QObject):
    """`begin` it when it may be wanted soon."""

    loaded = Signal()
    """It is there; told in the window's thread, once."""

    def __init__(self, name: str, parent: QObject) -> None:
        super().__init__(parent)
        self._name = name
        self._thread = OneThread(self)
        self._begun = False
        self.module: ModuleType | None = None
        """None until it is there."""

    def begin(self) -> None:
        """Load it, unless that was begun before."""
        if not self._begun:
            self._begun = True
            self._thread.run(self._load)

    def _load(self) -> None:
        self.module = import_module(self._name)
        with suppress(RuntimeError):  # the owner may be gone; then nobody waits for this
            self.loaded.emit()
