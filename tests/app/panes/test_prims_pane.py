"""The PrimTorch pane: a slider over levels, and the tree of an operator."""

import msgspec
import pytest

from app.panes.prims_pane import PrimsPane
from compiler.model.capture.front_ends import DYNAMO
from compiler.model.front_end_comparison.prim_levels import FRONT_END, LEVELS, level_stage
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import place
from compiler.model.ir.stage import FxStage, Stage, StageKind
from compiler.model.operators.decompositions import DecomposedOperator, DecomposeOperator, Decomposition
from compiler.model.operators.dispatching import CodePlace
from compiler.model.protocol.messages import CaptureMade, MakeCapture
from tests.app.panes.conftest import call, make_capture, output, placeholder
from tests.helpers.table_reader import seen_rows

GELU = DecomposedOperator(
    "aten.gelu.default",
    "python",
    CodePlace("torch/_refs/nn/functional/__init__.py", 1100),
    core=True,
    parts=(
        DecomposedOperator(
            "aten.mul.Tensor", "python", core=True, parts=(DecomposedOperator("prims.mul.default"),)
        ),
        DecomposedOperator("aten.to.dtype", "C++"),
        DecomposedOperator("prims.erf.default"),
    ),
)


@pytest.fixture
def pane(shown, put) -> PrimsPane:
    made = PrimsPane(shown)
    put(made, 900, 500)
    return made


def leveled(capture):
    graph = Graph((placeholder("x"), call("relu", "aten.relu.default", "x"), output("relu")))
    stages = tuple(
        Stage(level_stage(index), StageKind.FRONT_END_GRAPH, row[1], FxStage(graph), FRONT_END)
        for index, row in enumerate(LEVELS)
    )
    spec = msgspec.structs.replace(capture.spec, front_end=FRONT_END)
    return msgspec.structs.replace(
        capture, id="capture-2", spec=spec, stages=stages, links=(), frames=(), breaks=()
    )


def test_the_slider_goes_through_the_levels_of_the_program(pane, shown, engine) -> None:
    levels = pane.levels
    assert not levels.slider.isEnabled()
    levels.button.click()
    asked = engine.last(MakeCapture)
    assert asked.body.spec.front_end == FRONT_END
    asked.reply(CaptureMade(leveled(make_capture())))
    assert levels.slider.isEnabled()
    assert [label.text() for label in levels.names] == [f"{title}: 1" for _, title, _ in LEVELS]
    levels.slider.setValue(3)
    assert shown.stage.id == "prims:prims"
    shown.show_stage("prims:core")
    assert levels.slider.value() == 2
    levels.button.click()
    assert engine.last(MakeCapture).body.spec.front_end == DYNAMO


def test_a_selected_node_is_taken_apart(pane, shown, engine) -> None:
    shown.selection.select(place("0/0:joint", "relu_1"), None)
    assert pane.field.text() == "aten::relu"
    assert engine.count(DecomposeOperator) == 0
    pane.button.click()
    assert not pane.button.isEnabled()
    asked = engine.last(DecomposeOperator)
    assert asked.body == DecomposeOperator("aten::relu")
    asked.reply(
        Decomposition("aten::gelu", "aten::gelu(Tensor self) -> Tensor", GELU, "f32[4]", (("aten", 3110),))
    )
    assert "aten 1, core aten 1, prims 2 operators" in pane.operator.summary.text()
    top = seen_rows(pane.operator.tree)[0]
    assert [row.text(0) for row in top.children()] == [
        "aten.mul.Tensor",
        "aten.to.dtype",
        "prims.erf.default",
    ]
    assert top.text(2) == "torch/_refs/nn/functional/__init__.py:1100"


def test_an_unknown_operator_is_reported(pane, engine) -> None:
    pane.field.setText("softmax")
    pane.button.click()
    engine.last(DecomposeOperator).fail(Problem("'softmax' is no overload.", "There is softmax.int."))
    assert "There is softmax.int." in pane.operator.summary.text()
