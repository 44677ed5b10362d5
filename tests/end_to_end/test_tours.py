"""Every tour, to its end: each step waits until it is done, and what it shows somebody does it."""

from pathlib import Path

import pytest
from PySide6.QtCore import QRect

from app.engine_client.engine_client import EngineClient
from app.window import questions
from compiler.analysis.tours.tour_file import ORDER, find_tour, read_tour
from tests.end_to_end.conftest import Desk, open_desk
from tests.helpers.thoroughness import some

EDGE = 4


def card_is_seen(desk: Desk) -> None:
    card = desk.window.tours.card
    assert card.isVisible()
    assert desk.window.rect().adjusted(-EDGE, -EDGE, EDGE, EDGE).contains(card.geometry())
    inside = QRect(0, 0, card.width(), card.height())
    for part in (card.words, card.next_button):
        assert inside.contains(part.geometry()), "a part of the card is cut off"


@pytest.mark.parametrize("name", some(ORDER))
def test_a_tour_is_walked_to_its_end(
    name: str, tmp_path: Path, qapp, qtbot, monkeypatch, workers_are_forked
) -> None:
    monkeypatch.setattr(questions, "before_losing_edits", lambda _: "discard")
    with open_desk(
        EngineClient(forks=workers_are_forked),
        tmp_path,
        qapp,
        qtbot,
        trial_engine=lambda: EngineClient(forks=workers_are_forked),
    ) as desk:
        desk.window.resize(1280, 800)
        desk.until(lambda: desk.session.engine_state == "ready")
        tour = find_tour(name)
        desk.window.start_tour(tour)
        guide = desk.window.tours
        assert guide.number == -1
        desk.until(lambda: guide.number == 0)
        for number, step in enumerate(tour.steps):
            assert guide.number == number
            card_is_seen(desk)
            if step.point or step.pane:
                shown = guide.frame.isVisible() or (step.goal is not None and step.goal.kind == "pane")
                assert shown, f"what step {number + 1} points at is out of sight"
            if step.goal is not None:
                assert not guide.done, f"step {number + 1} is done before anybody did it"
                assert not guide.card.next_button.isEnabled()
                qtbot.wait(400)
                assert not guide.done, f"step {number + 1} waits for nothing"
                guide.card.show_button.click()
                desk.until(lambda: guide.done)
                card_is_seen(desk)
            desk.session.timings.stop()
            desk.until(desk.settled)
            guide.card.next_button.click()
        assert guide.tour is None
        assert not guide.card.isVisible()
        assert not guide.frame.isVisible()
        assert desk.session.capture is not None, "what was open stays"
        assert [text for text in desk.problem_texts() if "Torch Loupe itself" in text] == []


@pytest.mark.thorough
def test_another_program_ends_a_tour(desk: Desk, tmp_path: Path) -> None:
    desk.until(lambda: desk.session.engine_state == "ready")
    desk.window.start_tour(find_tour("compile"))
    guide = desk.window.tours
    desk.until(lambda: guide.number == 0)
    desk.capture("mlp.py:MLP", Path(guide.tour.folder))
    desk.until(lambda: guide.tour is None)
    assert not guide.card.isVisible()


@pytest.mark.thorough
def test_a_tour_from_elsewhere_runs_its_program_only_when_asked_to(
    desk: Desk, tmp_path: Path, monkeypatch
) -> None:
    witness = tmp_path / "ran"
    (tmp_path / "m.py").write_text(
        f"import torch\nopen({str(witness)!r}, 'w')\n"
        "def f(x):\n    return x + 1\ndef example_inputs():\n    return (torch.ones(2),)\n"
    )
    (tmp_path / "own.toml").write_text(
        'title = "<b>T</b>"\nprogram = "m.py:f"\n[[step]]\ntext = "<img src=x> `a*b` look"\n'
        '[[step]]\ntext = "line"\nuntil = { line = 4 }\n'
    )
    tour = read_tour(tmp_path / "own.toml")
    desk.until(lambda: desk.session.engine_state == "ready")
    asked = []
    monkeypatch.setattr(questions, "may_start_tour", lambda tour, _: bool(asked.append(tour)))
    desk.window.start_tour(tour)
    assert asked == [tour]
    assert desk.session.capturing is None
    assert not witness.exists()
    monkeypatch.setattr(questions, "may_start_tour", lambda *_: True)
    desk.window.start_tour(tour)
    guide = desk.window.tours
    desk.until(lambda: guide.number == 0)
    assert witness.exists()
    assert "<img src=x> a*b look" in guide.card.words.plain()
    assert "<img src=x> a*b look" in guide.card.words.toPlainText()
    assert guide.card.where.text().startswith("<b>T</b>")
    guide.go_on()
    guide.show_me()
    desk.until(lambda: guide.done)


def test_a_program_that_cannot_be_captured_ends_in_words(desk: Desk, tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "own.toml").write_text('title = "T"\nprogram = "none.py:f"\n[[step]]\ntext = "x"\n')
    monkeypatch.setattr(questions, "may_start_tour", lambda *_: True)
    desk.until(lambda: desk.session.engine_state == "ready")
    desk.window.start_tour(read_tour(tmp_path / "own.toml"))
    guide = desk.window.tours
    desk.until(lambda: "could not be captured" in guide.card.state.text())
    guide.card.closed.emit()
    assert guide.tour is None
