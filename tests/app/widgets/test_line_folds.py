"""Repetitions that are folded: one row stands for them, lines keep their numbers, and what is looked for opens them."""

import itertools

import pytest
from PySide6.QtCore import QPoint, Qt

from app.theme import current
from app.widgets.code_editor import CodeEditor
from compiler.analysis.repeated_text.repeated_lines import RepeatedLines

TEXT = "\n".join(f"value_{number} = call({number})" for number in range(1, 1001))
RUN = RepeatedLines(first=11, period=10, repeats=80)


@pytest.fixture
def editor(qtbot):
    made = CodeEditor()
    qtbot.addWidget(made)
    made.resize(700, 500)
    made.set_code(TEXT, "python")
    made.folds.set_runs((RUN,))
    with qtbot.waitExposed(made):
        made.show()
    return made


def seen(editor):
    return [line for line, _, _ in editor.visible_lines()]


def point_on(editor, line, x=60):
    return next(
        QPoint(x, round(top + height / 2)) for at, top, height in editor.visible_lines() if at == line
    )


def test_one_repetition_and_a_row_are_in_sight(editor):
    assert seen(editor)[:24] == [*range(1, 22), 811, 812, 813]
    assert editor.folds.row_on(21).last_line == 810
    assert editor.toPlainText() == TEXT
    assert editor.blockCount() == 1000


def test_lines_stand_where_they_are_painted(editor):
    rows = list(editor.visible_lines())
    for (_, top, height), (_, below, _) in itertools.pairwise(rows):
        assert below == pytest.approx(top + height)
    line, top, height = rows[22]
    assert editor.line_at(top + height / 2) == line == 812
    assert editor.cursorForPosition(QPoint(80, round(top + height / 2))).blockNumber() + 1 == 812


def test_the_end_can_be_scrolled_to(editor):
    bar = editor.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert seen(editor)[-1] == 1000
    assert bar.maximum() < 240


def test_a_click_on_the_row_unfolds_it_and_selects_nothing(editor, qtbot):
    clicked = []
    editor.line_clicked.connect(lambda line, keys: clicked.append(line))
    qtbot.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton, pos=point_on(editor, 21))
    assert seen(editor)[:24] == list(range(1, 25))
    assert not clicked
    assert editor.verticalScrollBar().maximum() > 900


def test_enter_on_the_row_unfolds_it(editor, qtbot):
    editor.go_to_line(21, reveal=False)
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert not editor.folds.row_on(21)


def test_the_sign_in_the_gutter_folds_again(editor, qtbot):
    editor.folds.unfold(editor.folds.row_on(21))
    gutter = editor._gutter
    x = next(
        x for x in range(gutter.width()) if gutter.fold_at(QPoint(x, point_on(editor, 11).y())) is not None
    )
    qtbot.mouseClick(gutter, Qt.MouseButton.LeftButton, pos=QPoint(x + 2, point_on(editor, 11).y()))
    assert seen(editor)[20:23] == [21, 811, 812]


def test_what_is_gone_to_opens_its_repetition_only(editor):
    editor.show_line(375)
    assert editor.is_line_visible(375)
    assert {370, 371, 380, 381} <= {*seen(editor), 370}
    rows = [(row.first, row.last) for row in editor.folds._rows.values()]
    assert sorted(rows) == [(1, 35), (37, 79)]
    editor.show_line(525)  # another: the one before is folded again
    assert sorted((row.first, row.last) for row in editor.folds._rows.values()) == [(1, 50), (52, 79)]


def test_what_a_person_unfolded_stays(editor):
    editor.folds.unfold(editor.folds.row_on(21))
    editor.folds.fold(RUN, 5)
    editor.show_line(65)
    editor.show_line(500)
    assert not editor.folds._rows


def test_a_glance_opens_nothing_and_says_which(editor):
    editor.set_outlined((), (375,))
    editor.show_line(editor.folds.line_seen(375), reveal=False)
    assert editor.folds.row_over(375).line == 21
    assert editor.folds.row_on(21).repetitions(editor.hovered) == [36]


def test_found_words_are_brought_into_sight(editor):
    editor.find_bar.open()
    editor.find_bar.field.setText("value_444 ")
    assert editor.is_line_visible(444)


def test_a_text_that_is_changed_is_whole(editor):
    editor.set_editable(True)
    assert not editor.folds.runs
    assert all(editor.document().findBlockByNumber(at).isVisible() for at in range(1000))


def test_another_text_has_nothing_folded(editor):
    editor.set_code(TEXT + "\nmore", "python")
    assert not editor.folds.runs
    assert seen(editor)[20:23] == [21, 22, 23]


def test_ticks_beside_the_bar_stand_among_lines_in_sight(editor):
    assert editor.folds.hidden_above() == 789
    assert editor.folds.ranks({5, 21, 400, 811}) == {5, 21, 22}


def test_the_row_is_painted_over_its_line(editor):
    row = next(row for row in editor.visible_lines() if row[0] == 21)
    picture = editor.viewport().grab().toImage()
    right = picture.width() - 12
    assert picture.pixelColor(right, round(row[1] + 2)).name() == current.colors().window
    assert picture.pixelColor(right, round(row[1] - 3)).name() == current.colors().panel
    beginning = {picture.pixelColor(x, round(row[1] + 6)).name() for x in range(4)}
    assert beginning == {current.colors().window}, "its own text is seen"
