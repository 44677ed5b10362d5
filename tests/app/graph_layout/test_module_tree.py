"""Nodes that lost their module find it again by what is around them, and each call of a module is one."""

from itertools import pairwise

from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.graph_layout.module_tree import Module, module_trees
from app.graph_layout.ports import fold
from compiler.model.diagrams.diagrams import Diagram, DiagramEdge, DiagramNode
from tests.helpers.thoroughness import examples


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


Tree = list["str | tuple[str, Tree]"]


def by_levels(shown: Diagram, nodes: list[DiagramNode], depth: int, parent: str) -> Tree:
    """The rule, level by level: a node joins the open call of its module unless it depends on it through something outside."""
    place, needs = {}, dict[int, set[int]]()
    calls: list[tuple[str, list[DiagramNode]]] = []
    counts, now = dict[str, int](), dict[str, int]()
    for one in nodes:
        name = one.group[depth] if len(one.group) > depth else ""
        sources = {
            place[edge.source] for edge in shown.edges if edge.target == one.id and edge.source in place
        }
        at = now.get(name, -1) if name else -1
        if at < 0 or any(at in needs[source] for source in sources - {at}):
            at = len(calls)
            counts[name] = counts.get(name, 0) + 1
            title = ".".join(filter(None, (parent, name))) + (f"#{counts[name]}" if counts[name] > 1 else "")
            calls.append((title if name else "", []))
            now[name], needs[at] = at, set()
        calls[at][1].append(one)
        place[one.id] = at
        for source in sources - {at}:
            needs[at] |= needs[source] | {source}
    return [
        (title, by_levels(shown, members, depth + 1, title)) if title else members[0].id
        for title, members in calls
    ]


def plain(tree: Tree) -> Tree:
    """Without modules that hold one thing only."""
    made = [item if isinstance(item, str) else (item[0], plain(item[1])) for item in tree]
    return [item[1][0] if isinstance(item, tuple) and len(item[1]) == 1 else item for item in made]


def written(module: Module) -> Tree:
    return [(item.id, written(item)) if isinstance(item, Module) else item.id for item in module.items]


PATHS = [(), ("a",), ("a", "b"), ("a", "b", "c"), ("a", "d"), ("e",), ("e", "b"), ("a", "b", "f")]


@settings(max_examples=examples(400))
@example([(("a", "b"), set()), (("a", "d"), set()), (("e",), {2}), (("a", "d"), {1}), (("a", "b"), set())])
@example(
    [(("a",), set()), (("e",), {1}), (("e", "b"), {1}), (("a",), {1}), (("a", "b"), {1}), (("a", "d"), {3})]
)
@given(
    st.lists(
        st.tuples(st.sampled_from(PATHS), st.sets(st.integers(1, 6), max_size=2)), min_size=1, max_size=25
    )
)
def test_one_walk_gathers_as_the_rule_says(rows: list[tuple[tuple[str, ...], set[int]]]) -> None:
    nodes = [
        DiagramNode(f"n{at}", "x", f"n{at}", "", "input" if not path else "operation", group=path)
        for at, (path, _) in enumerate(rows)
    ]
    edges = [
        DiagramEdge(f"n{at - back}", f"n{at}")
        for at, (_, used) in enumerate(rows)
        for back in sorted(used)
        if back <= at
    ]
    shown = Diagram(tuple(nodes), tuple(edges))
    (tree,) = module_trees(fold(shown))
    assert written(tree) == plain(by_levels(shown, nodes, 0, ""))
