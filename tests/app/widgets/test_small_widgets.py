"""Links, legends, labels."""

from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QTextEdit, QVBoxLayout, QWidget

from app.theme import current
from app.theme.colors import DARK, LIGHT
from app.widgets.empty_state import EmptyState
from app.widgets.labels.elided_label import ElidedLabel
from app.widgets.labels.link_label import LinkLabel, RichText
from app.widgets.legend_strip import LegendEntry, LegendStrip


def test_links_are_numbers_and_text_is_escaped(qtbot):
    label = LinkLabel()
    qtbot.addWidget(label)
    label.set_content(RichText().text("<b>{x}</b> ").link("go", 7))
    assert label.plain() == "<b>{x}</b> go"
    assert label.toPlainText() == "<b>{x}</b> go"
    with qtbot.waitSignal(label.link_clicked) as clicked:
        label.anchorClicked.emit(QUrl("7"))
    assert clicked.args == [7]


def test_links_follow_the_theme(qtbot):
    label = LinkLabel()
    qtbot.addWidget(label)
    label.set_content(RichText().link("go", 0))
    assert LIGHT.accent in label.toHtml()
    try:
        current.set_colors(DARK)
        assert DARK.accent in label.toHtml()
    finally:
        current.set_colors(LIGHT)


def test_a_legend_takes_more_rows_in_less_room(qtbot):
    strip = LegendStrip()
    qtbot.addWidget(strip)
    strip.set_entries(tuple(LegendEntry(f"captured in graph {n}/0", "#ff0000", "stripe") for n in range(6)))
    assert strip.heightForWidth(300) > strip.heightForWidth(2000)


def test_one_entry_that_is_wider_than_its_legend_takes_rows(qtbot):
    strip = LegendStrip()
    qtbot.addWidget(strip)
    strip.set_entries((LegendEntry("whole compiled step; select kernels to see theirs", "#ff0000"),))
    assert strip.heightForWidth(150) > strip.heightForWidth(600)


def test_a_long_text_does_not_widen_its_label(qtbot):
    label = ElidedLabel("a" * 500)
    qtbot.addWidget(label)
    assert label.minimumSizeHint().width() < 100
    assert label.toolTip() == "a" * 500


def test_an_empty_state_can_say_something_else(qtbot):
    state = EmptyState("Nothing", "here")
    qtbot.addWidget(state)
    state.show_text("Still nothing")
    assert state.headline.text() == "Still nothing"
    assert state.text.text() == ""


def test_a_legend_has_room_for_all_its_rows_when_it_gets_narrow(qtbot):
    page = QWidget()
    qtbot.addWidget(page)
    legend = LegendStrip(page)
    column = QVBoxLayout(page)
    column.addWidget(legend)
    column.addWidget(QTextEdit(page))
    page.resize(1200, 400)
    page.show()
    legend.set_entries(tuple(LegendEntry(f"captured in graph {number}", "#3b6fb6") for number in range(4)))
    qtbot.wait(10)
    for width in (1200, 300, 1200):
        page.resize(width, 400)
        qtbot.wait(10)
        assert legend.height() == legend.heightForWidth(legend.width())
    assert legend.heightForWidth(300) > legend.heightForWidth(1200)
