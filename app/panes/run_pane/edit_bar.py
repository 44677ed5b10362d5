"""Edits that the running program runs with: what they did to its steps, and taking them back."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from app.translation.texts import tr, tr_noop
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import set_row
from compiler.analysis.running.edit_effects import EditEffect, effect_sentence

_HINT = tr_noop(
    "Its graphs can be edited while it runs: change a node, then Recompile; its next step runs it."
)


class EditBar(QWidget):
    """A sentence with a button; a hint where nothing was edited yet."""

    take_back = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = WrappedLabel("", self)
        self.button = QPushButton(tr("Take back"), self)
        self.button.setToolTip(tr("Let the program run what it compiled by itself, from its next step on"))
        self.button.clicked.connect(self.take_back)
        set_row(self, (self.text, 1), self.button, margins=0)

    def show_state(self, effects: tuple[EditEffect, ...], editable: bool, busy: bool) -> None:
        """The last change, while the program can be edited or once it was."""
        self.setVisible(editable or bool(effects))
        self.text.setText(effect_sentence(effects[-1]) if effects else tr(_HINT))
        self.button.setVisible(editable and bool(effects) and bool(effects[-1].edit.edits))
        self.button.setEnabled(not busy)
