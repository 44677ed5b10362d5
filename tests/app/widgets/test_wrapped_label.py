"""Long names break where they are read as several words, and what is read, copied or looked through is what was set."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from app.widgets.wrapped_label import WrappedLabel
from compiler.analysis.text_format.visible_text import hides_something, visible

_NAME = "grad of model.body.attn_layers.layers.1.1.ff.0.0.q_proj.weight"


@pytest.mark.parametrize("text", [_NAME, "a" * 200, "torch[" + "x=1," * 30 + "]"])
def test_a_long_word_breaks(qtbot, text) -> None:
    label, plain = WrappedLabel(text), QLabel(text)
    plain.setWordWrap(True)
    for one in (label, plain):
        qtbot.addWidget(one)
    assert label.minimumSizeHint().width() <= 200 < plain.minimumSizeHint().width()
    assert label.text() == text


def test_what_can_be_copied_is_what_was_set(qtbot) -> None:
    label = WrappedLabel(_NAME)
    qtbot.addWidget(label)
    assert QLabel.text(label) != _NAME
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    assert QLabel.text(label) == _NAME
    label.setText("/" + _NAME)
    assert QLabel.text(label) == "/" + _NAME


def test_what_a_program_hides_is_told_from_what_we_put_in(qtbot) -> None:
    label = WrappedLabel(_NAME)
    qtbot.addWidget(label)
    assert not hides_something(label.text())  # by which labels are written out before they are painted
    label.setText(_NAME.replace("attn", "at\u200btn"))
    assert hides_something(label.text())
    label.setText(visible(label.text()))
    assert "at⟨U+200B⟩tn" in QLabel.text(label).replace("\u200b", "")
