import pytest

from app.session.edit_builders.from_selection import (
    insert_on_edge,
    replace_every,
    replace_target,
    uses_of,
)
from compiler.analysis.transforms.activations import dropouts, relus_to_gelus, remove_dropouts
from compiler.model.edits.edits import EditError, EditGroup, ReplaceTarget, apply_edit
from compiler.model.ir.fresh_names import unused_name
from compiler.model.ir.graph import Graph
from compiler.model.operators.op_candidates import OpChoice
from tests.helpers.sample_capture import args, aten_graph, graph_with, node, output, placeholder

S = "0/0:dynamo"


def graph() -> Graph:
    return graph_with(
        placeholder("x"),
        placeholder("w"),
        node("relu", "torch.relu", "x"),
        node("dropout", "torch.nn.functional.dropout", "relu", 0.5),
        node("dropout_1", "torch.nn.functional.dropout", "dropout", 0.5),
        node("relu_1", "torch.relu", "dropout_1"),
        output("relu_1"),
    )


def choice(label: str, *arguments: str | float, target: str = "") -> OpChoice:
    return OpChoice("call_function", target or f"torch.{label}", label, f"{label}(input)", args(*arguments))


def applied(edit) -> Graph:
    changed, inverse = apply_edit(graph(), edit)
    assert apply_edit(changed, inverse)[0] == graph()
    return changed


def test_names_of_operations() -> None:
    assert graph().node("dropout").operation == "dropout"
    assert aten_graph().node("mul").operation == "mul"


def test_replacing_a_target_takes_the_choices_arguments() -> None:
    edit = replace_target(S, "relu", choice("leaky_relu", "x", 0.1))
    assert edit == ReplaceTarget(S, "relu", "call_function", "torch.leaky_relu", args("x", 0.1))


def test_replacing_every_node_keeps_each_ones_own_inputs() -> None:
    edit = replace_every(S, graph(), "relu", choice("leaky_relu", "x", 0.1))
    assert isinstance(edit, EditGroup)
    changed = applied(edit)
    assert changed.node("relu").args == args("x", 0.1)
    assert changed.node("relu_1").args == args("dropout_1", 0.1)


def test_removing_dropouts_that_feed_one_another() -> None:
    changed = applied(remove_dropouts(S, graph()))
    assert dropouts(changed) == ()
    assert changed.node("relu_1").inputs() == ("relu",)
    with pytest.raises(EditError, match="no dropout"):
        remove_dropouts(S, changed)


def test_relus_become_gelus() -> None:
    changed = applied(relus_to_gelus(S, graph()))
    assert changed.node("relu").target == "torch.nn.functional.gelu"
    assert changed.node("relu_1").inputs() == ("dropout_1",)
    aten = relus_to_gelus(S, aten_graph())
    changed = apply_edit(aten_graph(), aten)[0]
    assert changed.node("relu").target == "aten.gelu.default"


def test_inserting_on_one_edge_and_behind_inputs() -> None:
    uses = uses_of(graph(), "x")
    assert uses == (("relu", ("args", "0")),)
    changed = applied(insert_on_edge(S, graph(), "x", uses, choice("tanh", "x")))
    assert [one.id for one in changed.nodes][:4] == ["x", "w", "tanh", "relu"]
    assert changed.node("relu").inputs() == ("tanh",)
    with pytest.raises(EditError, match="no edge"):
        insert_on_edge(S, graph(), "w", (), choice("tanh", "w"))


def test_names_are_made_unique() -> None:
    assert unused_name(graph(), "relu") == "relu_2"
    assert unused_name(graph(), "tanh") == "tanh"
    assert unused_name(graph(), "3d conv") == "n_3d_conv"
