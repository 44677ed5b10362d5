"""A line whose hidden characters are written out has the colours of its language, and what is seen of it is what is meant."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage, QTextCursor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.theme import current
from app.widgets.code_editor import CodeEditor
from app.widgets.hidden_text import HiddenLine
from app.widgets.syntax_highlighter import syntax_colors
from compiler.analysis.text_format.visible_text import visible

_LINE = "if a != '\u202euser\u2066' + '😀\u200b':  # z"
_TEXT = f"x = 1\n{_LINE}\ny = 2"


@pytest.fixture
def editor(qtbot: QtBot) -> CodeEditor:
    made = CodeEditor()
    qtbot.addWidget(made)
    made.resize(900, 120)
    made.set_code(_TEXT, "python")
    made.show()
    qtbot.waitExposed(made)
    made.setFocus()
    return made


def _line(editor: CodeEditor) -> HiddenLine:
    return HiddenLine(editor.document().findBlockByNumber(1), editor.font())


def _ink(picture: QImage, editor: CodeEditor, xs: range) -> Iterator[QColor]:
    """The colours of the second line, between two places from the text's left edge."""
    (_, top, height) = list(editor.visible_lines())[1]
    corner = editor.viewport().geometry().topLeft()
    for x in xs:
        for y in range(int(top), int(top + height)):
            yield picture.pixelColor(corner.x() + 4 + x, corner.y() + y)


def _near(color: QColor, other: str) -> bool:
    wanted = QColor(other)
    return (
        max(abs(a - b) for a, b in zip(color.getRgb()[:3], wanted.getRgb()[:3], strict=True)) < 40  # smoothed
    )


def _places(editor: CodeEditor, first: int, last: int) -> range:
    line = _line(editor)
    return range(int(line.x_of(first)), int(line.x_of(last)))


def test_letters_have_the_colours_of_the_language_and_what_is_written_out_a_warnings(
    editor: CodeEditor,
) -> None:
    picture = editor.grab().toImage()
    kinds = syntax_colors(current.colors())
    for first, last, color in (
        (0, 2, kinds["keyword"]),
        (10, 14, kinds["string"]),
        (9, 10, current.colors().warning),
        (14, 15, current.colors().warning),
    ):
        seen = list(_ink(picture, editor, _places(editor, first, last)))
        assert any(_near(pixel, color) for pixel in seen), (first, last)
        others = {kinds["keyword"], kinds["string"], current.colors().warning} - {color}
        assert not any(_near(pixel, other) for pixel in seen for other in others), (first, last)


def test_characters_stand_where_they_are_seen(editor: CodeEditor) -> None:
    line, units = _line(editor), len(_LINE.encode("utf-16-le")) // 2
    xs = [line.x_of(index) for index in range(units + 1)]
    assert xs == sorted(xs)
    letter = editor.fontMetrics().horizontalAdvance("x")
    assert xs[10] - xs[9] == pytest.approx(letter * len(visible("\u202e")), abs=letter)
    middle = _LINE.index("😀") + 1
    for index, x in enumerate(xs):
        if index not in (middle, middle + 1):
            assert line.index_at(x + 0.1) == index


@pytest.mark.parametrize("column", [0, 5, 9, 10, 12, 14, 15, 16])
def test_a_click_puts_the_cursor_where_it_is_seen(editor: CodeEditor, column: int) -> None:
    (_, top, height) = list(editor.visible_lines())[1]
    x = editor.contentOffset().x() + editor.document().documentMargin() + _line(editor).x_of(column)
    at = QPoint(round(x) + 1, round(top + height / 2))
    QTest.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    assert editor.textCursor().blockNumber() == 1
    assert editor.textCursor().positionInBlock() == column


def test_the_cursor_is_drawn_where_the_next_letter_goes(editor: CodeEditor) -> None:
    pictures = []
    for column in (15, 16):
        cursor = QTextCursor(editor.document().findBlockByNumber(1))
        cursor.setPosition(cursor.position() + column)
        editor.setTextCursor(cursor)
        editor.grab()  # the first picture learns whose the cursor is
        pictures.append(editor.grab().toImage())
    assert editor.cursorWidth() == 0
    width = _places(editor, 0, 30)
    changed = {
        index // len(list(_ink(pictures[0], editor, range(1))))
        for index, (a, b) in enumerate(
            zip(_ink(pictures[0], editor, width), _ink(pictures[1], editor, width), strict=True)
        )
        if a != b
    }  # columns; Qt's own cursor has a mark of its direction, elsewhere
    ends = [_line(editor).x_of(column) for column in (15, 16)]
    assert changed, ends
    assert all(min(abs(x - end) for end in ends) <= 2 for x in changed), (sorted(changed), ends)
    editor.go_to_line(1)
    editor.grab()
    assert editor.cursorWidth() == 1


def test_what_is_selected_is_what_is_seen_selected(editor: CodeEditor) -> None:
    block = editor.document().findBlockByNumber(1)
    cursor = QTextCursor(block)
    cursor.setPosition(block.position() + 10)
    cursor.setPosition(block.position() + 14, QTextCursor.MoveMode.KeepAnchor)
    editor.setTextCursor(cursor)
    editor.grab()
    picture = editor.grab().toImage()
    highlight = editor.palette().highlight().color().name()
    (low, high) = (_places(editor, 10, 14).start, _places(editor, 10, 14).stop)
    seen = [
        x
        for x in _places(editor, 0, 40)
        if sum(_near(pixel, highlight) for pixel in _ink(picture, editor, range(x, x + 1))) > 4
    ]
    assert seen
    assert low - 1 <= min(seen) <= low + 2
    assert high - 3 <= max(seen) <= high + 1


def test_of_a_very_long_line_the_beginning_is_seen(editor: CodeEditor) -> None:
    editor.set_code("\u202e" * 50_000 + "end", "python")
    editor.grab()
    line = HiddenLine(editor.document().firstBlock(), editor.font())
    letter = editor.fontMetrics().horizontalAdvance("x")
    assert 19_000 * letter < line.width < 21_000 * letter
    assert line.x_of(50_003) == line.x_of(49_000) > line.x_of(2000)
    assert editor.toPlainText().endswith("end")
