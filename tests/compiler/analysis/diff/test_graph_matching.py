"""Two graphs matched: a mirror image from either side, blind for names, exactly what an edit touched, and quick."""

import random
import statistics
import time

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.analysis.diff.graph_matching import CHANGED, KEPT, MOVED, GraphMatch, describe, match_graphs
from compiler.model.edits.edits import EditGroup, InsertNode, ReplaceTarget, apply_edit
from compiler.model.edits.node_edits import ReorderNodes
from compiler.model.ir.arguments import Argument, MappingArgument, NodeArgument, SequenceArgument
from compiler.model.ir.graph import Graph, Node
from tests.compiler.model.graphs import STAGE, edits_for, graphs, replaced
from tests.helpers.sample_capture import args, dynamo_graph, graph_with, node, tensor
from tests.helpers.thoroughness import examples
from tests.helpers.transformer_graph import joint_graph


def renamed(graph: Graph, names: dict[str, str]) -> Graph:
    """The same graph with other names for its nodes."""

    def part(item: Argument) -> Argument:
        match item:
            case NodeArgument():
                return NodeArgument(names[item.node])
            case SequenceArgument():
                return SequenceArgument(item.kind, tuple(map(part, item.items)))
            case MappingArgument():
                return MappingArgument(tuple((key, part(value)) for key, value in item.items))
        return item

    return Graph(
        tuple(
            msgspec.structs.replace(item, id=names[item.id], args=part(item.args), kwargs=part(item.kwargs))
            for item in graph.nodes
        )
    )


def mirror(match: GraphMatch) -> tuple[object, ...]:
    pairs = sorted((pair.after, pair.before, pair.kind, pair.parts) for pair in match.pairs)
    return pairs, set(match.removed), set(match.added)


@given(graphs())
@settings(max_examples=examples(100), deadline=None)
def test_a_graph_matches_itself(graph: Graph) -> None:
    match = match_graphs(graph, graph)
    assert match.same
    assert [(pair.before, pair.after) for pair in match.pairs] == [(item.id, item.id) for item in graph.nodes]


@given(st.data())
@settings(max_examples=examples(150), deadline=None)
def test_other_names_are_no_difference(data: st.DataObject) -> None:
    graph = data.draw(graphs())
    names = [item.id for item in graph.nodes]
    fresh = data.draw(st.permutations(names)) if data.draw(st.booleans()) else [f"z{name}" for name in names]
    match = match_graphs(graph, renamed(graph, dict(zip(names, fresh, strict=True))))
    assert match.same, describe(match)


@given(st.data())
@settings(max_examples=examples(300), deadline=None)
def test_exactly_what_an_edit_touched_differs(data: st.DataObject) -> None:
    graph = data.draw(graphs())
    edited, _ = apply_edit(graph, data.draw(edits_for(graph, reordering=False)))
    match = match_graphs(graph, edited, same_names=True)
    old, new = graph.by_id(), edited.by_id()
    touched = {name for name in old.keys() & new.keys() if old[name] != new[name]}
    assert {pair.after for pair in match.pairs if pair.before == pair.after and pair.kind != KEPT} == touched
    crossed = [pair for pair in match.pairs if pair.before != pair.after]
    assert {*match.added, *(pair.after for pair in crossed)} == new.keys() - old.keys()
    assert {*match.removed, *(pair.before for pair in crossed)} == old.keys() - new.keys()


@pytest.mark.thorough
@given(st.data())
@settings(max_examples=examples(300), deadline=None)
def test_seen_from_the_other_side_it_is_the_mirror_image(data: st.DataObject) -> None:
    graph = data.draw(graphs())
    other = graph
    for _ in range(data.draw(st.integers(1, 3))):
        other, _ = apply_edit(other, data.draw(edits_for(other)))
    if data.draw(st.booleans()):
        names = [item.id for item in other.nodes]
        other = renamed(other, dict(zip(names, data.draw(st.permutations(names)), strict=True)))
    there, back = match_graphs(graph, other), match_graphs(other, graph)
    assert (sorted(mirror(back)[0]), *mirror(back)[1:]) == (
        sorted((pair.before, pair.after, pair.kind, pair.parts) for pair in there.pairs),
        set(there.added),
        set(there.removed),
    )


def test_another_order_moves_the_fewest_nodes() -> None:
    graph = graph_with(
        Node("x", "placeholder", "x", args()),
        *(node(f"n{number}", f"op{number}", "x") for number in range(5)),
        Node("output", "output", "output", args(*(f"n{number}" for number in range(5)))),
    )
    edited, _ = apply_edit(graph, ReorderNodes(STAGE, ("n4", "n0", "n1", "n2", "n3")))
    (moved,) = match_graphs(graph, edited).of_kind(MOVED)
    assert (moved.before, moved.parts) == ("n4", ("order",))


def test_a_user_of_something_new_is_rewired_and_a_new_call_is_a_change() -> None:
    graph = dynamo_graph()
    wedge = InsertNode(STAGE, node("new", "torch.sin", "z"), graph.index("mul"), (("mul", ("args", "0")),))
    call = ReplaceTarget(STAGE, "z", "call_function", "torch.nn.functional.gelu", graph.node("z").args)
    edited, _ = apply_edit(graph, EditGroup("both", (wedge, call)))
    match = match_graphs(graph, edited)
    assert match.added == ("new",)
    kinds = {pair.after: (pair.kind, pair.parts) for pair in match.pairs if pair.kind != KEPT}
    assert kinds == {"mul": (MOVED, ("inputs",)), "z": (CHANGED, ("call",))}
    words = describe(match)
    assert words == "1 added, 1 changed (1 with another call), 1 rewired · 4 equal"
    assert describe(match_graphs(graph, graph)) == "No difference: 6 equal nodes"


def test_another_result_is_reported_as_such() -> None:
    graph = dynamo_graph()
    (change,) = match_graphs(graph, replaced(graph, "z", value=tensor(3))).of_kind(CHANGED)
    assert change.parts == ("type",)


def test_nodes_go_with_what_they_were_made_from() -> None:
    """Two equal calls change places: only their origins tell."""

    def graph(*origins: str) -> Graph:
        return graph_with(
            Node("x", "placeholder", "x", args()),
            *(node(f"mul_{at}", "aten.mul", "x", origins=(origin,)) for at, origin in enumerate(origins)),
            Node("output", "output", "output", args("mul_0", "mul_1")),
        )

    match = match_graphs(
        graph("0/0:a", "0/0:b"), graph("0/1:b_", "0/1:a_"), origins={"0/0:a": "0/1:a_", "0/0:b": "0/1:b_"}
    )
    assert {(pair.before, pair.after) for pair in match.pairs} >= {("mul_0", "mul_1"), ("mul_1", "mul_0")}


def test_where_one_call_became_several_the_last_has_its_result() -> None:
    """relu decomposed otherwise: what used it is not rewired, the steps before are new."""

    def graph(*calls: Node) -> Graph:
        return graph_with(
            Node("x", "placeholder", "x", args()),
            *calls,
            node("neg", "aten.neg", calls[-1].id),
            Node("output", "output", "output", args("neg")),
        )

    before = graph(node("relu", "aten.relu", "x"))
    after = graph(
        node("mul", "aten.mul", "x", 0.5),
        node("erf", "aten.erf", "x"),
        node("mul_1", "aten.mul", "mul", "erf"),
    )
    match = match_graphs(before, after)
    assert match.added == ("mul", "erf")
    assert [(pair.before, pair.after) for pair in match.of_kind(CHANGED)] == [("relu", "mul_1")]
    assert not match.of_kind(MOVED)


def _changed_a_little(graph: Graph, names: bool) -> Graph:
    """Some nodes call something else, some are gone; with other names for all if `names`."""
    chance = random.Random(4)
    calls = [item for item in graph.nodes if item.op == "call_function"]
    other = {item.id for item in chance.sample(calls, 20)}
    nodes = tuple(
        msgspec.structs.replace(item, target="aten.changed") if item.id in other else item
        for item in graph.nodes
    )
    unused = {name for name, users in graph.users().items() if not users}
    left = Graph(tuple(item for item in nodes if item.id not in unused or item.op == "output"))
    return renamed(left, {item.id: f"{item.id}_7" for item in left.nodes}) if names else left


@pytest.mark.thorough
def test_large_graphs_are_matched_in_a_moment() -> None:
    for count, limit in ((2_000, 0.1), (10_000, 1.0)):
        graph = joint_graph(count)
        for names in (False, True):
            other = _changed_a_little(graph, names)
            taken = []
            for _ in range(3):
                began = time.process_time()
                match = match_graphs(graph, other)
                taken.append(time.process_time() - began)
            assert len(match.of_kind(CHANGED)) == 20
            # far less on a quiet machine (see the benchmarks); this only catches what grows with the square
            assert statistics.median(taken) < limit * 3
