"""The way to the selected line, from the outermost call to the innermost: a button for each frame."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QToolButton, QWidget

from app.translation.texts import tr
from compiler.analysis.text_format.visible_text import visible_line
from compiler.model.ir.graph import SourceLine


class StackWalk(QScrollArea):
    """Hidden where the line is reached by no call. `chosen` is given the frame whose button was clicked."""

    def __init__(self, chosen: Callable[[SourceLine], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Calls that lead to the line"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._chosen = chosen
        self._shown: tuple[SourceLine, ...] = ()
        self.buttons: tuple[QToolButton, ...] = ()
        self._row = QWidget(self)
        self._layout = QHBoxLayout(self._row)
        self._layout.setContentsMargins(4, 0, 4, 0)
        self._layout.setSpacing(0)
        self._layout.addStretch()
        self.setWidget(self._row)
        self.hide()

    @property
    def frames(self) -> tuple[SourceLine, ...]:
        """Outermost first."""
        return self._shown

    def show_stack(self, frames: Sequence[SourceLine], current: SourceLine | None) -> None:
        """Show a way; `current` is the frame on show. A part of the way that is shown already is kept whole."""
        keys = [(frame.path, frame.line) for frame in frames]
        held = [(frame.path, frame.line) for frame in self._shown]
        if keys != held[: len(keys)] or not keys:
            self._shown = tuple(frames)
            self._fill()
        wanted = (current.path, current.line) if current is not None else keys[-1] if keys else None
        for frame, button in zip(self._shown, self.buttons, strict=True):
            button.setChecked((frame.path, frame.line) == wanted)
            if button.isChecked():
                self.ensureWidgetVisible(button)
        self.setVisible(len(self._shown) > 1)

    def _fill(self) -> None:
        for button in self.buttons:
            self._layout.removeWidget(button)
            button.deleteLater()
        made = []
        before = [None, *self._shown]
        for index, (outer, frame) in enumerate(pairwise(before)):
            assert frame is not None
            file = frame.path.rpartition("/")[2]
            same = outer is not None and outer.path == frame.path
            text = f":{frame.line}" if same else f"{file}:{frame.line}"
            button = QToolButton(self._row)
            button.setText(("› " if index else "") + visible_line(text).replace("&", "&&"))
            button.setAutoRaise(True)
            button.setCheckable(True)
            code = f"\n{visible_line(frame.text.strip())}" if frame.text else ""
            where = tr(" in {function}").format(function=frame.function) if frame.function else ""
            button.setToolTip(visible_line(f"{frame.path}:{frame.line}{where}") + code)
            button.setAccessibleName(tr("{file}, line {line}").format(file=file, line=frame.line))
            button.clicked.connect(lambda _=False, frame=frame: self._chosen(frame))
            self._layout.insertWidget(index, button)
            made.append(button)
        self.buttons = tuple(made)
        if made:
            self.setFixedHeight(made[0].sizeHint().height() + 2)
