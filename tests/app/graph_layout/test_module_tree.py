"""Nodes that lost their module find it again by what is around them."""

from itertools import pairwise

from app.graph_layout.module_tree import Module, module_trees
from app.graph_layout.ports import fold
from compiler.model.diagrams.diagrams import Diagram, DiagramEdge, DiagramNode


def node(name: str, *group: str) -> DiagramNode:
    return DiagramNode(name, name, name, "", "operation", group=group)


def chain(*nodes: DiagramNode) -> Diagram:
    edges = [DiagramEdge(first.id, second.id) for first, second in pairwise(nodes)]
    return Diagram(nodes, tuple(edges))


def modules_of(diagram: Diagram) -> dict[str, set[str]]:
    (tree,) = module_trees(fold(diagram))
    return {module.id: {item.id for item in module.nodes()} for module in tree.modules()}


def test_a_run_of_lost_nodes_joins_the_innermost_module_around_it() -> None:
    shown = chain(
        node("q", "layer", "attn"),
        node("sum"),
        node("sum_1"),
        node("k", "layer", "attn"),
        node("add"),
        node("norm", "layer", "norm"),
        node("scale", "layer", "norm"),
    )
    assert modules_of(shown) == {
        "layer": {"q", "sum", "sum_1", "k", "add", "norm", "scale"},
        "layer.attn": {"q", "sum", "sum_1", "k"},
        "layer.norm": {"norm", "scale"},
    }


def test_a_lost_node_between_modules_stands_in_neither() -> None:
    shown = chain(node("a", "one"), node("b", "one"), node("add"), node("c", "two"), node("d", "two"))
    assert modules_of(shown) == {"one": {"a", "b"}, "two": {"c", "d"}}
    (tree,) = module_trees(fold(shown))
    assert [item.id for item in tree.items if not isinstance(item, Module)] == ["add"]
