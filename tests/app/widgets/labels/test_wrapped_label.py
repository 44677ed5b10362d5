"""Long names break where they are read as several words, and what is read, copied or looked through is what was set."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from app.theme.plain_text import PlainTextStyle
from app.widgets.labels.wrapped_label import WrappedLabel

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


def test_only_what_a_program_hides_is_written_out(qtbot, styled) -> None:
    label, plain = styled(WrappedLabel(_NAME)), styled(QLabel(_NAME))
    assert label.grab().toImage() == plain.grab().toImage()
    hiding = styled(WrappedLabel("at\u200btention" * 2))
    written = styled(QLabel("at⟨U+200B⟩tention" * 2))
    assert hiding.grab().toImage() == written.grab().toImage()


@pytest.fixture
def styled(qtbot):
    """A label wide enough for one line, in the style of the window."""
    style = PlainTextStyle()
    shown = []

    def show(label: QLabel) -> QLabel:
        qtbot.addWidget(label)
        label.setStyle(style)
        label.resize(900, 30)
        with qtbot.waitExposed(label):
            label.show()
        shown.append(label)
        return label

    yield show
    for label in shown:
        label.setStyle(None)  # before the style goes
