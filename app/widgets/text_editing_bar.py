"""The bar below a code editor while its text is edited: what is wrong, and buttons; Ctrl+Enter applies, Esc gives up."""

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app.theme import current
from app.translation.texts import tr
from app.widgets.code_editor import CodeEditor
from app.widgets.gutter_marks import GutterMark
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import set_column
from app.widgets.line_notes import LineNote

_DELAY_MS = 150
Fault = tuple[int, int, str]
"""(line from 1, column from 0, what is wrong)."""


class TextEditingBar(QWidget):
    """Subclasses say what the text means: `check` reads it a moment after typing, `apply` does what it says."""

    def __init__(self, editor: CodeEditor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._editor = editor
        self.active = False
        """Whether the text is being edited."""
        self.state = WrappedLabel("", self)
        self.apply_button = QPushButton(tr("Apply"), self)
        self.apply_button.setToolTip(tr("Make the edits (Ctrl+Enter)"))
        self.cancel_button = QPushButton(tr("Cancel"), self)
        self.cancel_button.setToolTip(tr("Give up what was typed (Esc)"))
        self.buttons = QHBoxLayout()
        self.buttons.addStretch()
        self.buttons.addWidget(self.apply_button)
        self.buttons.addWidget(self.cancel_button)
        set_column(self, self.state, self.buttons, margins=(6, 3, 6, 3), spacing=3)
        self._check_soon = QTimer(self, interval=_DELAY_MS, singleShot=True)
        self._check_soon.timeout.connect(self.check)
        self.apply_button.clicked.connect(self.apply)
        self.cancel_button.clicked.connect(self.cancel)
        self.hide()

    def check(self) -> None:
        """Read the text as it is now and say what is wrong with it."""
        self._check_soon.stop()

    def apply(self) -> None:
        """Do what the text says."""

    def ended(self) -> None:
        """The text is to be shown as it was."""

    def cancel(self) -> None:
        """Give up what was typed."""
        if self.active:
            self._end()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._editor and isinstance(event, QKeyEvent):
            key, control = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            mine = key == Qt.Key.Key_Escape or (control and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter))
            if mine and event.type() is QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if mine and event.type() is QEvent.Type.KeyPress:
                (self.cancel if key == Qt.Key.Key_Escape else self.apply)()
                return True
        return super().eventFilter(watched, event)

    def _begin(self) -> None:
        self.active = True
        self._editor.set_editable(True)
        self._editor.set_outlined((), ())
        self._editor.set_dim_lines(frozenset())
        self._editor.textChanged.connect(self._on_text)
        self._editor.installEventFilter(self)
        self._editor.setFocus()
        self.show()
        self.check()

    def _end(self) -> None:
        self.active = False
        self._check_soon.stop()
        self._editor.removeEventFilter(self)
        self._editor.textChanged.disconnect(self._on_text)
        self._editor.set_editable(False)
        self._editor.set_underlined([])
        self.hide()
        self.ended()

    def _on_text(self) -> None:
        self.apply_button.setEnabled(False)
        self._check_soon.start()

    def _show_faults(self, faults: Iterable[Fault]) -> None:
        found, color = list(faults), current.colors().error
        self._editor.set_tints({})
        self._editor.set_stripes({})
        self._editor.set_marks([GutterMark(line, "cross", color, what) for line, _, what in found])
        self._editor.set_underlined([(line, column) for line, column, _ in found])
        self._editor.set_notes({line: (LineNote(what, color),) for line, _, what in found})
        if found:
            more = tr(" ({value} more)").format(value=len(found) - 1) if len(found) > 1 else ""
            self.state.say(
                tr("Line {value}: {value2}{more}").format(value=found[0][0], value2=found[0][2], more=more),
                "error",
            )
