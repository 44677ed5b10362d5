"""Setting what a node gives to a constant."""

from collections.abc import Callable

from PySide6.QtWidgets import QLineEdit, QWidget

from app.theme import current, fonts
from app.translation.texts import tr
from app.widgets.form_dialog import FormDialog
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import set_column
from compiler.model.ir.arguments import constant_from_text
from compiler.model.ir.graph import Node
from compiler.model.ir.tensor_types import TensorValue, describe


class ConstantDialog(FormDialog):
    """One field for the number; a tensor is filled with it."""

    def __init__(self, node: Node, then: Callable[[str], None], parent: QWidget) -> None:
        super().__init__(tr("Set {id} to a constant").format(id=node.id), parent, "constant_dialog")
        self.setMinimumWidth(420)
        self._then = then
        tensor = isinstance(node.value, TensorValue)
        what = (
            tr("every element of {describe}").format(describe=describe(node.value))
            if tensor
            else describe(node.value) or tr("its result")
        )
        note = WrappedLabel(
            tr("{id} no longer calls {target}: {what} becomes").format(
                id=node.id, target=node.target, what=what
            ),
            self,
        )
        self.line = QLineEdit(self)
        self.line.setFont(fonts.monospace())
        self.line.setPlaceholderText("0.0")
        self.fault = WrappedLabel("", self)
        self.fault.setStyleSheet(f"color: {current.colors().error}")
        self._add_buttons(tr("Make the edit"))
        set_column(self, note, self.line, self.fault, self.buttons)
        self.line.textChanged.connect(self._check)
        self._check()
        self.line.setFocus()

    def _check(self) -> None:
        fault = ""
        try:
            kind = constant_from_text(self.line.text()).kind
            if kind not in ("int", "float", "bool", "complex"):
                fault = tr("a {kind} is no number").format(kind=kind)
        except ValueError as error:
            fault = str(error)
        self.fault.setText(fault if self.line.text().strip() else "")
        self.apply_button.setEnabled(not fault)

    def _accept(self) -> None:
        text = self.line.text()
        self.accept()
        self._then(text)
