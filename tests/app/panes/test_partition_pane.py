"""The partition pane: decisions, choices, the budget and its curve."""

import msgspec
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from app.panes.partition_pane import PartitionPane
from compiler.model.edits.partition_edits import ChooseMemoryBudget, ChooseSaved
from compiler.model.ir.memory_budget_curve import CurvePoint, MeasuredPoint, PartitionCurve
from compiler.model.ir.stage import Partition, TensorDecision
from compiler.model.protocol.messages import ExplorePartition, MeasurePartition
from tests.helpers import sample_capture as sample
from tests.helpers.changed_capture import with_content
from tests.helpers.opened_capture import open_capture
from tests.helpers.shown_widget import on_screen
from tests.helpers.table_reader import seen_rows

ROWS = (
    TensorDecision("addmm", "saved", 8192, barred="cannot recompute: not in recomputable allowlist"),
    TensorDecision("relu", "forward", 8192, base="addmm"),
    TensorDecision("le", "recomputed", 2048, weight=2048.0),
)


def _with_decisions(capture):
    partition = Partition((), ("le",), 8192.0, ROWS, 8192)
    return with_content(
        capture, sample.JOINT, lambda held: msgspec.structs.replace(held, partition=partition)
    )


@pytest.fixture
def opened(session, engine):
    made = _with_decisions(sample.capture())
    open_capture(session, made)
    session.show_stage(sample.JOINT)
    return session


@pytest.fixture
def pane(qtbot, opened):
    return on_screen(qtbot, PartitionPane(opened), 900, 360)


def _texts(pane) -> list[list[str]]:
    return [row.texts() for row in seen_rows(pane.table)]


def test_decisions_are_listed_with_bytes_and_reasons(pane) -> None:
    assert _texts(pane) == [
        ["addmm", "saved", "8.0 KiB", "cannot recompute: not in recomputable allowlist"],
        ["relu", "forward only", "in addmm", "the backward does not need it"],
        ["le", "recomputed", "2.0 KiB", "cheap to compute again from what is kept"],
    ]
    assert "8.0 KiB kept" in pane.summary.text()


def test_a_click_selects_the_node_and_a_choice_is_an_edit(pane, opened) -> None:
    location = next(row for row in seen_rows(pane.table) if row.text(0) == "relu").center()
    QTest.mouseClick(pane.table.tree.viewport(), Qt.MouseButton.LeftButton, pos=location)
    assert opened.selection.pinned.nodes == ("relu",)
    pane.table.chosen.emit(True)
    assert opened.edits == (ChooseSaved(sample.JOINT, "relu", True),)
    assert _texts(pane)[1][1] == "forward only → saved"
    opened.undo()
    assert _texts(pane)[1][1] == "forward only"


def test_the_budget_is_an_edit_and_the_curve_says_what_it_would_do(pane, opened, engine) -> None:
    pane.explore.click()
    asked = engine.last(ExplorePartition)
    assert asked.body.stage == sample.JOINT
    points = (CurvePoint(0.0, 0, 2e6, 9), CurvePoint(0.5, 4096, 1e6, 1), CurvePoint(1.0, 8192, 0.0, 0))
    asked.reply(PartitionCurve(sample.JOINT, points))
    pane.slider.setValue(10)
    assert pane.forecast.text() == "50%: would keep 4.0 KiB and repeat 1 operation (1.0 MFLOP, estimated)"
    assert pane.curve.isVisible()
    upper, _ = pane.curve._areas()
    location = pane.curve._location(points[0], upper)
    QTest.mouseClick(pane.curve, Qt.MouseButton.LeftButton, pos=QPointF(location).toPoint())
    assert pane.slider.value() == 0
    pane.use.click()
    assert opened.edits == (ChooseMemoryBudget(sample.JOINT, 0.0),)
    assert "memory budget 0%" in pane.summary.text()
    assert pane.curve.points == points, "the curve does not depend on the budget chosen"
    pane.default.click()
    assert opened.edits[-1] == ChooseMemoryBudget(sample.JOINT, None)


def test_measured_times_are_drawn_below(pane, engine) -> None:
    pane.explore.click()
    engine.last(ExplorePartition).reply(PartitionCurve(sample.JOINT, (CurvePoint(1.0, 8192, 0.0, 0),)))
    pane.measure.click()
    assert not pane.measure.isEnabled()
    assert engine.last(MeasurePartition).body.budgets == (0.0, 0.25, 0.5, 0.75, 1.0)
    row = MeasuredPoint(1.0, 8192, 1e6, 9e5, 2e6)
    engine.last(MeasurePartition).reply(PartitionCurve(sample.JOINT, measured=(row,)))
    assert pane.measure.isEnabled()
    assert pane.curve.measured == (row,)
    assert not pane.grab().isNull()


def test_without_a_joint_graph_the_pane_says_so(session, qtbot) -> None:
    made = on_screen(qtbot, PartitionPane(session))
    assert made.empty.isVisible()


def test_decisions_are_made_rows_once_not_at_every_stage(pane, opened, monkeypatch) -> None:
    """Of Llama 70B they are nine thousand."""
    made = []
    whole = pane.table.set_rows
    monkeypatch.setattr(pane.table, "set_rows", lambda rows: (made.append(len(rows)), whole(rows)))
    opened.show_stage(sample.DYNAMO)
    opened.show_stage(sample.JOINT)
    assert made == []
    opened.make_edit(ChooseSaved(sample.JOINT, "relu", True))
    assert made == [3]
