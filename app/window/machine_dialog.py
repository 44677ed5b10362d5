"""Where programs run: here, or on another machine over the person's own ssh or another command."""

import os
from collections.abc import Callable

from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QRadioButton,
    QWidget,
)

from app.translation.texts import tr, tr_noop
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import Room, set_column
from compiler.remote.machine import ON, PYTHON, THROUGH, Machine, chosen

_ABOUT = tr_noop(
    "The engine is started on that machine, with the torch and the GPU there; the window stays here. Torch Loupe must be "
    "installed there too, in the Python that has torch. Programs are then named by their paths on that machine."
)


class MachineDialog(QDialog):
    """Three choices; what is not chosen keeps what was typed."""

    def __init__(self, then: Callable[[], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("machine_dialog")
        self.setWindowTitle(tr("Run on another machine"))
        self._then = then
        now = chosen()
        about = WrappedLabel(tr(_ABOUT), self)
        self.here = QRadioButton(tr("This computer"), self)
        self.ssh = QRadioButton(tr("Over ssh"), self)
        self.other = QRadioButton(tr("Through another command"), self)
        self.host = QLineEdit(now.host if now is not None else "", self)
        self.host.setPlaceholderText(tr("user@host, or a name of your ssh configuration"))
        self.through = QLineEdit(now.through if now is not None else "", self)
        self.through.setPlaceholderText("docker exec -i box")
        self.python = QLineEdit(now.python if now is not None else "python3", self)
        for field, name in (
            (self.host, tr("Host")),
            (self.through, tr("Command")),
            (self.python, tr("Python there")),
        ):
            field.setAccessibleName(name)
            field.textChanged.connect(self._check)
        choice = self.here if now is None else self.ssh if now.host else self.other
        choice.setChecked(True)
        form = QFormLayout()
        form.addRow(self.here)
        form.addRow(self.ssh, self.host)
        form.addRow(self.other, self.through)
        form.addRow(tr("Python there"), self.python)
        self.problem = WrappedLabel("", self)
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel, self
        )
        self.buttons.accepted.connect(self._accept)
        self.buttons.rejected.connect(self.reject)
        set_column(self, about, form, self.problem, Room(), self.buttons, spacing=10)
        for button in (self.here, self.ssh, self.other):
            button.toggled.connect(self._check)
        self.resize(560, self.sizeHint().height())
        self._check()

    def machine(self) -> Machine | None:
        """What is chosen; None for this computer."""
        if self.here.isChecked():
            return None
        python = self.python.text().strip() or "python3"
        if self.ssh.isChecked():
            return Machine(host=self.host.text().strip(), python=python)
        return Machine(through=self.through.text().strip(), python=python)

    def _check(self) -> None:
        machine, problem = self.machine(), ""
        if machine is not None:
            try:
                machine.command()
            except ValueError as error:
                problem = f"{error}."
        self.host.setEnabled(self.ssh.isChecked())
        self.through.setEnabled(self.other.isChecked())
        self.python.setEnabled(machine is not None)
        empty = machine is not None and not machine.name
        self.problem.setText("" if empty else problem)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(not problem)

    def _accept(self) -> None:
        machine = self.machine()
        if machine != chosen():
            for name in (ON, THROUGH, PYTHON):
                os.environ.pop(name, None)
            os.environ.update(machine.environment() if machine is not None else {})
            self._then()
        self.accept()
