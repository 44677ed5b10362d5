"""Where the program is to stop, and what it waits at now."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QInputDialog, QMenu, QPushButton, QToolButton, QWidget

from app.translation.texts import tr
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import set_row
from compiler.analysis.running.format_run import stop_sentence
from compiler.model.protocol.run_events import BREAKS, GUARD, RunStopped


class StopBar(QWidget):
    """A menu of places, and while the program waits a sentence with a button."""

    wanted = Signal(tuple)
    """Where to stop from now on."""
    go_on = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._where: tuple[str, ...] = ()
        self.button = QToolButton(self)
        self.button.setText(tr("Stop at…"))
        self.button.setToolTip(tr("Let the program wait at a place, look at everything, then let it go on"))
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(tr("Stop at"), self)
        self.button.setMenu(self.menu)
        self.menu.aboutToShow.connect(self._fill)
        self.text = WrappedLabel("", self)
        self.proceed = QPushButton(tr("Continue"), self)
        self.proceed.setToolTip(tr("Let the program go on to the next place"))
        self.proceed.clicked.connect(self.go_on)
        set_row(self, (self.text, 1), self.proceed, self.button, margins=0)

    def show_state(self, title: str, where: tuple[str, ...], stopped: RunStopped | None) -> None:
        """Where it is to stop, and where it waits."""
        self._where = where
        self.proceed.setVisible(stopped is not None)
        self.button.setText(tr("Stop at… ({count})").format(count=len(where)) if where else tr("Stop at…"))
        self.text.setText(stop_sentence(title, stopped) if stopped is not None else "")

    def _fill(self) -> None:
        self.menu.clear()
        guards = {
            where: tr("a guard with {value}").format(value=where.removeprefix(GUARD))
            for where in self._where
            if where not in BREAKS
        }
        for where, words in (BREAKS | guards).items():
            action = QAction(words[0].upper() + words[1:], self.menu, checkable=True)
            action.setChecked(where in self._where)
            action.toggled.connect(lambda on, where=where: self._toggle(where, on))
            self.menu.addAction(action)
        self.menu.addSeparator()
        self.menu.addAction(tr("A guard with the text…"), self._ask_guard)

    def _toggle(self, where: str, on: bool) -> None:
        rest = tuple(other for other in self._where if other != where)
        self.wanted.emit((*rest, where) if on else rest)

    def _ask_guard(self) -> None:
        text, given = QInputDialog.getText(
            self, tr("Stop at a guard"), tr("A part of the guard that fails, as torch writes it:")
        )
        if given and text.strip():
            self._toggle(GUARD + text.strip(), on=True)
