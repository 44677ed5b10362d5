"""Edits apply, refuse what does not fit, and are undone exactly."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.model.edits.edits import (
    BypassNode,
    EditError,
    EditGroup,
    InsertNode,
    ReplaceTarget,
    SetArgument,
    apply_edit,
    apply_edits,
    describe_edit,
    stages_of,
)
from compiler.model.edits.node_edits import ReorderNodes, SetArguments
from compiler.model.ir.arguments import ConstantArgument, NodeArgument, SequenceArgument
from compiler.model.ir.graph import Graph, Node
from compiler.model.session_file.stage_checks import check_graph
from tests.compiler.model.graphs import STAGE, edits_for, graphs
from tests.helpers.sample_capture import graph_with
from tests.helpers.thoroughness import examples


@given(st.data())
@settings(max_examples=examples(300), deadline=None)
def test_undo_gives_the_very_same_graph_and_redo_the_edited_one(data: st.DataObject) -> None:
    graph = data.draw(graphs())
    trail = [graph]
    inverses = []
    for _ in range(data.draw(st.integers(1, 4))):
        edited, inverse = apply_edit(trail[-1], data.draw(edits_for(trail[-1])))
        assert list(check_graph(edited)) == []
        assert edited.users() == Graph(edited.nodes).users()
        trail.append(edited)
        inverses.append(inverse)
    current = trail[-1]
    for before, inverse in zip(reversed(trail[:-1]), reversed(inverses), strict=True):
        after = current
        current, redo = apply_edit(current, inverse)
        assert current == before
        again, _ = apply_edit(current, redo)
        assert again == after


def _chain() -> Graph:
    tuple_of = lambda *names: SequenceArgument("tuple", tuple(map(NodeArgument, names)))  # noqa: E731
    return graph_with(
        Node("x", "placeholder", "x", tuple_of()),
        Node("relu", "call_function", "torch.relu", tuple_of("x")),
        Node("sin", "call_function", "torch.sin", tuple_of("relu")),
        Node("output", "output", "output", tuple_of("sin")),
    )


def test_bypassing_dropout_lets_its_users_use_its_input() -> None:
    edited, inverse = apply_edit(_chain(), BypassNode(STAGE, "relu", "x"))
    assert [node.id for node in edited.nodes] == ["x", "sin", "output"]
    assert edited.node("sin").inputs() == ("x",)
    assert isinstance(inverse, InsertNode)
    assert inverse.index == 1


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (BypassNode(STAGE, "nope", "x"), "no node nope"),
        (BypassNode(STAGE, "x", None), "cannot be removed"),
        (BypassNode(STAGE, "output", "x"), "cannot be removed"),
        (BypassNode(STAGE, "relu", None), "used by sin"),
        (BypassNode(STAGE, "relu", "sin"), "does not come before"),
        (SetArgument(STAGE, "relu", ("args", "0"), NodeArgument("sin")), "does not come before"),
        (SetArgument(STAGE, "relu", ("args", "0"), NodeArgument("relu")), "its own result"),
        (SetArgument(STAGE, "relu", ("args", "7"), NodeArgument("x")), "no argument args.7"),
        (SetArgument(STAGE, "relu", ("args",), NodeArgument("x")), "names no argument"),
        (SetArgument(STAGE, "x", ("args", "0"), NodeArgument("x")), "is an input"),
        (SetArguments(STAGE, "x", SequenceArgument("tuple", ())), "is an input"),
        (
            SetArguments(STAGE, "relu", SequenceArgument("tuple", (NodeArgument("sin"),))),
            "does not come before",
        ),
        (ReorderNodes(STAGE, ("sin", "relu")), "sin uses relu"),
        (ReorderNodes(STAGE, ("sin", "sin")), "twice"),
        (ReorderNodes(STAGE, ("nope", "relu")), "no node nope"),
        (ReorderNodes(STAGE, ("relu", "x")), "keeps its place"),
        (
            ReplaceTarget(STAGE, "x", "call_function", "torch.sin", SequenceArgument("tuple", ())),
            "calls nothing",
        ),
        (
            InsertNode(STAGE, Node("sin", "call_function", "t", SequenceArgument("tuple", ())), 1, ()),
            "already a node",
        ),
        (
            InsertNode(STAGE, Node("new", "call_function", "t", SequenceArgument("tuple", ())), 9, ()),
            "no position",
        ),
        (
            InsertNode(STAGE, Node("new", "placeholder", "t", SequenceArgument("tuple", ())), 1, ()),
            "cannot be inserted",
        ),
        (
            InsertNode(
                STAGE,
                Node("new", "call_function", "t", SequenceArgument("tuple", ())),
                3,
                (("relu", ("args", "0")),),
            ),
            "comes before new",
        ),
        (
            InsertNode(
                STAGE,
                Node("new", "call_function", "t", SequenceArgument("tuple", ())),
                3,
                (("gone", ("args", "0")),),
            ),
            "no node gone that could use new",
        ),
    ],
)
def test_an_edit_that_does_not_fit_is_refused_in_words(edit: object, words: str) -> None:
    graph = _chain()
    with pytest.raises(EditError, match=words):
        apply_edit(graph, edit)
    assert graph == _chain()


def test_a_group_is_one_step_and_is_described_by_its_label() -> None:
    group = EditGroup(
        "Every activation",
        (
            ReplaceTarget(STAGE, "relu", "call_function", "torch.tanh", _chain().node("relu").args),
            SetArgument(STAGE, "sin", ("args", "0"), NodeArgument("x")),
        ),
    )
    edited, inverse = apply_edit(_chain(), group)
    assert edited.node("relu").target == "torch.tanh"
    assert apply_edit(edited, inverse)[0] == _chain()
    assert describe_edit(group) == "Every activation"
    assert stages_of(group) == (STAGE,)


def test_edits_of_other_stages_leave_a_graph_alone() -> None:
    other = SetArgument("1/0:dynamo", "relu", ("args", "0"), ConstantArgument("int", "1"))
    assert apply_edits(_chain(), (other,), STAGE) == _chain()
