"""What of the window a tour points at, and its card before the first step."""

import msgspec
import pytest
from PySide6.QtWidgets import QAbstractButton, QTabBar

from app.session.facade.session import Session
from app.window.main_window import MainWindow
from app.window.tours import tour_guide
from compiler.analysis.tours.tour_file import find_tour
from compiler.model.protocol.messages import CaptureMade, MakeCapture
from tests.helpers import sample_capture


@pytest.fixture
def tours(window: MainWindow, session: Session) -> tour_guide.TourGuide:
    """The first tour, waiting for its program."""
    window.resize(1280, 800)
    window.tours.start(find_tour("compile"), session.open_program)
    return window.tours


def _begin(tours: tour_guide.TourGuide, session: Session, engine, qtbot) -> None:
    spec = engine.last(MakeCapture).body.spec
    engine.last(MakeCapture).reply(CaptureMade(msgspec.structs.replace(sample_capture.capture(), spec=spec)))
    qtbot.waitUntil(lambda: tours.number == 0)


def test_the_card_that_waits_for_the_program_can_be_read(tours: tour_guide.TourGuide) -> None:
    """It was a line three pixels high."""
    card = tours.card
    assert card.isVisible()
    assert card.words.toPlainText()
    assert card.height() >= card.where.sizeHint().height() + card.words.height()


def test_what_brings_a_pane_to_the_front_is_framed_where_the_pane_is_hidden(
    tours: tour_guide.TourGuide, window: MainWindow, session: Session, engine, qtbot
) -> None:
    _begin(tours, session, engine, qtbot)
    window.show_workspace("explore")
    for step, words in ((1, "Bytecode"), (4, "Panes")):
        tours.go_to(step)
        qtbot.waitUntil(
            lambda words=words: _framed(tours, window) == words
        )  # docks move until all are laid out
        assert not tours.frame.geometry().intersects(tours.card.geometry())


def _framed(tours: tour_guide.TourGuide, window: MainWindow) -> str:
    at = tours.frame.geometry().center()
    match window.childAt(at) if tours.frame.isVisible() else None:
        case QTabBar() as bar:
            return bar.tabText(bar.tabAt(bar.mapFrom(window, at)))
        case QAbstractButton() as button:
            return button.text()
    return ""


def test_another_language_is_offered_only_where_it_has_letters(
    tours: tour_guide.TourGuide, session: Session, engine, qtbot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its button was two empty boxes."""
    monkeypatch.setattr(tour_guide, "has_letters", lambda code: code == "en")
    _begin(tours, session, engine, qtbot)
    assert not tours.card.language.isVisible()
    monkeypatch.setattr(tour_guide, "has_letters", lambda code: True)
    tours.go_to(1)
    assert tours.card.language.isVisible()
