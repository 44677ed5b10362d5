"""Naming the submodule or the operator that a part of a graph becomes."""

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from app.session.facade.session import Session
from app.theme import fonts
from app.translation.texts import tr
from app.widgets.form_dialog import FormDialog
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import set_column
from compiler.model.edits.edits import Edit, EditError
from compiler.model.ir.diagnostics import Problem
from compiler.model.protocol.messages import Preview

MakeRegion = Callable[[str], Edit]
"""From a name; raises EditError."""


class RegionDialog(FormDialog):
    """One field; what comes of it is tried before it is made."""

    def __init__(
        self, session: Session, title: str, about: str, name: str, make: MakeRegion, parent: QWidget
    ) -> None:
        super().__init__(title, parent, "region_dialog")
        self.setMinimumWidth(480)
        self._session, self._make = session, make
        note = WrappedLabel(about, self)
        note.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.line = QLineEdit(name, self)
        self.line.setFont(fonts.monospace())
        self.line.selectAll()
        self.state = WrappedLabel("", self)
        self.state.setMinimumHeight(2 * self.fontMetrics().height())
        self._add_buttons(tr("Make the edit"))
        set_column(self, note, QLabel(tr("Name"), self), self.line, self.state, self.buttons)
        self._edit: Edit | None = None
        self._try_soon = QTimer(self, interval=200, singleShot=True)
        self._try_soon.timeout.connect(self._try)
        self.line.textChanged.connect(self._on_name)
        self._on_name()
        self.line.setFocus()

    def _on_name(self) -> None:
        self._edit = None
        name = self.line.text().strip()
        try:
            self._edit = self._make(_checked(name))
        except EditError as error:
            self.state.say(str(error), "error")
            self._try_soon.stop()
        else:
            self.state.say(tr("Trying…"), "dim_text")
            self._try_soon.start()
        self.apply_button.setEnabled(self._edit is not None)

    def _try(self) -> None:
        edit = self._edit
        if edit is not None:
            self._session.asking.trial(edit, lambda answer: self._take(edit, answer))

    def _take(self, edit: Edit, answer: Preview | Problem) -> None:
        if not self._open or edit is not self._edit:
            return
        problems = (answer,) if isinstance(answer, Problem) else answer.problems
        if problems:
            self.state.say(problems[0].what, "error")
        else:
            self.state.say(tr("It works: every type is known."), "good")

    def _accept(self) -> None:
        edit = self._edit
        if edit is not None:
            self.accept()
            self._session.make_edit(edit)

    def _on_finished(self) -> None:
        super()._on_finished()
        self._try_soon.stop()


def _checked(name: str) -> str:
    if not name.isidentifier():
        raise EditError(tr("A name is letters, digits and _, and begins with a letter."))
    return name
