"""Which editor lines are opened in."""

from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QLabel, QWidget

from app.session.files.external_editor import CommandError, ExternalEditor, detected, split_command
from app.translation.texts import tr, tr_noop
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import set_column

_HINT = tr_noop(
    "{file} and {line} are filled in. Words are handed to the program as they are, without a shell; quote a path "
    "that has spaces. Empty: the first editor found."
)


class EditorDialog(QDialog):
    """One field, with the editors found on this computer to choose from."""

    def __init__(self, editor: ExternalEditor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Editor command"))
        self.setMinimumWidth(460)
        self._editor = editor
        self.field = QComboBox(self)
        self.field.setEditable(True)
        self.field.addItems(list(detected()))
        self.field.setCurrentText(editor.command)
        line = self.field.lineEdit()
        if line is not None:
            line.setPlaceholderText(next(iter(detected()), "code -g {file}:{line}"))
        self.hint = WrappedLabel(tr(_HINT), self)
        self.hint.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.fault = WrappedLabel("", self)
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel, self
        )
        set_column(
            self,
            QLabel(tr("Open lines with"), self),
            self.field,
            self.hint,
            self.fault,
            self.buttons,
            spacing=8,
        )
        self.fault.hide()
        self.buttons.accepted.connect(self._take)
        self.buttons.rejected.connect(self.reject)

    def _take(self) -> None:
        command = self.field.currentText().strip()
        try:
            if command:
                split_command(command, "/file.py", 1)
        except CommandError as error:
            self.fault.setText(tr("That cannot be used: {error}.").format(error=error))
            self.fault.show()
            return
        self._editor.command = command
        self.accept()
