"""Which installed packages and which folders are the user's own; another choice is another capture."""

from collections.abc import Callable

import msgspec
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QGroupBox,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from app.translation.texts import tr, tr_noop
from app.widgets.buttons.dialog_buttons import DialogButtons
from app.widgets.labels.wrapped_label import WrappedLabel
from compiler.analysis.text_format.visible_text import visible_line
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.ir.stage import SourceStage, StageKind

ABOUT = tr_noop(
    "Errors, graph breaks and guards are told of your own lines where there are any, and your files are listed first and "
    "loaded afresh for each capture. Yours is what is neither installed nor Python's nor PyTorch's, and what you name here."
)


class OwnFilesDialog(QDialog):
    """A switch for each package that the capture has files of, and a line for anything else."""

    def __init__(
        self, capture: Capture, then: Callable[[CaptureSpec], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("own_files_dialog")
        self.setWindowTitle(tr("Your files"))
        self._spec, self._then = capture.spec, then
        column = QVBoxLayout(self)
        about = WrappedLabel(tr(ABOUT), self)
        column.addWidget(about)
        mine = capture.spec.target.mine
        met = {
            stage.content.file.package: None
            for stage in capture.of_kind(StageKind.SOURCE)
            if isinstance(stage.content, SourceStage) and stage.content.file.package
        }
        box = QGroupBox(tr("Packages of this capture that are yours"), self)
        rows = QVBoxLayout(box)
        self.packages: dict[str, QCheckBox] = {}
        for name in met:
            self.packages[name] = QCheckBox(visible_line(name).replace("&", "&&"), box)
            self.packages[name].setChecked(name in mine)
            self.packages[name].toggled.connect(self._update)
            rows.addWidget(self.packages[name])
        box.setVisible(bool(met))
        column.addWidget(box)
        column.addWidget(QLabel(tr("Other folders and packages, separated by commas"), self))
        self.others = QLineEdit(", ".join(name for name in mine if name not in met), self)
        self.others.setPlaceholderText("~/work/layers, my_package")
        self.others.textChanged.connect(self._update)
        column.addWidget(self.others)
        column.addStretch(1)
        self.buttons = DialogButtons(self, tr("Capture again"), self._accept, closes=True)
        self.apply_button = self.buttons.apply_button
        column.addWidget(self.buttons)
        self.resize(560, self.sizeHint().height())
        self._update()

    def chosen(self) -> tuple[str, ...]:
        """The packages and folders that are the user's own."""
        ticked = [name for name, field in self.packages.items() if field.isChecked()]
        return (*ticked, *names_in(self.others.text()))

    def _update(self) -> None:
        self.apply_button.setEnabled(set(self.chosen()) != set(self._spec.target.mine))

    def _accept(self) -> None:
        self.accept()
        target = msgspec.structs.replace(self._spec.target, mine=self.chosen())
        self._then(msgspec.structs.replace(self._spec, target=target))


def names_in(text: str) -> tuple[str, ...]:
    """What is written in a line, separated by commas."""
    return tuple(dict.fromkeys(name for part in text.split(",") if (name := part.strip())))
