"""What changed, in a tree whose rows lead to what they are about, in the bar above, and as marks where it shows."""

from collections.abc import Callable

import msgspec
import pytest
from PySide6.QtWidgets import QWidget

from app.panes.breaks_pane import BreaksPane
from app.panes.changes_pane import ChangesPane
from app.panes.pipeline_pane import PipelinePane
from app.panes.pipeline_pane.states import CAPTURED, CHANGED
from app.panes.source_pane import SourcePane
from app.session.facade.session import Session
from app.window.change_bar import ChangeBar
from compiler.model.capture.capture import Capture
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import place
from compiler.model.ir.loop_ir import KernelSet
from compiler.model.ir.programs import SourceFile
from compiler.model.ir.stage import FxStage, KernelStage, SourceStage, Stage
from compiler.model.protocol.messages import CaptureMade, MakeCapture
from tests.app.panes.conftest import PATH, PROGRAM, SOURCE
from tests.helpers.fake_engine import FakeEngine
from tests.helpers.table_reader import SeenRow, seen_rows

replace = msgspec.structs.replace


def _edited(stage: Stage) -> Stage:
    match stage.content:
        case SourceStage():
            file = SourceFile(PATH, PROGRAM.replace("torch.relu", "torch.tanh"), ((14, "0/0"),))
            return replace(stage, content=SourceStage(file))
        case FxStage() if stage.id == "0/0:dynamo":
            nodes = stage.content.graph.nodes
            return replace(
                stage,
                content=FxStage(
                    Graph(tuple(replace(n, target="torch.tanh") if n.id == "relu" else n for n in nodes))
                ),
            )
        case KernelStage():
            first, second = stage.kernels
            other = replace(second, source=second.source.replace("clamp_min", "tanh"))
            return replace(stage, content=KernelStage(KernelSet((first, other))))
    return stage


@pytest.fixture
def changed(shown: Session, engine: FakeEngine, capture: Capture) -> Session:
    """The same program, saved with another function in it and without its break."""
    shown.capture_again()
    made = replace(
        capture, id="capture-2", stages=tuple(map(_edited, capture.stages)), breaks=(), seconds=2.0
    )
    engine.last(MakeCapture).reply(CaptureMade(made))
    return shown


def test_everything_that_changed_is_listed_and_leads_there(
    changed: Session, put: Callable[[QWidget], None], click_row: Callable[[SeenRow], None]
) -> None:
    pane = ChangesPane(changed)
    put(pane)
    assert pane.headline.text() == "1 graph break gone · 1 graph changed (~1 nodes) · 1 kernel changed"
    assert "breaks 1 → 0" in pane.figures.text()
    assert "capture 3.20 s → 2.00 s" in pane.figures.text()
    heads = {row.text(0): row for row in seen_rows(pane.tree)}
    assert list(heads) == [
        "Graph breaks: 1 gone",
        "1 function changed",
        "0/0 Dynamo graph: ~1 nodes",
        "Kernels: 1 changed",
        "Source: 1 line changed",
    ]
    row = heads["0/0 Dynamo graph: ~1 nodes"].children()[0]
    assert row.text(0) == "~ relu"
    assert "torch.relu(" in row.text(1)
    assert "torch.tanh(" in row.text(2)
    click_row(row)
    assert changed.selection.pinned == place("0/0:dynamo", "relu")
    kernel = heads["Kernels: 1 changed"].children()[0]
    assert "tanh" in kernel.children()[0].text(2)
    click_row(kernel)
    assert changed.selection.pinned.stage == "0/0:forward:kernels"
    assert changed.stage.id == "0/0:forward:kernels"


def test_nothing_to_compare_is_said(shown: Session, session: Session, put: Callable[[QWidget], None]) -> None:
    pane = ChangesPane(shown)
    put(pane)
    assert pane.empty.isVisible()
    assert "Captured once" in pane.empty.headline.text()


def test_the_bar_says_and_can_be_closed(changed: Session, put: Callable[[QWidget], None]) -> None:
    bar = ChangeBar(changed)
    assert not bar.isVisible()
    changed.changes.publish()
    assert bar.isVisibleTo(None)
    assert bar.text.text().startswith("Since the capture before: 1 graph break gone · ")
    assert bar.text.text().endswith("captured in 2.0 s")
    bar.close_button.click()
    assert not bar.isVisible()
    bar.deleteLater()


def test_a_new_break_is_marked(
    changed: Session, engine: FakeEngine, capture: Capture, put: Callable[[QWidget], None]
) -> None:
    pane = BreaksPane(changed)
    put(pane)
    changed.capture_again()
    engine.last(MakeCapture).reply(CaptureMade(replace(capture, id="capture-3")))
    assert seen_rows(pane.list.table)[0].text(0) == "1 •"
    changed.capture_again()
    engine.last(MakeCapture).reply(CaptureMade(replace(capture, id="capture-4")))
    assert seen_rows(pane.list.table)[0].text(0) == "1"


def test_stages_and_lines_that_changed_are_marked(changed: Session, put: Callable[[QWidget], None]) -> None:
    pipeline, source = PipelinePane(changed), SourcePane(changed)
    put(pipeline)
    put(source)
    assert pipeline._states["0/0:dynamo"] == CHANGED
    assert pipeline._states["0/0:joint"] == CAPTURED
    assert pipeline._states[SOURCE] == CHANGED
    assert [mark.shape for mark in source.editor.marks_on(14)] == ["bar"]
    assert source.editor.marks_on(13) == []
