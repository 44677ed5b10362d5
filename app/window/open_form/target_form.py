"""Choosing the program: a file and a name in it, ``package.module:Name``, or a ``config.json``."""

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QFormLayout,
    QLineEdit,
    QPushButton,
    QWidget,
)

from app.translation.texts import tr
from app.widgets.layouts.boxes import row_of
from app.window.own_files_dialog import names_in
from app.window.start.examples import brings_inputs, why_no_names
from compiler.model.capture.capturable_names import names_in_file
from compiler.model.capture.config_inputs import CONFIG, is_config
from compiler.remote.machine import chosen


class TargetForm(QWidget):
    """Names in a file are found by reading it; nothing is imported here."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.place = QLineEdit(self)
        self.place.setObjectName("target_place")
        self.place.setPlaceholderText(tr("model.py, package.module, or config.json of transformers"))
        self.browse = QPushButton(tr("Browse…"), self)
        self.browse.setAutoDefault(False)  # Enter captures, wherever one is in the dialog
        if (machine := chosen()) is not None:  # what a dialog would show is on this machine
            self.browse.setEnabled(False)
            self.browse.setToolTip(
                tr("The program is on {name}: type its path there").format(name=machine.name)
            )
        self.name = QComboBox(self)
        self.name.setObjectName("target_name")
        self.name.setEditable(True)
        row = row_of((self.place, 1), self.browse)
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.addRow(tr("File or module"), row)
        form.addRow(tr("Name"), self.name)
        self.own = QLineEdit(self)
        self.own.setObjectName("target_own")
        self.own.setPlaceholderText(tr("what is neither installed nor PyTorch's; add folders, packages"))
        self.own.setToolTip(
            tr(
                "Errors, breaks and guards are told of your own lines where there are any; later: File → Your files…"
            )
        )
        form.addRow(tr("Your files"), self.own)
        self.place.textChanged.connect(self._on_place)
        self.name.editTextChanged.connect(self.changed)
        self.browse.clicked.connect(self._browse)

    @property
    def target(self) -> str:
        """``file.py:Name`` or ``package.module:Name``; empty while something is missing."""
        place, name = self.place.text().strip(), self.name.currentText().strip()
        if self.is_config:
            return Path(place).name
        if not place or not name:
            return ""
        return f"{Path(place).name}:{name}" if place.endswith(".py") else f"{place}:{name}"

    @property
    def folder(self) -> str:
        """Where relative paths and module names start from."""
        place = Path(self.place.text().strip()).expanduser()
        return str(place.resolve().parent) if place.suffix in (".py", CONFIG) else str(Path.cwd())

    @property
    def is_config(self) -> bool:
        """Whether it is a configuration, which is a target by itself."""
        return is_config(self.place.text().strip())

    @property
    def mine(self) -> tuple[str, ...]:
        """Folders and packages that are the person's own as well."""
        return names_in(self.own.text())

    @property
    def problem(self) -> str:
        """Why no names of a file are offered; empty where there are some, and while a path is typed."""
        path = Path(self.place.text().strip()).expanduser()
        if (
            path.suffix != ".py"
            or self.name.count()
            or self.name.currentText().strip()
            or chosen() is not None
        ):
            return ""
        return why_no_names(path)

    @property
    def brings_inputs(self) -> bool:
        """Whether the file has inputs of its own, as far as can be told without running it."""
        path = Path(self.place.text().strip()).expanduser()
        return path.suffix != ".py" or brings_inputs(path)

    def set_target(self, path: str, name: str) -> None:
        """Fill the form."""
        self.place.setText(path)
        if name:
            self.name.setEditText(name)

    def _on_place(self, text: str) -> None:
        file, colon, name = text.strip().rpartition(":")
        if colon and file.endswith(".py"):  # as it is written on the command line, pasted into one field
            self.set_target(file, name)
            return
        path = Path(text.strip()).expanduser()
        names = names_in_file(path) if path.suffix == ".py" and path.is_file() else ()
        self.name.clear()
        self.name.addItems(names)
        self.name.setEnabled(not self.is_config)
        self.changed.emit()

    def _browse(self) -> None:
        start = self.place.text() or str(Path.cwd())
        path, _ = QFileDialog.getOpenFileName(
            self,
            tr("Choose a program"),
            start,
            tr("Programs, configurations (*.py *{config})").format(config=CONFIG),
        )
        if path:
            self.place.setText(path)
