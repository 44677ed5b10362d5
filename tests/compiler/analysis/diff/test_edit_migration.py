"""Edits find what they name in a changed program by what it is, never by its name."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.analysis.diff.edit_migration import carry_edits
from compiler.analysis.diff.node_identity import identify
from compiler.model.capture.capture import Capture
from compiler.model.edits.edits import (
    BypassNode,
    ChooseFusion,
    Edit,
    EditGroup,
    InsertNode,
    ReplaceKernel,
    ReplaceTarget,
    SetArgument,
    apply_graph_edit,
)
from compiler.model.edits.recipe_file import made_recipe, read_recipe, recipe_text
from compiler.model.ir.argument_substitution import mapped_mapping, mapped_sequence
from compiler.model.ir.arguments import ConstantArgument, MappingArgument, NodeArgument, SequenceArgument
from compiler.model.ir.graph import Graph, Node, SourceLine
from compiler.model.ir.ids import NodeId
from compiler.model.ir.stage import FxStage
from tests.compiler.model.graphs import STAGE, edits_for, graphs
from tests.helpers import sample_capture as sample
from tests.helpers.changed_capture import with_content
from tests.helpers.thoroughness import examples


def _call(
    name: str, target: str, *used: str, line: str = "", module: str = "", constant: float | None = None
) -> Node:
    items = [NodeArgument(item) for item in used]
    extra = [ConstantArgument("float", str(constant))] if constant is not None else []
    return Node(
        name,
        "call_function",
        target,
        SequenceArgument("tuple", (*items, *extra)),
        module_path=module,
        stack=(SourceLine("m.py", 3, "forward", line or target),),
    )


X = Node("x", "placeholder", "x", SequenceArgument("tuple", ()))


def _graph(*nodes: Node) -> Graph:
    return Graph((X, *nodes, sample.output(nodes[-1].id)))


def _with(graph: Graph) -> Capture:
    """The sample capture with another Dynamo graph."""
    return with_content(sample.capture(), STAGE, lambda _: FxStage(graph))


def _renamed(graph: Graph, names: dict[NodeId, NodeId]) -> Graph:
    def node(name: NodeId) -> NodeArgument:
        return NodeArgument(names.get(name, name))

    return Graph(
        tuple(
            msgspec.structs.replace(
                item,
                id=names.get(item.id, item.id),
                args=mapped_sequence(item.args, node),
                kwargs=mapped_mapping(item.kwargs, node),
            )
            for item in graph.nodes
        )
    )


def _reason(edit: Edit, before: Graph, after: Graph) -> str:
    carried = carry_edits((edit,), _with(before), _with(after))
    assert not carried.fitting
    return carried.others[0][1]


@given(st.data())
@settings(max_examples=examples(150), deadline=None)
def test_renaming_all_nodes_changes_nothing_about_which_edits_fit(data: st.DataObject) -> None:
    before = data.draw(graphs())
    edits: list[Edit] = []
    now = before
    for _ in range(data.draw(st.integers(1, 4))):
        edit = data.draw(edits_for(now))
        now, _ = apply_graph_edit(now, edit)
        edits.append(edit)
    numbers = data.draw(st.permutations(range(len(before.nodes))))
    names = {node.id: f"r{number}" for node, number in zip(before.nodes, numbers, strict=True)}
    after = _renamed(before, names)
    carried = carry_edits(tuple(edits), _with(before), _with(after))
    assert not carried.others
    there = after
    for edit in carried.fitting:
        there, _ = apply_graph_edit(there, edit)
    back = {new: old for old, new in names.items()}
    assert [item.target for item in there.nodes] == [item.target for item in now.nodes]
    spelled = _renamed(there, back)
    assert [item.args for item in spelled.nodes] == [item.args for item in now.nodes]


@given(graphs(), st.permutations(range(12)))
def test_every_node_is_itself_under_another_name(before: Graph, numbers: list[int]) -> None:
    names = {node.id: f"r{number}" for node, number in zip(before.nodes, numbers, strict=False)}
    found = identify(before, _renamed(before, names))
    assert {name: row.node for name, row in found.items()} == {
        node.id: names.get(node.id, node.id) for node in before.nodes
    }


RELUS = _graph(
    _call("relu", "torch.relu", "x", line="a = torch.relu(x)"),
    _call("relu_1", "torch.relu", "relu", line="b = torch.relu(a)"),
    _call("mul", "_operator.mul", "relu_1", constant=2.0),
)


def test_one_more_call_before_it_does_not_draw_an_edit_to_itself() -> None:
    """Torch calls the new one relu and the others relu_1 and relu_2: by name the edit would hit another line."""
    after = _graph(
        _call("relu", "torch.relu", "x", line="x = torch.relu(x)"),
        _call("relu_1", "torch.relu", "relu", line="a = torch.relu(x)"),
        _call("relu_2", "torch.relu", "relu_1", line="b = torch.relu(a)"),
        _call("mul", "_operator.mul", "relu_2", constant=2.0),
    )
    edit = BypassNode(STAGE, "relu_1", "relu")
    carried = carry_edits((edit,), _with(RELUS), _with(after))
    assert carried.fitting == (BypassNode(STAGE, "relu_2", "relu_1"),)


def test_insertions_stand_where_they_stood_and_take_a_free_name() -> None:
    neg = _call("neg", "torch.neg", "relu")
    made = InsertNode(STAGE, neg, 2, (("relu_1", ("args", "0")),))
    on_top = SetArgument(STAGE, "neg", ("args", "0"), NodeArgument("x"))
    after = _graph(
        _call("neg", "torch.neg", "x", line="x = -x"),
        _call("relu", "torch.relu", "neg", line="a = torch.relu(x)"),
        _call("relu_1", "torch.relu", "relu", line="b = torch.relu(a)"),
        _call("mul", "_operator.mul", "relu_1", constant=2.0),
    )
    carried = carry_edits((EditGroup("both", (made,)), on_top), _with(RELUS), _with(after))
    assert not carried.others
    group, later = carried.fitting
    assert isinstance(group, EditGroup)
    assert isinstance(group.edits[0], InsertNode)
    assert (group.edits[0].node.id, group.edits[0].index) == ("neg_1", 3)
    assert later == SetArgument(STAGE, "neg_1", ("args", "0"), NodeArgument("x"))


def test_a_line_that_reads_otherwise_is_still_the_same_call() -> None:
    after = _graph(
        _call("relu", "torch.relu", "x", line="first = torch.relu(x)  # the first"),
        _call("relu_1", "torch.relu", "relu", line="b = torch.relu(first)"),
        _call("mul", "_operator.mul", "relu_1", constant=2.0),
    )
    edit = ReplaceTarget(STAGE, "relu", "call_function", "torch.tanh", RELUS.node("relu").args)
    assert carry_edits((edit,), _with(RELUS), _with(after)).fitting == (edit,)


def test_what_is_gone_is_reported_with_the_nearest() -> None:
    after = _graph(
        _call("relu", "torch.relu", "x", line="a = torch.relu(x)"),
        _call("tanh", "torch.tanh", "relu", line="b = torch.relu(a)"),
        _call("mul", "_operator.mul", "tanh", constant=2.0),
    )
    reported = _reason(BypassNode(STAGE, "relu_1", "relu"), RELUS, after)
    assert reported == "relu_1 is gone; the nearest is tanh (torch.tanh, b = torch.relu(a))"


def test_what_cannot_be_distinguished_is_not_guessed() -> None:
    """A loop over one line that goes round once more: the second of two, is it the second of three?"""
    line = "x = torch.relu(x)"
    before = _graph(
        _call("relu", "torch.relu", "x", line=line), _call("relu_1", "torch.relu", "relu", line=line)
    )
    after = _graph(
        _call("relu", "torch.relu", "x", line=line),
        _call("relu_1", "torch.relu", "relu", line=line),
        _call("relu_2", "torch.relu", "relu_1", line=line),
    )
    reported = _reason(BypassNode(STAGE, "relu_1", "relu"), before, after)
    assert "such calls were 2, and are 3 now" in reported


def test_an_edit_on_top_of_one_that_does_not_fit_is_reported() -> None:
    neg = _call("neg", "torch.neg", "relu_1")
    made = InsertNode(STAGE, neg, 3, ())
    on_top = SetArgument(STAGE, "neg", ("args", "0"), NodeArgument("x"))
    after = _graph(_call("relu", "torch.relu", "x", line="a = torch.relu(x)"))
    carried = carry_edits((made, on_top), _with(RELUS), _with(after))
    assert [why for _, why in carried.others][1] == "neg was made by an edit that does not fit"


def test_choices_about_loops_and_kernels_follow_what_they_compute() -> None:
    capture = sample.capture()
    choice = ChooseFusion("0/0:forward:loops", "op0", "op1", False)
    same = carry_edits((choice,), capture, msgspec.structs.replace(capture, id="capture-2"))
    assert same.fitting == (choice,)
    kernel = ReplaceKernel("0/0:forward:kernels", "no_such", "text")
    gone = carry_edits((kernel,), capture, _with(RELUS))
    assert "no_such" in gone.others[0][1]


def test_a_recipe_finds_its_nodes_by_the_graphs_it_brings_along() -> None:
    edit = BypassNode(STAGE, "relu_1", "relu")
    recipe = made_recipe((edit,), _with(RELUS))
    read = read_recipe(recipe_text(recipe).encode())
    assert read == recipe
    assert read.made_on is not None
    after = _renamed(RELUS, {"relu": "relu_4", "relu_1": "relu_5"})
    assert carry_edits(read.edits, read.made_on, _with(after)).fitting == (
        BypassNode(STAGE, "relu_5", "relu_4"),
    )
    assert read_recipe(msgspec.json.encode((edit,))).edits == (edit,)
    with pytest.raises(msgspec.MsgspecError):
        read_recipe(b"[{")


def test_keywords_are_renamed_too() -> None:
    node = msgspec.structs.replace(
        RELUS.node("mul"), kwargs=MappingArgument((("out", NodeArgument("relu")),))
    )
    before = _graph(RELUS.node("relu"), RELUS.node("relu_1"), node)
    after = _renamed(before, {"relu": "a", "relu_1": "b", "mul": "c"})
    edit = ReplaceTarget(STAGE, "mul", "call_function", "torch.add", node.args, node.kwargs)
    (carried,) = carry_edits((edit,), _with(before), _with(after)).fitting
    assert isinstance(carried, ReplaceTarget)
    assert carried.kwargs == MappingArgument((("out", NodeArgument("a")),))
