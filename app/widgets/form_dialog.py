"""A dialog that asks for one thing, or shows one answer, and is gone when it is left."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QWidget

from app.widgets.buttons.dialog_buttons import DialogButtons


class FormDialog(QDialog):
    """While it is ``_open`` it may be given answers; one that comes later is nobody's."""

    def __init__(self, title: str, parent: QWidget | None, name: str = "") -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._open = True
        self.finished.connect(self._on_finished)

    def _add_buttons(self, text: str) -> None:
        """Make the last row, with a button of this text that calls ``_accept``."""
        self.buttons = DialogButtons(self, text, self._accept)
        self.apply_button = self.buttons.apply_button

    def _accept(self) -> None:
        """Do what the dialog is for."""
        self.accept()

    def _on_finished(self) -> None:
        self._open = False
