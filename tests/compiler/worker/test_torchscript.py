"""TorchScript in a process of its own: graphs with nested blocks, every pass, the executor, and what a trace forgets."""

import pytest

from compiler.command_line.worker_client import WorkerClient
from compiler.model.capture.capture import Capture
from compiler.model.ir.diagnostics import Severity
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import line_id, place
from compiler.model.ir.links import Provenance
from compiler.model.ir.stage import StageKind
from tests.compiler.worker.test_front_ends import captured

pytestmark = [pytest.mark.engine, pytest.mark.worker]


@pytest.fixture(scope="module")
def made() -> dict[str, Capture]:
    return {}


def script(worker: WorkerClient, made: dict[str, Capture], front_end: str) -> Capture:
    if front_end not in made:
        made[front_end] = captured(worker, "trace_forgets.py:Net", front_end)
    return made[front_end]


def graph_of(capture: Capture, stage: str) -> Graph:
    graph = capture.stage(stage).graph
    assert graph is not None
    return graph


def source_line(capture: Capture, text: str) -> int:
    (source,) = capture.of_kind(StageKind.SOURCE)
    lines = source.content.file.text.split("\n")  # type: ignore[union-attr]
    return next(number for number, line in enumerate(lines, 1) if line.strip().startswith(text))


@pytest.mark.thorough
def test_script_keeps_both_branches_in_containers_and_links_them_to_their_lines(
    worker: WorkerClient, made: dict[str, Capture]
):
    capture = script(worker, made, "jit.script")
    graph = graph_of(capture, "jit.script:inlined")
    gelu = next(node for node in graph.nodes if node.target == "aten::gelu")
    subtract = next(
        node for node in graph.nodes if node.target == "aten::sub" and node.module_path.startswith("bent")
    )
    assert gelu.module_path.startswith("bent.if_")
    assert gelu.module_path.endswith(".then")
    assert subtract.module_path.endswith(".else")
    (source,) = capture.of_kind(StageKind.SOURCE)
    found = Provenance(capture.links).follow(place("jit.script:inlined", gelu.id))
    lines = [source_line(capture, text) for text in ("y = torch.relu", "x = F.gelu")]  # the caller's, its own
    assert [row.line for row in gelu.stack] == lines
    assert set(found[source.id].nodes) == set(map(line_id, lines))
    ir = capture.stage("jit.script:ir").content.text.split("\n")  # type: ignore[union-attr]
    (line,) = found["jit.script:ir"].nodes
    assert "aten::gelu" in ir[int(line[1:]) - 1]


@pytest.mark.thorough
def test_what_torchs_own_modules_do_is_linked_to_the_line_that_calls_them(
    worker: WorkerClient, made: dict[str, Capture]
):
    capture = script(worker, made, "jit.script")
    convolution = next(
        node for node in graph_of(capture, "jit.script:frozen").nodes if "conv2d" in node.target
    )
    assert convolution.stack[-1].line == source_line(capture, "y = torch.relu")


def test_every_input_stands_before_the_node_that_uses_it(worker: WorkerClient, made: dict[str, Capture]):
    capture = script(worker, made, "jit.script")
    graphs = capture.of_kind(StageKind.FRONT_END_GRAPH)
    assert len(graphs) > 10
    for stage in graphs:
        seen: set[str] = set()
        for node in stage.graph.nodes:
            assert node.id not in seen, (stage.id, node.id)
            assert set(node.inputs()) <= seen, (stage.id, node.id)
            seen.add(node.id)


def test_passes_are_shown_one_by_one(worker: WorkerClient, made: dict[str, Capture]):
    capture = script(worker, made, "jit.script")
    stages = {stage.id: stage for stage in capture.stages}

    def targets(stage: str) -> list[str]:
        return [node.target for node in graph_of(capture, stage).nodes]

    cse = next(name for name in stages if name.endswith("_cse"))
    (before,) = stages[cse].made_from
    assert targets(before).count("aten::sum") == targets(cse).count("aten::sum") + 1
    folded = next(name for name in stages if name.endswith("fold_frozen_conv_bn"))
    assert "aten::batch_norm" in targets("jit.script:frozen")
    assert "aten::batch_norm" not in targets(folded)
    assert "prim::mkldnn_convolution" in targets("jit.script:inference")
    table = stages["jit.script:passes"].content.text  # type: ignore[union-attr]
    assert "aten::batch_norm -1" in table
    assert "constant_pooling" in table


@pytest.mark.thorough
def test_the_executor_profiles_then_guards_what_it_fuses(worker: WorkerClient, made: dict[str, Capture]):
    capture = script(worker, made, "jit.trace")
    notes = [note for node in graph_of(capture, "jit.trace:run0").nodes for note in node.notes]
    assert any(note.startswith("profiled as Float(2, 3, 8, 8") for note in notes)
    fused = graph_of(capture, "jit.trace:fused")
    assert any(node.target == "prim::TypeCheck" for node in fused.nodes)
    assert any(".then.tensorexprgroup_" in node.module_path for node in fused.nodes)


def test_a_trace_says_what_it_forgot_and_on_which_input_that_shows(
    worker: WorkerClient, made: dict[str, Capture]
):
    capture = script(worker, made, "jit.trace")
    warned = [problem for problem in capture.problems if problem.severity is Severity.WARNING]
    branch = source_line(capture, "if x.sum()")
    assert any(
        "keeps what this line did once" in problem.what and problem.line == branch for problem in warned
    )
    negated = next(problem for problem in warned if "negated" in problem.what)
    assert "the trace gives something else: " in negated.what
    assert ", eager gives " in negated.what
    assert negated.line == branch
    assert any("After eval()" in problem.what for problem in warned)
    assert "aten::sub" not in {node.target for node in graph_of(capture, "jit.trace:graph").nodes}
    assert "aten::sub" in {node.target for node in graph_of(capture, "jit.script:graph").nodes}
    assert any("deprecated" in problem.what for problem in capture.problems)
