"""A text that another front end made, replaced as an edit: exact inverse, refusals, and what follows a changed program."""

import random

import msgspec
import pytest

from compiler.analysis.diff.edit_migration import carry_edits
from compiler.model.capture.capture import Capture, Environment
from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec
from compiler.model.capture.front_ends import FX_CODE, FX_GRAPH
from compiler.model.edits.edits import (
    BypassNode,
    Edit,
    EditError,
    ReplaceTarget,
    ReplaceText,
    apply_edit,
    describe_edit,
    keeps_graphs,
    nodes_of,
)
from compiler.model.edits.text_edits import fingerprint
from compiler.model.ir.arguments import NodeArgument, SequenceArgument
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.stage import FxStage, Stage, StageKind, TextStage
from tests.helpers.sample_capture import graph_with

GRAPH = graph_with(
    Node("x", "placeholder", "x", SequenceArgument("tuple", ())),
    Node("relu", "call_function", "torch.relu", SequenceArgument("tuple", (NodeArgument("x"),))),
    Node("exp", "call_function", "torch.exp", SequenceArgument("tuple", (NodeArgument("relu"),))),
    Node("output", "output", "output", SequenceArgument("tuple", (NodeArgument("exp"),))),
)
TEXT = "def forward(self, x):\n    return torch.relu(x)\n"
CODE = TextStage(TEXT, "python")


def test_any_row_of_replacements_is_taken_back_exactly() -> None:
    chance = random.Random(5)
    for _ in range(200):
        texts = [TEXT, TEXT + " ", "return x", "return -x\n", "pass"]
        content, done = CODE, []
        for _ in range(chance.randrange(1, 8)):
            edit = ReplaceText(FX_CODE, chance.choice(texts), fingerprint(TEXT))
            if edit.text == content.text:
                continue
            before = content
            made, back = apply_edit(content, edit)
            assert isinstance(made, TextStage)
            assert apply_edit(made, back) == (before, edit)
            content = made
            done.append((before, back))
        for before, back in reversed(done):
            undone, _ = apply_edit(content, back)
            assert undone == before
            content = before
        assert content == CODE


def test_it_survives_being_written_down() -> None:
    edit: Edit = ReplaceText(FX_CODE, "x = 1", "0")
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(edit), type=Edit) == edit
    assert describe_edit(edit) == "Edit the generated Python"
    assert nodes_of(edit) == ()
    assert not keeps_graphs(edit)


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (ReplaceText(FX_CODE, TEXT, fingerprint(TEXT)), "the same"),
        (ReplaceText(FX_CODE, "x", "0"), "another one"),
        (ReplaceText(FX_CODE, " \n", fingerprint(TEXT)), "no text"),
        (BypassNode(FX_CODE, "relu", "x"), "Of a text"),
    ],
)
def test_what_does_not_fit_says_why(edit: Edit, why: str) -> None:
    with pytest.raises(EditError, match=why):
        apply_edit(CODE, edit)
    with pytest.raises(EditError):
        apply_edit(GRAPH, ReplaceText(FX_GRAPH, "x", ""))


def capture(graph: Graph, text: str) -> Capture:
    stages = (
        Stage(FX_GRAPH, StageKind.FRONT_END_GRAPH, "Symbolic trace", FxStage(graph), "fx"),
        Stage(FX_CODE, StageKind.FRONT_END_TEXT, "Generated Python", TextStage(text, "python"), "fx"),
    )
    spec = CaptureSpec(TargetSpec("net.py:Net"), front_end="fx")
    return Capture("c1", spec, Environment("2.13", "3.11", "linux"), stages)


def test_edits_of_a_front_end_follow_a_changed_program() -> None:
    relu = GRAPH.node("relu")
    other = graph_with(
        GRAPH.nodes[0],
        relu,
        msgspec.structs.replace(GRAPH.node("exp"), target="torch.tanh"),
        GRAPH.nodes[-1],
    )
    swap = ReplaceTarget(FX_GRAPH, relu.id, relu.op, "torch.nn.functional.gelu", relu.args)
    text = ReplaceText(FX_CODE, "pass", fingerprint(TEXT))
    before = capture(GRAPH, TEXT)
    assert carry_edits((swap, text), before, capture(other, TEXT)).fitting == (swap, text)
    lost = carry_edits((swap, text), before, capture(other, "return x"))
    assert lost.fitting == (swap,)
    assert "another one now" in lost.others[0][1]
