"""Mouse and keyboard at random. What opens, dialogs and menus, is answered at random too, and closed in the end."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import shiboken6
from PySide6.QtCore import QObject, QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QFileDialog,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QWidget,
)

_ANSWER_MS = 60
_PATIENCE = 6
"""Answers until a dialog is refused."""
_KEYS = (
    *(getattr(Qt.Key, f"Key_{name}") for name in ("Up", "Down", "Left", "Right", "Return", "Escape", "Tab", "Space")),
    *(getattr(Qt.Key, f"Key_{name}") for name in ("Delete", "Backspace", "Home", "End", "PageUp", "PageDown", "F2", "F6")),
    *(getattr(Qt.Key, f"Key_{letter}") for letter in "ABCDEFGHIJKLMNOPRSTUVWXYZ"),
    *(getattr(Qt.Key, f"Key_{digit}") for digit in "0123456789"),
    Qt.Key.Key_Question, Qt.Key.Key_Slash, Qt.Key.Key_Plus, Qt.Key.Key_Minus, Qt.Key.Key_BracketLeft, Qt.Key.Key_BracketRight,
)  # fmt: skip
_MODIFIERS = (
    *(Qt.KeyboardModifier.NoModifier,) * 4,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
)
_TEXTS = (
    "relu", "gelu", "1", "0", "-1", "1e400", "x", "", " ", "model.py:3", "a b", "((", "[", "é∑", "torch.relu", "x" * 500, "8, 16", "None",
    "<b>x</b>", "%s{0}", "op:relu", "lambda: 1", "1/0", "dropout",
)  # fmt: skip
_LEAVES = {
    (Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier),
    (Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier),
}
"""Keys that end the sitting."""


def no_files(folder: Path) -> None:
    """Files are opened and written in the folder only, whatever is asked for."""
    written = 0

    def save(
        _parent: object, _title: str = "", proposed: str = "", kinds: str = "", *_: object
    ) -> tuple[str, str]:
        nonlocal written
        written += 1
        return str(folder / f"{written}-{Path(proposed or 'x').name}"), kinds.split(";;")[0]

    def open_one(*_: object) -> tuple[str, str]:
        files = sorted(path for path in folder.iterdir() if path.is_file())
        return (str(files[written % len(files)]) if files else "", "")

    QFileDialog.getSaveFileName = save  # type: ignore[method-assign, assignment]
    QFileDialog.getOpenFileName = open_one  # type: ignore[method-assign, assignment]
    QFileDialog.getOpenFileNames = lambda *_: ([open_one()[0]], "")  # type: ignore[method-assign, assignment]
    QFileDialog.getExistingDirectory = lambda *_: str(folder)  # type: ignore[method-assign, assignment]


class Hands(QObject):
    """One user's, with the numbers they throw."""

    def __init__(self, random: Random, window: QWidget, log: Callable[[str], None]) -> None:
        super().__init__(window)
        self._random, self._window, self._log = random, window, log
        self._answered: dict[int, int] = {}
        self._timer = QTimer(self, interval=_ANSWER_MS)
        self._timer.timeout.connect(self._answer)
        self._timer.start()

    def click(self) -> None:
        """Somewhere: left, right, twice, with a modifier."""
        widget = self._some_widget()
        if widget is None:
            return
        at = QPoint(
            self._random.randrange(max(widget.width(), 1)), self._random.randrange(max(widget.height(), 1))
        )
        self._log(f"click {_name(widget)} at {at.x()},{at.y()} of {widget.width()}×{widget.height()}")
        modifier = self._random.choice(_MODIFIERS[3:])
        match self._random.randrange(6):
            case 0:
                QTest.mouseDClick(widget, Qt.MouseButton.LeftButton, modifier, at)
            case 1:
                QTest.mouseClick(widget, Qt.MouseButton.RightButton, Qt.KeyboardModifier.NoModifier, at)
            case 2:
                self._drag(widget, at)
            case _:
                QTest.mouseClick(widget, Qt.MouseButton.LeftButton, modifier, at)

    def press(self) -> None:
        """A key, to what has the focus."""
        key, modifier = self._random.choice(_KEYS), self._random.choice(_MODIFIERS)
        if (key, modifier) in _LEAVES:
            return
        self._log(f"press {modifier.name}+{key.name}")
        QTest.keyClick(QApplication.focusWidget() or self._window, key, modifier)

    def type(self) -> None:
        """A text into what has the focus, where it takes one."""
        widget = QApplication.focusWidget()
        if isinstance(widget, QLineEdit | QPlainTextEdit):
            text = self._random.choice(_TEXTS)
            self._log(f"type {text[:20]!r} into {_name(widget)}")
            QTest.keyClicks(widget, text)
            if self._random.random() < 0.5:
                QTest.keyClick(widget, Qt.Key.Key_Return)

    def _drag(self, widget: QWidget, at: QPoint) -> None:
        QTest.mousePress(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
        for _ in range(3):
            at += QPoint(self._random.randint(-60, 60), self._random.randint(-60, 60))
            QTest.mouseMove(widget, at)
        QTest.mouseRelease(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)

    def _some_widget(self) -> QWidget | None:
        top = QApplication.activePopupWidget() or QApplication.activeModalWidget() or self._window
        shown = [child for child in top.findChildren(QWidget) if child.isVisible() and child.width() > 3]
        return self._random.choice(shown) if shown else None

    def _answer(self) -> None:
        popup = QApplication.activePopupWidget()
        if isinstance(popup, QMenu):
            self._choose(popup)
            return
        if popup is not None:
            self._log(f"close {_name(popup)}")
            popup.close()
            return
        dialog = QApplication.activeModalWidget()
        if dialog is None:
            self._answered.clear()
            return
        times = self._answered[_address(dialog)] = self._answered.get(_address(dialog), 0) + 1
        if times > _PATIENCE:
            self._log(f"close {_name(dialog)}")
            getattr(dialog, "reject", dialog.close)()
            return
        self._fill(dialog)

    def _soon(self, thing: QObject, do: Callable[[], None]) -> None:
        """After this timer's slot, in which it would not come again, unless the thing is gone by then."""
        QTimer.singleShot(0, self, lambda: do() if shiboken6.isValid(thing) else None)

    def _choose(self, menu: QMenu) -> None:
        actions = [action for action in menu.actions() if action.isEnabled() and not action.isSeparator()]
        self._answered[_address(menu)] = self._answered.get(_address(menu), 0) + 1
        if not actions or self._random.random() < 0.3 or self._answered[_address(menu)] > _PATIENCE:
            menu.close()
            return
        action = self._random.choice(actions)
        if (
            action.menu() is not None
            or "close_window" in action.objectName()
            or action.text().replace("&", "") == "Quit"
        ):
            menu.close()
            return
        self._log(f"choose {action.text()!r}")
        menu.close()
        self._soon(action, action.trigger)

    def _fill(self, dialog: QWidget) -> None:
        fields = [
            field
            for field in dialog.findChildren(QWidget)
            if field.isVisible()
            and field.isEnabled()
            and isinstance(field, QAbstractButton | QComboBox | QLineEdit | QPlainTextEdit)
        ]
        if not fields:
            return
        field = self._random.choice(fields)
        self._log(f"in {_name(dialog)}: {_name(field)}")
        match field:
            case QAbstractButton():
                self._soon(field, field.click)  # what it opens is to be answered too
            case QComboBox():
                field.setCurrentIndex(self._random.randrange(max(field.count(), 1)))
            case QLineEdit():
                field.setText(self._random.choice(_TEXTS))
                field.textEdited.emit(field.text())
            case QPlainTextEdit():
                QTest.keyClicks(field, self._random.choice(_TEXTS))


def _address(widget: QWidget) -> int:
    """What a widget of Qt's own is known by: each look at it makes another object of Python."""
    return int(shiboken6.getCppPointer(widget)[0])


def _name(widget: QWidget) -> str:
    said = (
        widget.text()
        if isinstance(widget, QAbstractButton)
        else widget.accessibleName() or widget.objectName()
    )
    return f"{type(widget).__name__}[{said[:30]}]"
