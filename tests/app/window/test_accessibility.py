"""Everything that takes the keyboard has a name that a screen reader can say, in every pane; and Tab reaches it."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QSlider,
    QTabBar,
    QWidget,
)

_SPOKEN = (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QSlider,
)


def says(widget: QWidget) -> str:
    """What a screen reader has to go by: a name, a text, a placeholder or a buddy label."""
    texts = [widget.accessibleName()]
    for ask in ("text", "placeholderText", "title"):
        if hasattr(widget, ask):
            texts.append(getattr(widget, ask)())
    return next((text for text in texts if any(letter.isalpha() for letter in text)), "")


@pytest.mark.thorough
def test_everything_that_takes_the_keyboard_has_a_name(window, open_session):
    area = window.show_panes()
    nameless = []
    for name in area.panes:
        area.show_pane(name)
    for widget in window.findChildren(QWidget):
        inner = widget.objectName().startswith("qt_") or isinstance(widget, QTabBar)
        part = isinstance(widget.parentWidget(), (QComboBox, QAbstractSpinBox, QAbstractItemView))
        part = part or _in_popup(widget)
        if not isinstance(widget, _SPOKEN) or inner or part or widget.focusPolicy() is Qt.FocusPolicy.NoFocus:
            continue
        if not says(widget):
            path = []
            at: QWidget | None = widget
            while at is not None and at is not window:
                path.append(at.objectName() or type(at).__name__)
                at = at.parentWidget()
            nameless.append(" < ".join(path[:4]))
    assert not nameless, "\n".join(sorted(set(nameless)))


def _in_popup(widget: QWidget) -> bool:
    """The list that a combo box drops down: it speaks for the box."""
    holder = widget.parentWidget()
    return holder is not None and isinstance(holder.parentWidget(), QComboBox)
