"""A body that is lowered apart has loop IR of its own, between its graph and its kernels."""

from pathlib import Path

import pytest

from compiler.analysis.timing.kernel_work import kernel_work
from compiler.engine.errors import EngineError
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.model.edits.editable_stages import why_fixed
from compiler.model.edits.edits import ChooseFusion
from compiler.model.edits.stage_order import body_of
from compiler.model.ir.ids import place
from compiler.model.ir.links import Provenance
from compiler.model.ir.stage import LoopStage, StageKind
from tests.compiler.engine.graph_editing.test_submodule_callables import PROGRAM as OTHERS
from tests.compiler.engine.recompile.programs import PROGRAM
from tests.compiler.engine.recompile.test_trained_bodies import captured

pytestmark = pytest.mark.engine


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["Branches", pytest.param("Loop", marks=pytest.mark.slow)])
def test_body_to_scheduler_nodes_to_kernels(tmp_path: Path, name: str):
    capture = captured(tmp_path, name, PROGRAM).capture
    stages, links = {stage.id: stage for stage in capture.stages}, Provenance(capture.links)
    work = kernel_work(capture)
    loops = [stage for stage in capture.of_kind(StageKind.LOOP_IR) if body_of(stage.id)]
    assert {stage.part for stage in loops} == {"forward", "backward"}
    for stage in loops:
        assert isinstance(stage.content, LoopStage)
        graph = stages[stage.made_from[0]]
        assert (graph.kind, body_of(graph.id)) == (StageKind.BODY, body_of(stage.id))
        fused = stage.id.replace(":loops:", ":fused:")
        assert stages[fused].made_from == (stage.id,)
        for node in stage.content.program.nodes:
            above = links.ancestors(place(stage.id, node.id))
            assert set(node.computes) <= above[graph.id]
            assert set(node.origins) <= {row.id for row in graph.graph.nodes}, (
                "no node of the graph that calls it"
            )
            below = links.descendants(place(stage.id, node.id))
            assert len(below[fused]) == 1
            kernels = stages[f"{stage.compile_id}:{stage.part}:kernels"]
            named = {kernel.id: kernel for kernel in kernels.kernels}
            mine = below.get(kernels.id, frozenset()) & set(named)
            assert mine or node.kind != "SchedulerNode", node
            for kernel in mine:
                assert named[kernel].body == body_of(stage.id)
                assert work[place(kernels.id, kernel)].bytes
    first = next(stage for stage in capture.of_kind(StageKind.LOOP_IR) if stage.part == "forward")
    assert not body_of(first.id), "what looks for the loop IR of a graph finds that of the graph first"


@pytest.mark.thorough
def test_fusions_are_not_chosen_in_a_body(tmp_path: Path):
    live = captured(tmp_path, "Branches", PROGRAM)
    stage = next(
        stage for stage in live.capture.of_kind(StageKind.LOOP_IR) if stage.id.endswith("true_graph_1")
    )
    assert isinstance(stage.content, LoopStage)
    first, second, *_ = (node.id for node in stage.content.program.nodes)
    assert "Edit the graph of true_graph_1" in why_fixed(stage)
    with pytest.raises(EngineError) as reported:
        EditedProgram(live).recompile(
            (ChooseFusion(stage.id, first, second, False),), "capture-2", lambda text: None
        )
    assert "true_graph_1" in str(reported.value)


@pytest.mark.thorough
def test_a_body_that_is_written_into_one_kernel_is_linked_to_it_as_a_guess(tmp_path: Path):
    capture = captured(tmp_path, "attention", OTHERS).capture
    links = Provenance(capture.links)
    body = next(stage for stage in capture.of_kind(StageKind.BODY) if "post_grad:sdpa_score" in stage.id)
    tanh = next(node.id for node in body.graph.nodes if "tanh" in node.target)
    assert links.descendants(place(body.id, tanh))["0/0:inference:kernels"]
    (row,) = (row for row in capture.links if row.source == body.id and row.target.endswith(":loops"))
    assert row.proof == "guess"
