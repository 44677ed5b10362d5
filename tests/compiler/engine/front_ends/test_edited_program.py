"""Edits of graphs that other front ends made: carried out on torch's own graph, what follows made again, run and judged."""

from pathlib import Path

import pytest

from compiler.analysis.transforms.activations import relus_to_gelus, remove_dropouts
from compiler.analysis.transforms.conv_bn import fold_conv_bn
from compiler.engine.errors import EngineError
from compiler.engine.front_ends.capture import assembled
from compiler.engine.front_ends.edit.edited_program import EditedFrontEnd
from compiler.engine.recompile.graph_questions import answer_about
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.capture.front_ends import FX_CODE
from compiler.model.edits.editable_stages import edits_graph
from compiler.model.edits.edits import BypassNode, Edit, InsertNode, ReplaceTarget, ReplaceText, SetArgument
from compiler.model.edits.partition_edits import ChooseMemoryBudget
from compiler.model.edits.patterns import pattern_of
from compiler.model.edits.text_edits import fingerprint
from compiler.model.ir.arguments import ConstantArgument, NodeArgument, SequenceArgument
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import StageId, place
from compiler.model.ir.stage import TextStage
from compiler.model.operators.op_candidates import OpChoices
from compiler.model.protocol.front_end_requests import EditFrontEnd, FrontEndEdited
from compiler.model.protocol.messages import (
    FindMatches,
    ListEditedGraphs,
    ListOps,
    ListSignatures,
    PreviewEdits,
)
from compiler.model.timing.verdicts import Verdict
from tests.compiler.engine.conftest import EXAMPLES

pytestmark = pytest.mark.engine

PROGRAM = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(8, 16)
        self.act = nn.ReLU()
        self.leave_out = nn.Dropout(0.5)
        self.fc2 = nn.Linear(16, 16)
        self.scale = nn.Parameter(torch.ones(16))

    def forward(self, x):
        x = self.leave_out(self.act(self.fc1(x)))
        return torch.relu(self.fc2(x) * self.scale).mean(1)


def example_inputs():
    return (torch.randn(4, 8),)
"""
SILENT = lambda text: None  # noqa: E731


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("front_ends")
    (path / "net.py").write_text(PROGRAM)
    return path


def held(folder: Path, front_end: str, training: bool = True) -> tuple[EditedFrontEnd, Capture]:
    spec = CaptureSpec(
        TargetSpec("net.py:Net", str(folder)), run=RunOptions(training=training), front_end=front_end
    )
    program = EditedFrontEnd(spec, SILENT)
    return program, assembled(spec, "c1", program.result, program.program.path)


def edited(program: EditedFrontEnd, *edits: Edit, judge: bool = True) -> FrontEndEdited:
    return program.edit(EditFrontEnd(program.spec, "c1", edits, "c2", judge), SILENT)


def graph(capture: Capture, stage: StageId) -> Graph:
    found = capture.stage(stage).graph
    assert found is not None
    return found


def targets(capture: Capture, stage: StageId) -> list[str]:
    return [node.target for node in graph(capture, stage).nodes if node.op.startswith("call")]


def judged(answer: FrontEndEdited) -> Verdict:
    last = [row for row in answer.verdict.comparisons if row.what == "edited" and row.agrees is not None]
    assert last, answer.verdict
    assert all(row.agrees for row in last)
    return answer.verdict


def test_modules_of_a_traced_program_are_replaced_and_taken_out(folder: Path):
    program, capture = held(folder, "fx")
    stage = "fx:graph"
    assert [node.op for node in graph(capture, stage).nodes].count("call_module") == 4
    answer = edited(
        program,
        relus_to_gelus(stage, graph(capture, stage)),
        remove_dropouts(stage, graph(capture, stage)),
    )
    gelu = "torch.nn.functional.gelu"
    assert targets(answer.capture, stage) == ["fc1", gelu, "fc2", "_operator.mul", gelu, "mean"]
    assert answer.capture.parent == "c1"
    code = answer.capture.stage("fx:code").content
    assert "gelu" in code.text  # type: ignore[union-attr]
    assert "leave_out" not in code.text  # type: ignore[union-attr]
    assert targets(answer.capture, "fx:again") == targets(answer.capture, stage)
    verdict = judged(answer)
    moved = next(row for row in verdict.comparisons if (row.what, row.reference) == ("edited", "eager"))
    assert moved.worst.max_relative > 1e-3
    assert {"grad of fc1.weight", "grad of scale"} < {row.tensor for row in moved.differences}
    assert verdict.summary.startswith("The edited program does what the graph says")
    assert verdict.after is not None


@pytest.mark.thorough
@pytest.mark.parametrize("front_end", ["export", "export-dynamic", "make_fx", "prims"])
def test_what_follows_an_edited_graph_is_made_of_it(folder: Path, front_end: str):
    program, capture = held(folder, front_end, training=False)
    stage = "prims:aten" if front_end == "prims" else f"{front_end}:graph"
    last = next(node for node in reversed(graph(capture, stage).nodes) if "relu" in node.target)
    answer = edited(program, ReplaceTarget(stage, last.id, last.op, "aten.tanh.default", last.args))
    after = {"make_fx": "make_fx:graph", "prims": "prims:core"}.get(front_end, f"{front_end}:core")
    assert "aten.tanh.default" in targets(answer.capture, after)
    judged(answer)


def test_batch_norms_that_are_modules_are_folded_into_their_convolutions():
    spec = CaptureSpec(
        TargetSpec("conv_bn_relu.py:Net", str(EXAMPLES)), run=RunOptions(training=False), front_end="fx"
    )
    program = EditedFrontEnd(spec, SILENT)
    capture = assembled(spec, "c1", program.result, program.program.path)
    answer = edited(program, fold_conv_bn("fx:graph", graph(capture, "fx:graph"), ()))
    calls = targets(answer.capture, "fx:graph")
    assert calls.count("torch.nn.functional.conv2d") == 2
    assert not any("norm" in target for target in calls)
    verdict = judged(answer)
    moved = [row for row in verdict.comparisons if row.what == "edited" and row.reference == "eager"]
    assert moved[0].worst is not None
    assert moved[0].worst.max_relative < 1e-4


@pytest.mark.thorough
def test_another_result_of_an_exported_program_is_what_its_signature_names(folder: Path):
    program, capture = held(folder, "export", training=False)
    stage = "export:graph"
    mean = next(node for node in graph(capture, stage).nodes if "mean" in node.target)
    answer = edited(program, BypassNode(stage, mean.id, mean.inputs()[0]))
    judged(answer)
    signature = answer.capture.stage("export:signature").content
    assert f"user_output      {mean.inputs()[0]}" in signature.text  # type: ignore[union-attr]


@pytest.mark.thorough
def test_both_partitions_follow_an_edited_joint_graph(folder: Path):
    program, capture = held(folder, "aot", training=False)
    stage = "aot:joint"
    first = next(node for node in graph(capture, stage).nodes if node.target == "aten.relu.default")
    answer = edited(program, ReplaceTarget(stage, first.id, first.op, "aten.sigmoid.default", first.args))
    for part in ("joint", "default:forward", "min_cut:forward"):
        assert "aten.sigmoid.default" in targets(answer.capture, f"aot:{part}")
    verdict = judged(answer)
    assert any(row.tensor == "grad of fc1.weight" for row in verdict.comparisons[0].differences)


def test_an_edit_that_does_not_work_names_its_node(folder: Path):
    program, _ = held(folder, "fx")
    wrong = SetArgument("fx:graph", "mean", ("args", "1"), ConstantArgument("int", "7"))
    for ask in (lambda: edited(program, wrong), lambda: program.edit(order(wrong), SILENT)):
        with pytest.raises(EngineError) as caught:
            ask()
        assert caught.value.problem.place.nodes == ("mean",)
        assert "does not work after this edit" in caught.value.problem.what
    preview = answer_about(program, PreviewEdits("c1", (wrong,)))
    assert preview.problems[0].place == caught.value.problem.place  # type: ignore[union-attr]


def order(*edits: Edit) -> EditFrontEnd:
    return EditFrontEnd(CaptureSpec(TargetSpec("")), "c1", edits, "c2")


def test_a_module_that_is_not_there_is_one_problem(folder: Path):
    program, _ = held(folder, "fx")
    used = SequenceArgument("tuple", (NodeArgument("fc1"),))
    missing = InsertNode("fx:graph", Node("extra", "call_module", "fc9", used), 2, ())
    with pytest.raises(EngineError, match="fc9"):
        edited(program, missing)


def test_what_cannot_be_edited_or_chosen_is_refused(folder: Path):
    program, _ = held(folder, "aot", training=False)
    with pytest.raises(EngineError, match="cannot be edited"):
        edited(program, BypassNode("aot:default:forward", "relu", "addmm"))
    with pytest.raises(EngineError, match="nothing is chosen by hand"):
        edited(program, ChooseMemoryBudget("aot:joint", 0.5))


def test_questions_about_a_graph_are_answered_with_its_edits(folder: Path):
    program, capture = held(folder, "fx")
    stage = "fx:graph"
    gelu = ReplaceTarget(
        stage,
        "relu",
        "call_function",
        "torch.nn.functional.gelu",
        graph(capture, stage).node("relu").args,
    )
    preview = answer_about(program, PreviewEdits("c1", (gelu,)))
    ((_, shown),) = preview.graphs  # type: ignore[union-attr]
    assert not preview.problems  # type: ignore[union-attr]
    assert shown.node("relu").value == graph(capture, stage).node("relu").value
    choices = answer_about(program, ListOps("c1", stage, "relu", (gelu,)))
    assert isinstance(choices, OpChoices)
    assert {"relu", "silu", "fc2"} <= {choice.label for choice in choices.choices}
    modules = answer_about(program, ListOps("c1", stage, "act"))
    assert isinstance(modules, OpChoices)
    assert {"gelu", "leave_out"} <= {choice.label for choice in modules.choices}
    assert answer_about(program, ListSignatures("c1", stage, "fc1")).node == "fc1"  # type: ignore[union-attr]
    found = answer_about(
        program, FindMatches("c1", stage, pattern_of(graph(capture, stage), ("mul", "relu")))
    )
    assert len(found.matches) == 1  # type: ignore[union-attr]
    graphs = answer_about(program, ListEditedGraphs("c1", (gelu,)))
    assert graphs.graphs[0].edited.node("relu").target == "torch.nn.functional.gelu"  # type: ignore[union-attr]


def text_of(capture: Capture, stage: StageId) -> str:
    content = capture.stage(stage).content
    assert isinstance(content, TextStage)
    return content.text


def replaced(capture: Capture, stage: StageId, old: str, new: str) -> ReplaceText:
    text = text_of(capture, stage)
    assert old in text
    return ReplaceText(stage, text.replace(old, new), fingerprint(text))


@pytest.mark.thorough
def test_the_generated_python_is_an_edit_and_graph_edits_go_on_top_of_it(folder: Path):
    program, capture = held(folder, "fx")
    first = ReplaceTarget(
        "fx:graph", "relu", "call_function", "torch.tanh", graph(capture, "fx:graph").node("relu").args
    )
    once = edited(program, first, judge=False).capture
    text = replaced(once, FX_CODE, "torch.tanh(", "torch.sin(")
    twice = edited(program, first, text).capture
    assert "torch.sin" in targets(twice, "fx:graph")
    assert twice.stage("fx:graph").title == "Graph of the edited Python"
    (sin,) = [node for node in graph(twice, "fx:graph").nodes if node.target == "torch.sin"]
    top = ReplaceTarget("fx:graph", sin.id, "call_function", "torch.cos", sin.args)
    preview = answer_about(program, PreviewEdits("c1", (first, text, top)))
    assert not preview.problems  # type: ignore[union-attr]
    answer = edited(program, first, text, top)
    assert "torch.cos" in text_of(answer.capture, FX_CODE)
    judged(answer)


def _top(stage: StageId) -> Edit:
    return SetArgument(stage, "mean", ("args", "1"), ConstantArgument("int", "0"))


def test_each_question_is_about_its_own_text(folder: Path, monkeypatch: pytest.MonkeyPatch):
    """The graphs of a text are kept for the next question about it, and for no other."""
    program, capture = held(folder, "fx")
    made: list[object] = []
    again = program._captured
    monkeypatch.setattr(program, "_captured", lambda *given: made.append(given) or again(*given))
    to_sin, to_cos = (replaced(capture, FX_CODE, "relu(", f"{name}(") for name in ("sin", "cos"))

    def called(*edits: Edit) -> str:
        (answer,) = answer_about(program, ListEditedGraphs("c1", (*edits, _top("fx:graph")))).graphs  # type: ignore[union-attr]
        return " ".join(node.target for node in answer.base.nodes)

    assert "torch.sin" in called(to_sin)
    assert "torch.sin" in called(to_sin)
    assert len(made) == 1
    assert "torch.cos" in called(to_cos)
    assert "torch.relu" in called()
    assert len(made) == 2


@pytest.mark.parametrize(("old", "new"), [("self.fc2", "sself.fc2"), ("return mean", "return (mean")])
def test_a_fault_of_the_python_stands_on_its_line(folder: Path, old: str, new: str):
    program, capture = held(folder, "fx")
    wrong = replaced(capture, FX_CODE, old, new)
    expected = next(at for at, row in enumerate(wrong.text.split("\n"), 1) if new in row)
    with pytest.raises(EngineError, match=f"line {expected}") as caught:
        edited(program, wrong)
    assert caught.value.problem.place == place(FX_CODE, f"L{expected}")
    preview = answer_about(program, PreviewEdits("c1", (wrong,)))
    assert preview.problems == (caught.value.problem,)  # type: ignore[union-attr]


@pytest.mark.thorough
@pytest.mark.parametrize("front_end", ["jit.script", "jit.trace"])
def test_torchscripts_ir_is_an_edit(folder: Path, front_end: str):
    program, capture = held(folder, front_end)
    stage = f"{front_end}:weights"
    same = edited(program, replaced(capture, stage, "aten::relu(", "aten::relu_("))
    assert "gives what it gave before" in same.verdict.summary
    assert "aten::relu_" in targets(same.capture, f"{stage}_graph")
    lines = text_of(same.capture, stage).split("\n")
    (links,) = [table for table in same.capture.links if table.source == stage]
    by_id = graph(same.capture, f"{stage}_graph").by_id()
    called = {
        by_id[name].target: lines[int(line[1:]) - 1]
        for line, name in links.pairs
        if "::" in by_id[name].target
    }
    assert {"aten::linear", "aten::relu_"} <= called.keys()
    assert all(target in line for target, line in called.items())
    other = edited(program, replaced(capture, stage, "aten::relu(", "aten::sigmoid("))
    assert other.verdict.summary.startswith(
        "The edited program gives other results than the unedited one: output 0"
    )
    wrong = replaced(capture, stage, "aten::relu(", "aten::nope(")
    with pytest.raises(EngineError, match="no operator aten::nope") as caught:
        edited(program, wrong)
    lines = wrong.text.split("\n")
    (line,) = caught.value.problem.place.nodes
    assert "aten::nope" in lines[int(line[1:]) - 1]
    with pytest.raises(EngineError, match="cannot be edited"):
        edited(program, ReplaceText(f"{front_end}:ir", "graph():", "0"))


@pytest.mark.slow
@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize(
    "front_end", ["fx", "export", "export-dynamic", "export-strict", "make_fx", "aot", "prims"]
)
def test_a_conv_net_is_edited_in_every_front_end(front_end: str, training: bool):
    spec = CaptureSpec(
        TargetSpec("conv_bn_relu.py:Net", str(EXAMPLES)),
        run=RunOptions(training=training),
        front_end=front_end,
    )
    program = EditedFrontEnd(spec, SILENT)
    capture = program.captured("c1")
    stage = next(stage for stage in capture.stages if edits_graph(stage))
    verdict = judged(edited(program, relus_to_gelus(stage.id, graph(capture, stage.id))))
    assert not any("float64" in note for note in verdict.notes)
