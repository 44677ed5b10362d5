"""Bodies in training, at every level: an edit there is the same change of the source, text for text, and what it changes is
what its nodes are linked to.
"""

import functools
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from compiler.engine.capture.capture import LiveCapture, make_capture
from compiler.engine.errors import EngineError
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.verdicts.judge_edits import judge_edits
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.capture.program_changes import SetConfig
from compiler.model.edits.editable_stages import why_fixed
from compiler.model.edits.edits import Edit, ReplaceTarget, SetArgument
from compiler.model.edits.stage_order import body_of
from compiler.model.ir.arguments import ConstantArgument, NodeArgument
from compiler.model.ir.ids import place
from compiler.model.ir.links import Provenance
from compiler.model.ir.stage import LoopStage, Stage, StageKind
from compiler.model.session_file.checks import consistent
from tests.compiler.engine.recompile.programs import PROGRAM

pytestmark = pytest.mark.engine

Texts = dict[tuple[str, str], str]
LEVELS = ("dynamo", "joint", "aot", "post_grad")
NAMES = ("Branches", "Loop", "Regions", "Mapped", "Scanned")
QUICKEST = {("Branches", "joint")}
QUICK = {
    ("Branches", "joint"),
    ("Branches", "post_grad"),
    ("Loop", "joint"),
    ("Regions", "dynamo"),
    ("Scanned", "aot"),
}


def captured(folder: Path, name: str, text: str) -> LiveCapture:
    (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / name / "trained.py").write_text(text)
    torch.manual_seed(0)
    spec = CaptureSpec(
        TargetSpec(f"trained.py:{name}", str(folder / name)),
        run=RunOptions(training=True, gradients=True),
        changes=(SetConfig("torch._dynamo.config.capture_scalar_outputs", True),),
    )
    live = make_capture(spec, "capture-1", lambda text: None)
    assert not consistent(live.capture)[1]
    assert live.capture.problems == ()
    return live


def results_of(live: LiveCapture) -> dict[str, torch.Tensor]:
    return live.stepper.compared_step(live.compiled).tensors


def texts_of(capture: Capture) -> Texts:
    return {
        (stage.id, kernel.id): kernel.source
        for stage in capture.of_kind(StageKind.KERNELS)
        for kernel in stage.kernels
    }


def loops_of(capture: Capture) -> Texts:
    """The loop IR of bodies that are lowered apart, without the numbers of sizes that only data tell."""
    return {
        (stage.id, node.id): re.sub(r"\bu\d+\b", "u", node.body)
        for stage in capture.of_kind(StageKind.LOOP_IR)
        if isinstance(stage.content, LoopStage) and body_of(stage.id)
        for node in stage.content.program.nodes
    }


@pytest.fixture(scope="module")
def in_source(
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[[str], tuple[Texts, dict[str, torch.Tensor]]]:
    """What the programs compile to and give with the constant changed in the source."""

    @functools.cache
    def made(name: str) -> tuple[Texts, dict[str, torch.Tensor]]:
        live = captured(tmp_path_factory.mktemp("after"), name, PROGRAM.replace("2.5", "3.5"))
        return texts_of(live.capture), results_of(live)

    return made


def is_called(capture: Capture, stage: Stage) -> bool:
    """Whether a node of the graph that gets a body uses it."""
    above = next(row for row in capture.stages if row.id == stage.made_from[0])
    own = body_of(stage.id).rpartition(".")[2]
    got = {node.id for node in above.graph.nodes if node.op == "get_attr" and node.target == own}
    return any(got & set(node.inputs()) for node in above.graph.nodes)


def edits_of(capture: Capture, level: str) -> tuple[Edit, ...]:
    """The constant changed wherever a body of a level has it."""
    return tuple(
        SetArgument(stage.id, node.id, ("args", str(index)), ConstantArgument("float", "3.5"))
        for stage in capture.of_kind(StageKind.BODY)
        if stage.graph is not None and stage.id.split(":")[-2] == level and is_called(capture, stage)
        for node in stage.graph.nodes
        for index, item in enumerate(node.args.items)
        if isinstance(item, ConstantArgument) and item.text == "2.5"
    )


GRADIENT_LACKS_IT = {("Scanned", "aot")} if torch.__version__ < "2.13" else set()
"""Where torch's own body of the gradient has not the constant."""


def _marks(name: str, level: str) -> tuple[pytest.MarkDecorator, ...]:
    if (name, level) in QUICKEST:
        return ()
    return (pytest.mark.thorough if (name, level) in QUICK else pytest.mark.slow,)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "level"),
    [
        # called once, so Dynamo writes it in the place of its call before anybody else has it
        pytest.param("Region", "dynamo", marks=pytest.mark.thorough),
        *(pytest.param(name, level, marks=_marks(name, level)) for name in NAMES for level in LEVELS),
    ],
)
def test_an_edit_is_the_same_change_of_the_source(
    tmp_path: Path, in_source: Callable[[str], tuple[Texts, dict[str, torch.Tensor]]], name: str, level: str
):
    texts, results = in_source(name)
    live = captured(tmp_path, name, PROGRAM)
    edits = edits_of(live.capture, level)
    fewest = 1 if level == "dynamo" or (name, level) in GRADIENT_LACKS_IT else 2
    assert len(edits) >= fewest, "the forward's body, and that of its gradient"
    program = EditedProgram(live)
    _, problems = program.preview(edits)
    assert problems == ()
    made = program.recompile(edits, "capture-2", lambda text: None)
    assert not consistent(made)[1]
    assert edits_of(made, level) == ()
    assert texts_of(made) == texts
    edited = results_of(live)
    for result, expected in results.items():
        torch.testing.assert_close(edited[result], expected)
    verdict = judge_edits(program, edits, 0.0, lambda text: None)
    assert [row for row in verdict.comparisons if row.agrees], verdict
    assert [row for row in verdict.comparisons if row.agrees is False] == []
    back = program.recompile((), "capture-3", lambda text: None)
    assert texts_of(back) == texts_of(live.capture)
    if level != "dynamo":
        links, before = Provenance(live.capture.links), texts_of(live.capture)
        reached = {
            (stage, kernel)
            for edit in edits
            if isinstance(edit, SetArgument)
            for stage, kernels in links.descendants(place(edit.stage, edit.node)).items()
            for kernel in kernels
        }
        assert {key for key in before if before[key] != texts[key]} == reached & set(before)
        loops, others = loops_of(live.capture), loops_of(made)
        assert {key for key in loops if loops[key] != others[key]} == reached & set(loops) != set()


@pytest.mark.thorough
def test_bodies_of_the_joint_graph_come_from_those_before_and_lead_to_the_halves(tmp_path: Path):
    capture = captured(tmp_path, "Branches", PROGRAM).capture
    links = Provenance(capture.links)
    bodies = {stage.id: stage for stage in capture.of_kind(StageKind.BODY)}
    forward, backward = bodies["0/0:joint:true_graph_0"], bodies["0/0:joint:true_graph_1"]
    assert forward.made_from == ("0/0:joint",)
    assert why_fixed(forward) == ""
    sine = next(node.id for node in forward.graph.nodes if node.target == "aten.sin.default")
    above = links.ancestors(place(forward.id, sine))
    (traced,) = above["0/0:dynamo:cond_true_0"]
    assert bodies["0/0:dynamo:cond_true_0"].graph.by_id()[traced].target == "torch.sin"
    below = links.descendants(place(forward.id, sine))
    assert below["0/0:forward:aot:true_graph_0"] == {sine}
    assert not any(":backward:" in stage for stage in below)
    gradient = next(node.id for node in backward.graph.nodes if node.target == "aten.cos.default")
    below = links.descendants(place(backward.id, gradient))
    assert below["0/0:backward:aot:true_graph_1"] == {gradient}
    assert below["0/0:backward:kernels"]
    assert not any(":forward:" in stage for stage in below)


@pytest.mark.thorough
def test_edits_of_a_body_and_of_what_calls_it_are_reported_together(tmp_path: Path):
    live = captured(tmp_path, "Branches", PROGRAM)
    (late,) = (edit for edit in edits_of(live.capture, "post_grad") if ":forward:" in edit.stage)
    (aot,) = (edit for edit in edits_of(live.capture, "aot") if ":forward:" in edit.stage)
    early = SetArgument(aot.stage, aot.node, aot.path, ConstantArgument("float", "4.5"))
    made = EditedProgram(live).recompile((early, late), "capture-2", lambda text: None)
    body = next(stage for stage in made.stages if stage.id == late.stage)
    node = next(node for node in body.graph.nodes if node.id == late.node)
    assert node.args.items[1] == ConstantArgument("float", "3.5")


@pytest.mark.thorough
def test_a_body_that_an_earlier_edit_took_away_is_reported_in_words(tmp_path: Path):
    live = captured(tmp_path, "Branches", PROGRAM)
    (dynamo,) = live.capture.of_kind(StageKind.DYNAMO_GRAPH)
    linear = next(node.id for node in dynamo.graph.nodes if "linear" in node.target)
    last = next(node.id for node in dynamo.graph.nodes if node.target == "_operator.add")
    without = SetArgument(dynamo.id, last, ("args", "0"), NodeArgument(linear))
    edits = (without, *edits_of(live.capture, "joint"))
    program = EditedProgram(live)
    with pytest.raises(EngineError) as reported:
        program.recompile(edits, "capture-2", lambda text: None)
    assert "0/0:joint:true_graph_" in str(reported.value)
    assert "What was edited before may be why" in str(reported.value)


@pytest.mark.thorough
def test_an_edit_of_a_body_that_a_pass_left_behind_is_refused_in_words(tmp_path: Path):
    live = captured(tmp_path, "Mapped", PROGRAM)
    body = next(stage for stage in live.capture.stages if stage.id == "0/0:forward:post_grad:body_graph_0")
    assert not is_called(live.capture, body)
    sine = next(node for node in body.graph.nodes if node.target == "aten.sin.default")
    edit = ReplaceTarget(body.id, sine.id, sine.op, "aten.cos.default", sine.args)
    for ask in (EditedProgram(live).preview, lambda edits: EditedProgram(live).recompile(edits, "c", print)):
        with pytest.raises(EngineError) as reported:
            ask((edit,))
        assert "Nothing calls 0/0:forward:post_grad:body_graph_0" in str(reported.value)
