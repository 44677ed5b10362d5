"""Parts compared as numbers are equal where they are when each node is looked at, and nowhere else."""

import random
from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compiler.model.diagrams.calls import Calls, call_of, same_call
from compiler.model.diagrams.equal_blocks import Chain, Member, UnequalError, paired, shared_uses
from compiler.model.ir.arguments import NodeArgument, SequenceArgument
from compiler.model.ir.graph import Graph, Node
from tests.helpers.layered_graph import ROW, layered_graph
from tests.helpers.thoroughness import examples


def chains(graph: Graph, housed: bool = False) -> list[Chain]:
    """The layers of each lane as a chain, each beside the other."""
    calls = Calls({node.id: call_of(node) for node in graph.nodes})
    made: list[tuple[Chain, list[str]]] = []
    for lane in sorted({node.lane for node in graph.nodes if node.module_path}):
        parts: dict[str, list[Member]] = {}
        for node in graph.nodes:
            if node.lane == lane and node.module_path:
                _, number, *inside = node.module_path.split(".")
                parts.setdefault(number, []).append((node.id, ".".join(inside)))
        chain = Chain(list(parts.values()), calls)
        if housed:
            chain.house(
                node.id for node in graph.nodes if node.op == "call_function" and not node.module_path
            )
        made.append((chain, list(parts)))
    if len(made) == 2:
        (one, numbers), (other, numbers_too) = made
        one.other, other.other = other, one
        one.in_other = [numbers_too.index(number) for number in numbers]
        other.in_other = [numbers.index(number) for number in numbers_too]
    return [chain for chain, _ in made]


def looked_at(chain: Chain, one: int, other: int) -> tuple[bool, ...] | None:
    """The answer of `shared_uses` found node by node."""
    try:
        pairs = paired(chain, one, other)
    except UnequalError:
        return None
    return tuple(pairs[used] == used for name, _ in chain.parts[one] for used in chain.used[name])


def check(graph: Graph, housed: bool) -> None:
    for quick, slow in zip(chains(graph, housed), chains(graph, housed), strict=True):
        for one in range(len(quick.parts)):
            for other in range(len(quick.parts)):
                if one != other:
                    assert shared_uses(quick, one, other) == looked_at(slow, one, other)


@pytest.mark.thorough
@given(st.data(), st.booleans())
@settings(max_examples=examples(300), deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_numbers_say_what_looking_says(data: st.DataObject, housed: bool) -> None:
    check(layered_graph(lambda options: data.draw(st.sampled_from(list(options)))), housed)


@pytest.mark.parametrize("seed", range(8))
def test_numbers_say_what_looking_says_of_many(seed: int) -> None:
    draw = random.Random(seed)

    def choose(options: Sequence) -> object:
        return draw.choice(list(options))

    for _ in range(60):
        check(layered_graph(choose), housed=bool(seed % 2))


@given(st.data())
@settings(max_examples=examples(100), deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_equal_numbers_are_equal_calls(data: st.DataObject) -> None:
    graph = layered_graph(lambda options: data.draw(st.sampled_from(list(options))))
    made = {node.id: call_of(node) for node in graph.nodes}
    calls = Calls(made)
    for one in made:
        for other in made:
            assert calls.same_call(one, other) == same_call(made[one], made[other])


def call(name: str, *used: str, target: str = "aten.mul.Tensor", lane: str = "", body: str = "") -> Node:
    args = SequenceArgument("tuple", tuple(map(NodeArgument, used)))
    inside = (Node("in", "call_function", body, SequenceArgument("tuple", ())),) if body else ()
    return Node(name, "call_function", target, args, value=ROW, lane=lane, body=inside)


def chain_of(*parts: Sequence[Node], beside: Sequence[Sequence[Node]] = ()) -> Chain:
    """Parts of what `x`, `y` and `z` are given to; `beside`: the same modules in the other lane."""
    given = [msgspec.structs.replace(call(name), op="placeholder") for name in "xyz"]
    nodes = [*given, *(node for part in (*beside, *parts) for node in part)]
    calls = Calls({node.id: call_of(node) for node in nodes})
    chain, other = (
        Chain([[(node.id, "") for node in part] for part in rows], calls) for rows in (parts, beside)
    )
    if beside:
        chain.other, chain.in_other = other, range(len(parts))
    return chain


def test_how_many_nodes_each_call_uses_counts() -> None:
    seed = "prims.inductor_lookup_seed.default"
    one = [call("a", "x", "y", target=seed), call("b", "z", target=seed)]
    other = [call("c", "x", target=seed), call("d", "y", "z", target=seed)]
    assert shared_uses(chain_of(one, other), 0, 1) is None


def test_a_result_of_the_forward_is_none_of_the_backward() -> None:
    beside = [[call("f0", "x"), call("g0", "f0")], [call("f1", "x"), call("g1", "f1")]]
    one = [call("a0", "x", lane="b"), call("b0", "a0", lane="b")]
    same = [call("a1", "x", lane="b"), call("b1", "a1", lane="b")]
    other = [call("a1", "x", lane="b"), call("b1", "f1", lane="b")]
    assert shared_uses(chain_of(one, same, beside=beside), 0, 1) == (True, False)
    assert shared_uses(chain_of(one, other, beside=beside), 0, 1) is None


def test_what_the_part_before_made_is_none_of_the_part_itself() -> None:
    first = [call("a0", "x"), call("b0", "a0")]
    one = [call("a1", "x"), call("b1", "a0")]
    other = [call("a2", "x"), call("b2", "a2")]
    assert shared_uses(chain_of(first, one, other), 1, 2) is None


def test_a_node_that_stands_in_two_parts_is_no_other_node() -> None:
    both = call("both", "x")
    assert shared_uses(chain_of([both, call("b", "x")], [call("c", "x"), both]), 0, 1) is None


def test_the_attribute_of_a_far_layer_is_not_ones_own() -> None:
    first, second = (
        msgspec.structs.replace(call(name), op="get_attr") for name in ("attribute0", "attribute1")
    )
    parts = [first], [second], [call("n", "x")], [call("a", "attribute0")], [call("b", "attribute1")]
    assert shared_uses(chain_of(*parts), 3, 4) is None


def test_bodies_count() -> None:
    one, same = [call("a", "x", body="aten.relu.default")], [call("b", "x", body="aten.relu.default")]
    other = [call("c", "x", body="aten.tanh.default")]
    assert shared_uses(chain_of(one, same), 0, 1) == (True,)
    assert shared_uses(chain_of(one, other), 0, 1) is None
    assert shared_uses(chain_of(one, [call("d", "x")]), 0, 1) is None
