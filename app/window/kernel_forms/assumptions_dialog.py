"""What was assumed of an absent GPU, each with its switch; another choice is another capture."""

from collections.abc import Callable
from pathlib import Path

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QDialog, QLabel, QPushButton, QVBoxLayout, QWidget

from app.theme import current, fonts
from app.translation.compiler_texts import translate_fixed_text
from app.translation.texts import lines_more, tr, tr_noop
from app.widgets.buttons.dialog_buttons import DialogButtons
from app.widgets.labels.wrapped_label import WrappedLabel
from app.window import questions
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.capture.gpu_assumptions import PADDING, TITLES, Assumed, Assumption, options_for
from compiler.model.capture.padding_record import format_padding, is_record, read_record

_ABOUT = tr_noop(
    "The GPU itself would decide these by measuring, or in CUDA's C++. Another choice is captured in place of this one; the "
    "bar above the panes says what it changes."
)
_MOST_LINES = 3


class AssumptionsDialog(QDialog):
    """One switch for each kind of decision that this capture met."""

    def __init__(
        self, capture: Capture, then: Callable[[CaptureSpec], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Assumptions"))
        self._spec = capture.spec
        self._then = then
        self.fields: dict[str, QComboBox] = {}
        column = QVBoxLayout(self)
        column.addWidget(_label(tr(_ABOUT), self))
        met: dict[str, list[Assumed]] = {}
        for row in capture.assumed:
            met.setdefault(row.what, []).append(row)
        for what, rows in met.items():
            title = _label(translate_fixed_text(TITLES.get(what, what)), self)
            title.setFont(fonts.interface(bold=True))
            column.addWidget(title)
            words = list(dict.fromkeys(row.words for row in rows))
            shown = (*words[:_MOST_LINES], *lines_more(len(words) - _MOST_LINES))
            reported = _label("\n".join(shown), self)
            reported.setStyleSheet(f"color: {current.colors().dim_text}")
            column.addWidget(reported)
            options = options_for(what, capture.assumed)
            if options:
                column.addWidget(self._field(what, options))
            if what == PADDING:
                self.record_button = QPushButton(tr("As torch recorded on a GPU…"), self)
                self.record_button.clicked.connect(self._choose_record)
                column.addWidget(self.record_button, 0, Qt.AlignmentFlag.AlignLeft)
                self.refused = _label("", self)
                self.refused.hide()
                column.addWidget(self.refused)
        column.addStretch(1)
        self.buttons = DialogButtons(self, tr("Capture again"), self._accept, closes=True)
        self.apply_button = self.buttons.apply_button
        column.addWidget(self.buttons)
        self.resize(620, self.sizeHint().height())
        self._update()

    def _field(self, what: str, options: tuple[tuple[str, str], ...]) -> QComboBox:
        field = self.fields[what] = QComboBox(self)
        field.setAccessibleName(translate_fixed_text(TITLES.get(what, what)))
        field.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        for value, words in options:
            field.addItem(translate_fixed_text(words), value)
        now = dict(self._spec.assume).get(what, "")
        if what == PADDING and is_record(now):
            field.addItem(format_padding(now), now)
        field.setCurrentIndex(max(field.findData(now), 0))
        field.currentIndexChanged.connect(self._update)
        return field

    def _choose_record(self) -> None:
        if (path := questions.torchs_record(self)) is not None:
            self.take_record(path)

    def take_record(self, path: Path) -> None:
        """Choose what this file says, or say why it cannot be."""
        try:
            value = read_record(path)
        except ValueError as error:
            self.refused.setText(str(error))
            self.refused.show()
            return
        self.refused.hide()
        field = self.fields[PADDING]
        if field.findData(value) < 0:
            field.addItem(format_padding(value), value)
        field.setCurrentIndex(field.findData(value))

    def chosen(self) -> tuple[Assumption, ...]:
        """What differs from what is assumed by itself."""
        others = {what: value for what, value in self._spec.assume if what not in self.fields}
        here = {what: str(field.currentData()) for what, field in self.fields.items() if field.currentData()}
        return tuple(sorted({**others, **here}.items()))

    def _update(self) -> None:
        self.apply_button.setEnabled(self.chosen() != tuple(sorted(self._spec.assume)))

    def _accept(self) -> None:
        self.accept()
        self._then(msgspec.structs.replace(self._spec, assume=self.chosen()))


def _label(text: str, parent: QWidget) -> QLabel:
    return WrappedLabel(text, parent)
