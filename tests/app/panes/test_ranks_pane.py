"""The Ranks pane: of a run that goes on, of the files of one run, of many ranks."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from app.panes.compare_pane.pane import ComparePane
from app.panes.ranks_pane import RanksPane
from app.session.facade.session import Session
from compiler.analysis.running.listener import Listener
from compiler.model.protocol.run_events import RunCaptured
from tests.helpers import sample_capture
from tests.helpers.planted_ranks import rank, with_kernel, with_shorter_graph, written
from tests.helpers.recorded_run import ScriptedProcess, listening
from tests.helpers.shown_widget import on_screen
from tests.helpers.table_reader import seen_rows


@pytest.fixture
def pane(session: Session, qtbot) -> RanksPane:
    return on_screen(qtbot, RanksPane(session), 900, 400)


def opened(session: Session, qtbot, path: Path) -> None:
    session.open_file(path)
    qtbot.waitUntil(lambda: session.file_path == path, timeout=20_000)


def texts(pane: RanksPane, row: int, child: int | None = None) -> list[str]:
    found = seen_rows(pane.table)[row]
    return (found if child is None else found.children()[child]).texts()


def test_says_how_to_get_ranks(pane: RanksPane) -> None:
    assert "loupe run" in pane.empty.text.text()
    assert not pane.read.isVisible()


def test_a_file_of_a_run_offers_the_ranks_beside_it(
    pane: RanksPane, session: Session, qtbot, tmp_path: Path
) -> None:
    paths = written(tmp_path, rank(), with_shorter_graph(rank()))
    with qtbot.waitSignal(session.ranks.offered):
        opened(session, qtbot, paths[0])
    assert pane.read.text() == "Compare with it"
    pane.read.click()
    qtbot.waitUntil(lambda: session.ranks.compared is not None, timeout=20_000)
    assert "Ranks 0 and 1 go apart first at 0/0, graph" in pane.headline.text()
    header = pane.table.tree.model().headerData
    assert [header(column, Qt.Orientation.Horizontal) for column in (1, 2)] == ["Rank 0 · shown", "Rank 1"]
    assert texts(pane, 0)[1:] == ["graph differs"] * 2
    qtbot.waitUntil(lambda: "--- rank 0" in pane.diff.toPlainText(), timeout=20_000)
    assert "output = output" in pane.diff.toPlainText()


def test_any_two_go_to_the_compare_pane(pane: RanksPane, session: Session, qtbot, tmp_path: Path) -> None:
    compare = ComparePane(session)
    qtbot.addWidget(compare)
    opened(session, qtbot, written(tmp_path, rank(), with_shorter_graph(rank()))[0])
    pane.read.click()
    qtbot.waitUntil(lambda: session.ranks.compared is not None, timeout=20_000)
    with qtbot.waitSignal(session.comparison.wanted):
        pane.compare.click()
    qtbot.waitUntil(lambda: session.comparison.result is not None, timeout=20_000)
    assert "1 removed" in session.comparison.result.words
    titles = [source.title for source in session.comparison.choices.sources()]
    assert titles == ["Rank 0, as captured", "Rank 1"]


def test_another_rank_is_opened_and_the_ranks_stay(
    pane: RanksPane, session: Session, qtbot, tmp_path: Path
) -> None:
    paths = written(tmp_path, rank(), with_kernel(rank(), "//"), rank())
    opened(session, qtbot, paths[0])
    pane.read.click()
    qtbot.waitUntil(lambda: session.ranks.compared is not None and not session.ranks.doing, timeout=20_000)
    assert pane.open_other.text() == "Open rank 1"
    pane.open_other.click()
    qtbot.waitUntil(lambda: session.file_path == paths[1], timeout=20_000)
    assert session.ranks.shown == "1"
    assert len(session.ranks.sources) == 3
    assert session.stage.compile_id == "0/0"
    lone = tmp_path / "lone"
    lone.mkdir()
    opened(session, qtbot, written(lone, rank())[0])
    assert not session.ranks.sources
    assert session.ranks.compared is None


def test_a_run_that_is_followed(pane: RanksPane, session: Session, qtbot, tmp_path: Path) -> None:
    listener = Listener(tmp_path)
    session.run.follow(str(listener.place))
    first, second = ScriptedProcess(listener, 1, "0"), ScriptedProcess(listener, 2, "1")
    first.emit(RunCaptured(rank()))
    second.emit(RunCaptured(rank()))

    until = listening(listener, qtbot)
    until(lambda: session.ranks.compared is not None)
    assert "did the same" in pane.headline.text()
    second.emit(RunCaptured(with_kernel(rank(), " // other")))
    until(lambda: session.ranks.compared is not None and session.ranks.compared.differences)
    assert pane.open_other.text() == "Show rank 1"
    pane.open_other.click()
    until(lambda: session.ranks.shown == "1")
    first.close()
    second.close()
    session.run.stop()
    listener.close()


@pytest.mark.thorough
def test_sixty_four_ranks_stand_in_two_columns(
    pane: RanksPane, session: Session, qtbot, tmp_path: Path
) -> None:
    captures = [with_kernel(rank(), "//") if index == 7 else rank() for index in range(64)]
    opened(session, qtbot, written(tmp_path, *captures)[0])
    assert pane.read.text() == "Compare with the 63 others"
    pane.read.click()
    qtbot.waitUntil(lambda: session.ranks.compared is not None and not session.ranks.doing, timeout=60_000)
    header = pane.table.tree.model().headerData
    assert [header(column, Qt.Orientation.Horizontal) for column in (1, 2)] == [
        "Ranks 0–6, 8–63 · shown",
        "Rank 7",
    ]
    assert texts(pane, 0)[1:] == ["as most", "kernels differ"]
    assert pane.groups.text() == "Ranks 0–6, 8–63 did the same; rank 7 goes apart at 0/0, kernels"


def test_a_click_on_a_cell_shows_what_is_there(
    pane: RanksPane, session: Session, qtbot, tmp_path: Path
) -> None:
    opened(session, qtbot, written(tmp_path, rank(), with_kernel(rank(), " // other"), rank())[0])
    pane.read.click()
    qtbot.waitUntil(lambda: session.ranks.compared is not None and not session.ranks.doing, timeout=20_000)
    session.show_stage(sample_capture.KERNELS)
    row = seen_rows(pane.table)[0]
    assert row.is_open()
    guards = next(found for found in row.children() if found.text(0) == "guards")
    pane.table.tree.clicked.emit(guards.index.siblingAtColumn(2))
    qtbot.waitUntil(lambda: "no difference" in pane.what.text(), timeout=20_000)
    assert session.stage.id == sample_capture.DYNAMO
    pane.table.tree.clicked.emit(row.index.siblingAtColumn(2))
    qtbot.waitUntil(lambda: "// other" in pane.diff.toPlainText(), timeout=20_000)
