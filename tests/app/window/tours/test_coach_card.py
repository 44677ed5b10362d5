"""Where the card of a tour lies."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QWidget

from app.window.tours.coach_card import CoachCard, best_place

ROOM = QRect(12, 12, 1256, 776)
CARD = QRect(0, 0, 380, 220)


def overlap(first: QRect, second: QRect) -> int:
    both = first.intersected(second)
    return both.width() * both.height() if both.isValid() else 0


@pytest.mark.parametrize(
    "target",
    [QRect(0, 80, 200, 700), QRect(860, 80, 420, 380), QRect(860, 470, 420, 300), QRect(0, 56, 1280, 22)],
)
def test_it_lies_beside_what_it_is_about_where_there_is_room(target: QRect) -> None:
    assert overlap(best_place(CARD, target, ROOM), target) == 0


def test_it_covers_little_of_what_fills_the_window() -> None:
    target = QRect(0, 80, 1280, 700)
    placed = best_place(CARD, target, ROOM)
    assert placed.right() > 1200 or placed.left() < 40
    assert ROOM.contains(placed)


@given(st.integers(-50, 1300), st.integers(-50, 800), st.integers(1, 1280), st.integers(1, 800))
def test_it_is_always_whole(left: int, top: int, width: int, height: int) -> None:
    assert ROOM.contains(best_place(CARD, QRect(left, top, width, height), ROOM))


def test_words_of_a_tour_are_plain_text(qtbot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    card = CoachCard(window)
    card.show_texts("<b>t</b>", "`a < b` *c* <script> * and ` alone", "then")
    assert card.words.toPlainText().startswith("a < b c <script> * and ` alone")
    assert card.title.text() == "<b>t</b>"
