"""What one types finds the thing of that very name first."""

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.window.filter_list import FilterList, FilterRow

ROWS = [
    FilterRow("arctanh", "torch.arctanh"),
    FilterRow("tanhshrink", "torch.nn.functional.tanhshrink"),
    FilterRow("tanh"),
]


def test_nearest_names_come_first(qtbot: QtBot) -> None:
    widget = FilterList("type")
    qtbot.addWidget(widget)
    widget.set_rows(ROWS)
    assert widget.shown == (0, 1, 2)
    qtbot.keyClicks(widget.line, "tanh")
    assert widget.shown == (2, 1, 0)
    with qtbot.waitSignal(widget.chosen) as chosen:
        qtbot.keyClick(widget.line, Qt.Key.Key_Return)
    assert chosen.args == [2]


def test_every_word_must_match(qtbot: QtBot) -> None:
    widget = FilterList("type")
    qtbot.addWidget(widget)
    widget.set_rows(ROWS)
    qtbot.keyClicks(widget.line, "functional tanh")
    assert widget.shown == (1,)
    qtbot.keyClicks(widget.line, " nothing")
    assert widget.shown == ()
    assert widget.current == -1
