"""Two graphs compared: nothing where they are the same, the least that tells the difference where not."""

import statistics
import time

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.model.diff.graph_diff import compare_graphs, fingerprint
from compiler.model.diff.sequence_alignment import align
from compiler.model.edits.edits import apply_edit
from compiler.model.ir.arguments import ConstantArgument, NodeArgument, SequenceArgument
from compiler.model.ir.graph import Graph, Node, SourceLine
from tests.compiler.model.graphs import edits_for, graphs
from tests.helpers.sample_capture import args, dynamo_graph, graph_with, node, tensor
from tests.helpers.thoroughness import examples


def _renamed(graph: Graph, lines: int = 0) -> Graph:
    """The same graph with another name for every node and every line further down."""

    def new(argument: SequenceArgument) -> SequenceArgument:
        def part(item: object) -> object:
            if isinstance(item, NodeArgument):
                return NodeArgument(f"n_{item.node}")
            return new(item) if isinstance(item, SequenceArgument) else item

        return SequenceArgument(argument.kind, tuple(part(item) for item in argument.items))  # type: ignore[misc]

    return Graph(
        tuple(
            msgspec.structs.replace(
                item,
                id=f"n_{item.id}",
                args=new(item.args),
                stack=tuple(msgspec.structs.replace(at, line=at.line + lines) for at in item.stack),
            )
            for item in graph.nodes
        )
    )


@given(graphs())
@settings(max_examples=examples(100), deadline=None)
def test_a_graph_does_not_differ_from_itself(graph: Graph) -> None:
    assert compare_graphs(graph, graph).same
    moved = Graph(
        tuple(msgspec.structs.replace(item, stack=(SourceLine("a.py", 3),)) for item in graph.nodes)
    )
    assert compare_graphs(graph, moved).same
    assert fingerprint(graph) == fingerprint(moved)


@given(st.data())
@settings(max_examples=examples(200), deadline=None)
def test_an_edit_shows_and_every_node_is_reported_once(data: st.DataObject) -> None:
    graph = data.draw(graphs())
    edited, _ = apply_edit(graph, data.draw(edits_for(graph, reordering=False)))
    diff = compare_graphs(graph, edited)
    if edited != graph:
        assert not diff.same
    assert len(edited.nodes) - len(graph.nodes) == len(diff.added) - len(diff.removed)
    before, after = graph.by_id(), edited.by_id()
    assert set(diff.removed) <= set(before)
    assert set(diff.added) <= set(after)
    for change in diff.changed:
        assert before[change.before] != after[change.after]
        assert change.what
    back = compare_graphs(edited, graph)
    assert (len(back.added), len(back.removed)) == (len(diff.removed), len(diff.added))


def test_names_and_lines_are_no_change() -> None:
    graph = dynamo_graph()
    diff = compare_graphs(graph, _renamed(graph, lines=12))
    assert diff.same
    assert ("y", "n_y") in diff.kept
    assert fingerprint(graph) == fingerprint(_renamed(graph))


def test_a_replaced_call_is_one_change_in_words() -> None:
    graph = dynamo_graph()
    nodes = tuple(
        msgspec.structs.replace(item, target="torch.nn.functional.gelu") if item.id == "z" else item
        for item in graph.nodes
    )
    (change,) = compare_graphs(graph, Graph(nodes)).changed
    assert change.what == ("calls torch.relu → torch.nn.functional.gelu",)


def test_an_argument_and_a_result_are_reported() -> None:
    graph = dynamo_graph()
    nodes = tuple(
        msgspec.structs.replace(item, args=args("z", 3), value=tensor(32, 65)) if item.id == "mul" else item
        for item in graph.nodes
    )
    (change,) = compare_graphs(graph, Graph(nodes)).changed
    assert change.what == ("argument 1: 2 → 3", "result f32[32, 64] → f32[32, 65]")


def test_one_more_node_renumbers_the_rest_and_is_still_one_more_node() -> None:
    """Layers in a loop: all relus come from one line, and the new one takes a name from the next."""

    def chain(count: int, extra_at: int | None) -> Graph:
        nodes = [Node("x", "placeholder", "x", args())]
        last, number = "x", 0

        def relu(line: int) -> None:
            nonlocal last, number
            name = f"relu_{number}" if number else "relu"
            nodes.append(node(name, "torch.relu", last, line=line))
            last, number = name, number + 1

        for layer in range(count):
            if layer == extra_at:
                relu(5)
            nodes.append(node(f"linear_{layer}", "linear", last, line=6, module_path=f"layers.{layer}"))
            last = f"linear_{layer}"
            relu(7)
        nodes.append(Node("output", "output", "output", args(last)))
        return Graph(tuple(nodes))

    diff = compare_graphs(chain(30, None), chain(30, 4))
    assert diff.added == ("relu_4",)
    assert not diff.removed
    assert [(change.before, change.after) for change in diff.changed] == [("linear_4", "linear_4")]
    assert ("relu_29", "relu_30") in diff.kept


def test_a_placeholder_more_renumbers_the_others() -> None:
    def graph(count: int, used: str) -> Graph:
        names = [f"primals_{number}" for number in range(1, count + 1)]
        inputs = [
            Node(name, "placeholder", name, args(), value=tensor(number, 4))
            for number, name in enumerate(names, 10 - count)
        ]
        return graph_with(
            *inputs,
            node("relu", "aten.relu.default", used),
            Node("output", "output", "output", args("relu")),
        )

    diff = compare_graphs(graph(3, "primals_3"), graph(4, "primals_4"))
    assert diff.added == ("primals_1",)
    assert not diff.removed
    assert not diff.changed


def test_symbolic_sizes_are_changes_of_results_only() -> None:
    before = dynamo_graph()
    after = Graph(
        tuple(
            msgspec.structs.replace(item, value=msgspec.structs.replace(tensor(32, 64), shape=("s0", "64")))
            if item.op == "call_function"
            else item
            for item in before.nodes
        )
    )
    diff = compare_graphs(before, after)
    assert not diff.added
    assert not diff.removed
    assert [change.what for change in diff.changed] == [("result f32[32, 64] → f32[s0, 64]",)] * 3


def _large(count: int, salt: int) -> Graph:
    nodes = [Node("x", "placeholder", "x", args())]
    for number in range(count):
        before = nodes[-1].id
        target = f"aten.op_{number % 7}.default" if number % 50 != salt else f"aten.other_{number}.default"
        nodes.append(node(f"op_{number}_{salt}", target, before, number % 3, line=4 + number % 4))
    return graph_with(*nodes, Node("output", "output", "output", args(nodes[-1].id)))


def test_two_thousand_nodes_are_compared_in_a_moment() -> None:
    """The aim is 100 ms; a busy machine gets some room."""
    times = []
    for before, after in ((_large(2000, 3), _large(2000, 8)), (_large(2000, 3), _large(1000, 3))):
        for _ in range(3):
            start = time.process_time()
            diff = compare_graphs(before, after)
            times.append(time.process_time() - start)
            assert not diff.same
    assert statistics.median(times) < 0.2


def test_graphs_that_share_nothing_are_gone_and_new() -> None:
    other = graph_with(
        node("a", "f"),
        node("b", "g", "a"),
        Node("c", "call_method", "h", SequenceArgument("tuple", (ConstantArgument("int", "1"),))),
    )
    diff = compare_graphs(graph_with(node("p", "q"), node("r", "s", "p", 1)), other)
    assert diff.added == ("a", "b", "c")
    assert diff.removed == ("p", "r")


def test_long_runs_of_the_same_are_aligned_by_their_ends() -> None:
    assert align(("aaab",), ("aaaab",)) == {0: 0, 1: 1, 2: 2, 3: 4}
    assert align(("xay",), ("xby",)) == {0: 0, 2: 2}
