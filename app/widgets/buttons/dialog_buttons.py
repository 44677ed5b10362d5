"""The last row of a dialog: a button that does what it is for, and one that leaves it."""

from collections.abc import Callable

from PySide6.QtWidgets import QDialog, QDialogButtonBox


class DialogButtons(QDialogButtonBox):
    """`closes`: what the dialog is about is done by other means too, so leaving it cancels nothing."""

    def __init__(
        self, dialog: QDialog, text: str, accept: Callable[[], object], closes: bool = False
    ) -> None:
        super().__init__(dialog)
        leaving = QDialogButtonBox.StandardButton
        self.apply_button = self.addButton(text, QDialogButtonBox.ButtonRole.AcceptRole)
        self.addButton(leaving.Close if closes else leaving.Cancel)
        self.accepted.connect(accept)
        self.rejected.connect(dialog.reject)
