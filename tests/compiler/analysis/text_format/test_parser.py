"""The program of a graph is read back as that graph, and what was changed by hand comes to edits."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.analysis.text_format.parser import ParsedGraph, parse_graph
from compiler.analysis.text_format.printer import program
from compiler.model.edits.edits import EditGroup, apply_edit, apply_graph_edit
from compiler.model.edits.edits_between import edits_between
from compiler.model.ir.arguments import (
    ConstantArgument,
    MappingArgument,
    NodeArgument,
    SequenceArgument,
    SliceArgument,
)
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.stage import FxStage, Stage, StageKind
from compiler.model.session_file.stage_checks import check_graph
from tests.compiler.model.graphs import STAGE, edits_for, graphs
from tests.helpers.sample_capture import args, aten_graph, dynamo_graph, graph_with, node, output, placeholder
from tests.helpers.thoroughness import examples


def printed(graph: Graph) -> str:
    return program(Stage(STAGE, StageKind.DYNAMO_GRAPH, "Dynamo graph", FxStage(graph))).text


def read(text: str, base: Graph, as_printed: bool = True) -> Graph:
    parsed = parse_graph(text, base, as_printed)
    assert parsed.faults == ()
    assert parsed.graph is not None
    return parsed.graph


@pytest.mark.thorough
@given(st.data())
@settings(max_examples=examples(200), deadline=None)
def test_what_is_printed_is_read_back(data: st.DataObject) -> None:
    graph = data.draw(graphs())
    for _ in range(data.draw(st.integers(0, 3))):
        graph, _ = apply_graph_edit(graph, data.draw(edits_for(graph)))
    for as_printed in (True, False):
        again = read(printed(graph), graph, as_printed)
        assert again == graph
        assert printed(again) == printed(graph)


@pytest.mark.thorough
@given(st.data())
@settings(max_examples=examples(200), deadline=None)
def test_a_changed_program_comes_to_edits_that_lead_there(data: st.DataObject) -> None:
    before = after = data.draw(graphs())
    for _ in range(data.draw(st.integers(1, 5))):
        after, _ = apply_graph_edit(after, data.draw(edits_for(after)))
    wanted = read(printed(after), before)
    calls = lambda graph: [(n.id, n.op, n.target, n.args, n.kwargs) for n in graph.nodes]  # noqa: E731
    assert calls(wanted) == calls(after)
    edit = edits_between(STAGE, before, wanted, "by hand")
    if edit is None:
        assert calls(before) == calls(after)
        return
    graph = before
    for part in edit.edits:  # every step on its own leaves a graph that can run
        graph, _ = apply_graph_edit(graph, part)
        assert list(check_graph(graph)) == []
    edited, inverse = apply_edit(before, edit)
    assert calls(edited) == calls(after)
    assert apply_edit(edited, inverse)[0] == before


def test_sample_graphs_with_every_kind_of_argument() -> None:
    graph = graph_with(
            placeholder("x"),
            Node("w", "get_attr", "sub.weight", args()),
            Node("view", "call_method", "view", args("x", 2, -1), value=None),
            Node("sub", "call_module", "layers.0", args("view")),
            Node(
                "getitem", "call_function", "_operator.getitem",
                SequenceArgument("tuple", (NodeArgument("sub"), SequenceArgument("tuple", (
                    SliceArgument(ConstantArgument("none", "None"), ConstantArgument("int", "2"), ConstantArgument("none", "None")),
                    ConstantArgument("ellipsis", "..."),
                )))),
            ),
            Node(
                "to", "call_method", "to", args("getitem"),
                MappingArgument((
                    ("dtype", ConstantArgument("dtype", "torch.bfloat16")),
                    ("device", ConstantArgument("device", "device('cpu')")),
                    ("other", ConstantArgument("opaque", "<object at 0x7f>")),
                    ("size", ConstantArgument("opaque", "s27")),
                    ("text", ConstantArgument("str", "'a # b\\n'")),
                )),
            ),
            Node("output", "output", "output", SequenceArgument("tuple", (SequenceArgument("list", ()),))),
        )  # fmt: skip
    for as_printed in (True, False):
        assert read(printed(graph), graph, as_printed) == graph
    for sample in (dynamo_graph(), aten_graph()):
        assert read(printed(sample), sample, as_printed=False) == sample


def changed(old: str, new: str, graph: Graph | None = None) -> ParsedGraph:
    graph = graph or dynamo_graph()
    text = printed(graph)
    assert old in text
    before, _, behind = text.rpartition(old)
    return parse_graph(before + new + behind, graph)


def test_python_is_understood_as_people_write_it() -> None:
    result = changed(
        "z = torch.relu(y)", "z = torch.relu(-y + y.sin()[0]).clamp(\n        min=0.5,\n    ) * 2"
    )
    assert result.faults == ()
    graph = result.graph
    assert list(check_graph(graph)) == []
    assert graph.node("z").target == "_operator.mul"
    targets = [node.target for node in graph.nodes if node.op.startswith("call")]
    assert targets == [
        "_operator.matmul", "_operator.neg", "sin", "_operator.getitem", "_operator.add", "torch.relu", "clamp",
        "_operator.mul", "_operator.mul",
    ]  # fmt: skip
    assert graph.node("z").stack == dynamo_graph().node("z").stack
    assert len({node.id for node in graph.nodes}) == len(graph.nodes)


def test_a_line_taken_out_a_line_put_in() -> None:
    graph = dynamo_graph()
    text = (
        printed(graph)
        .replace("torch.relu(y)", "torch.nn.functional.gelu(t)")
        .replace("    z =", "    t = y.tanh()\n    z =")
    )
    edit = edits_between(STAGE, graph, read(text, graph), "by hand")
    assert isinstance(edit, EditGroup)
    edited, _ = apply_graph_edit(graph, edit)
    assert [node.id for node in edited.nodes] == ["l_x_", "l_w_", "y", "t", "z", "mul", "output"]


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("torch.relu(y)", "torch.relu(q)", 9, "no node q"),
        ("torch.relu(y)", "torch.relu(mul)", 9, "no node mul before"),
        ("torch.relu(y)", "torch.relu(y", 9, "never closed"),
        ("torch.relu(y)", "relu(y)", 9, "torch.relu"),
        ("torch.relu(y)", "y", 9, "only names y again"),
        ("torch.relu(y)", "3", 9, "calls something"),
        ("torch.relu(y)", "torch.relu(*y)", 9, "unpacked"),
        ("torch.relu(y)", "torch.relu(**y)", 9, "unpacked"),
        ("z = torch.relu(y)", "y = torch.relu(y)", 9, "assigned twice"),
        ("z = torch.relu(y)", "z += 1", 9, "name = call"),
        ("z = torch.relu(y)", "import os", 9, "name = call"),
        ("z = torch.relu(y)", "z = (lambda: 1)(y)", 9, "nothing that a graph can call"),
        ("l_x_:", "renamed:", 3, "Inputs cannot be changed"),
        ("    l_w_: f32[16, 64],\n", "", 4, "Inputs cannot be changed"),
        ("):\n", "    more: f32[1],\n):\n", 5, "Inputs cannot be added"),
    ],
)
def test_faults_are_reported_on_their_lines(old: str, new: str, line: int, words: str) -> None:
    result = changed(old, new)
    assert result.graph is None
    assert words in result.faults[0].message
    assert result.faults[0].line == line


def test_several_faults_are_reported_at_once_and_a_return_is_needed() -> None:
    graph = dynamo_graph()
    text = printed(graph).replace("torch.relu(y)", "torch.relu(q)").replace("_operator.mul(z, 2)", "what(z)")
    assert [fault.line for fault in parse_graph(text, graph).faults] == [9, 11]
    without = printed(graph).rpartition("    return")[0]
    assert "return is missing" in parse_graph(without, graph).faults[0].message
    behind = printed(graph) + "\n    a = torch.relu(y)"
    assert "behind the return" in parse_graph(behind, graph).faults[0].message


def test_operators_of_python_are_refused_in_a_graph_of_aten() -> None:
    result = changed("aten.relu.default(mm)", "mm + 1", aten_graph())
    assert "aten.add" in result.faults[0].message


def test_a_fault_in_the_middle_of_a_line_has_its_column() -> None:
    fault = changed("torch.relu(y)", "torch.relu(q)").faults[0]
    line = printed(dynamo_graph()).split("\n")[fault.line - 1]
    assert fault.column == line.index("(y)") + 1


def test_opaque_objects_and_facts_of_nodes_are_kept() -> None:
    kept = msgspec.structs.replace(
        node("a", "torch.foo", "x"),
        kwargs=MappingArgument((("g", ConstantArgument("opaque", "<gen>")),)),
        notes=("n",),
    )
    graph = graph_with(placeholder("x"), kept, output("a"))
    text = printed(graph).replace("torch.foo(x, ", "torch.foo(x, 3, ")
    assert read(text, graph).node("a") == msgspec.structs.replace(kept, args=args("x", 3))
