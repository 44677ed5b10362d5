"""The page of a predicted step: what is reported, drawn and listed, and what stands there where nothing is predicted."""

import msgspec
import pytest
from PySide6.QtCore import Qt

from app.panes.timings_pane.predicted.predicted_page import PredictedPage
from app.panes.timings_pane.predicted.step_memory_chart import one_a_pixel
from app.session.facade.session import Session
from compiler.model.capture.capture import Capture
from compiler.model.prediction.other_ranks import SAME, STORED, UNKNOWN, AlikeRanks, OtherRanks, Shards
from compiler.model.prediction.predicted_step import MemoryPoint
from compiler.model.prediction.simulated_step import (
    BACKWARD,
    FORWARD,
)
from tests.helpers import sample_capture
from tests.helpers.predicted_capture import with_step
from tests.helpers.shown_widget import on_screen
from tests.helpers.table_reader import seen_rows

_GIB = 1 << 30


@pytest.fixture
def page(session: Session, qtbot) -> PredictedPage:
    return on_screen(qtbot, PredictedPage(session), 900, 420)


def shown(page: PredictedPage, capture: Capture) -> None:
    page._session._start_with(capture, from_file=True)
    page.refresh()


def test_what_is_predicted_is_called_so(page: PredictedPage) -> None:
    shown(page, with_step(30 * _GIB))
    words = page.summary.text()
    assert words.startswith("Predicted, not measured: peak 30.0 GiB of 77.7 GiB")
    assert "fits" in words
    assert "does not" not in words
    assert "The peak is in forward, layers.1" in page.summary.toolTip()
    assert {entry.text for entry in page.legend.entries} >= {"activations", "parameters"}


def test_a_long_step_is_drawn_a_point_a_pixel_without_losing_its_peak(page: PredictedPage) -> None:
    points = [MemoryPoint(at, (at % 7, 0)) for at in range(100_000)]
    points[31_234] = MemoryPoint(31_234, (5000, 1))
    drawn = one_a_pixel(points, 400)
    assert len(drawn) == 400
    assert points[31_234] in drawn
    assert one_a_pixel(points[:300], 400) == points[:300]


def test_a_step_that_could_not_be_run_says_why_in_place_of_empty_drawings(page: PredictedPage) -> None:
    capture = with_step(30 * _GIB)
    failed = msgspec.structs.replace(capture.step, problem="RuntimeError: no kernel for it", moments=())
    shown(page, msgspec.structs.replace(capture, step=failed))
    assert page.empty.isVisible()
    assert not page.chart.isVisible()
    assert "no kernel for it" in page.empty.text.text()
    shown(page, msgspec.structs.replace(capture, id="again"))
    assert page.chart.isVisible()


def test_a_step_that_waits_for_the_host_is_a_range(page: PredictedPage) -> None:
    capture = with_step(30 * _GIB)
    shown(page, capture)
    assert "in real steps" not in page.summary.text(), "memory takes longer than the host"
    moments = tuple(msgspec.structs.replace(moment, bytes=1) for moment in capture.step.moments)
    small = msgspec.structs.replace(capture.step, moments=moments)
    shown(page, msgspec.structs.replace(capture, id="small", step=small))
    assert "host up to 2 times as slow in real steps" in page.summary.text()


def test_what_does_not_fit_says_so(page: PredictedPage) -> None:
    shown(page, with_step(90 * _GIB))
    assert "does not fit" in page.summary.text()
    assert page.chart.shows_limit


def test_a_small_step_is_not_drawn_flat_below_the_limit(page: PredictedPage) -> None:
    shown(page, with_step(2 * _GIB))
    assert not page.chart.shows_limit


def test_equal_layers_are_one_row_of_the_table(page: PredictedPage) -> None:
    shown(page, with_step(30 * _GIB))
    rows = [row.text(0) for row in seen_rows(page.table)]
    assert sorted(rows) == [f"layers.0–1 ×2\n{BACKWARD}", f"layers.0–1 ×2\n{FORWARD}"]


def test_the_chart_says_what_memory_is_for(page: PredictedPage) -> None:
    shown(page, with_step(30 * _GIB))
    point = page.chart.point_at(page.chart.width() / 2)
    assert point is not None
    assert "activations: 28.0 GiB" in page.chart.format_at(page.reported.memory.peak)  # type: ignore[union-attr]
    page.chart.grab()


def test_nothing_is_predicted_of_what_ran(page: PredictedPage) -> None:
    shown(page, sample_capture.capture())
    assert page.reported is None
    assert page.empty.isVisible()
    assert page.summary.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse


def test_ranks_are_listed_beside_the_layers(page: PredictedPage) -> None:
    shards = (Shards("weight", (1,), _GIB // 4, _GIB),)
    ranks = OtherRanks(
        0,
        (
            AlikeRanks(((0, 5),), SAME, (), 8 * _GIB),
            AlikeRanks(((6, 6),), STORED, (), 2 * _GIB, shards),
            AlikeRanks(((7, 7),), UNKNOWN, ("asks for its rank: forward (net.py:3)",)),
        ),
    )
    shown(page, msgspec.structs.replace(with_step(30 * _GIB), other_ranks=ranks))
    rows = {row.text(0): (row.text(2), row.text(3)) for row in seen_rows(page.ranks)}
    assert rows == {
        "ranks 0–5": ("captured (rank 0)", "30.0 GiB"),
        "rank 6": ("the same; other shards are kept", "29.2 GiB"),
        "rank 7": ("not derived: capture it with rank 7", "not derived"),
    }
    assert page.tables.isTabVisible(1)
    words = page.summary.text().splitlines()[1]
    assert words == (
        "Rank 0 of 8 was captured. Largest: ranks 0–5, 30.0 GiB; smallest: rank 6, 768.0 MiB less. Peaks not derived: 1."
    )


def test_one_process_has_no_ranks(page: PredictedPage) -> None:
    shown(page, with_step(30 * _GIB))
    assert not page.tables.isTabVisible(1)
    assert "Rank" not in page.summary.text()
