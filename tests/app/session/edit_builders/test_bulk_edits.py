"""Many nodes at once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.session.edit_builders.bulk_edits import (
    arguments_of_all,
    remove_nodes,
    same_call,
    same_module,
    same_operation,
)
from compiler.model.edits.edits import apply_graph_edit
from compiler.model.edits.node_edits import SetArguments
from compiler.model.edits.validation import EditError
from compiler.model.ir.arguments import ConstantArgument
from compiler.model.operators.op_schemas import OpSignature, Parameter
from compiler.model.session_file.stage_checks import check_graph
from tests.compiler.model.graphs import STAGE, graphs
from tests.helpers.sample_capture import args, graph_with, node, output, placeholder

DROPOUT = "torch.nn.functional.dropout"
GRAPH = graph_with(
    placeholder("x"),
    node("a", DROPOUT, "x", 0.5, module_path="layers.0"),
    node("b", DROPOUT, "a", 0.5, module_path="layers.0.drop"),
    node("c", DROPOUT, "b", 0.1, module_path="layers.1"),
    node("d", "torch.relu", "c"),
    output("d"),
)
SIGNATURE = OpSignature(
    "dropout",
    (
        Parameter("input", "Tensor", "tensor"),
        Parameter("p", "float", "float", default=ConstantArgument("float", "0.5"), required=False),
        Parameter("training", "bool", "bool", default=ConstantArgument("bool", "True"), required=False),
    ),
)


def test_likeness() -> None:
    assert same_operation(GRAPH, "a") == ("a", "b", "c")
    assert same_call(GRAPH, "a") == ("a", "b")
    assert same_module(GRAPH, "a") == ("a", "b")
    assert same_module(GRAPH, "d") == ("d",)


@given(st.data())
def test_any_nodes_can_be_removed_together(data: st.DataObject) -> None:
    graph = data.draw(graphs())
    calls = [node.id for node in graph.nodes if node.op == "call_function"]
    chosen = tuple(data.draw(st.lists(st.sampled_from(calls), min_size=1, unique=True)))
    edited, inverse = apply_graph_edit(graph, remove_nodes(STAGE, graph, chosen))
    assert list(check_graph(edited)) == []
    assert {node.id for node in edited.nodes} == {node.id for node in graph.nodes} - set(chosen)
    assert apply_graph_edit(edited, inverse)[0] == graph


def test_what_nothing_can_stand_for_stays() -> None:
    lonely = graph_with(node("zeros", "torch.zeros", 3), node("relu", "torch.relu", "zeros"), output("relu"))
    with pytest.raises(EditError, match="no input"):
        remove_nodes(STAGE, lonely, ("zeros",))
    with pytest.raises(EditError, match="Inputs and outputs"):
        remove_nodes(STAGE, lonely, ("output",))


def test_one_argument_of_many_nodes() -> None:
    edit = SetArguments(STAGE, "a", args("x", 0.9))
    both = arguments_of_all(edit, GRAPH, SIGNATURE, ("b", "c"))
    edited, inverse = apply_graph_edit(GRAPH, both)
    assert [edited.node(name).args for name in "abc"] == [args("x", 0.9), args("a", 0.9), args("b", 0.9)]
    assert apply_graph_edit(edited, inverse)[0] == GRAPH
    shorter = arguments_of_all(SetArguments(STAGE, "a", args("x")), GRAPH, SIGNATURE, ("c",))
    assert apply_graph_edit(GRAPH, shorter)[0].node("c").args == args("b")
    needed = OpSignature("f", (SIGNATURE.parameters[0], Parameter("p", "float", "float")))
    with pytest.raises(EditError, match="another way"):
        arguments_of_all(edit, GRAPH, needed, ("d",))
