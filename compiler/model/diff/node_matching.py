"""Which node of one graph is which of another: by where nodes come from first, by how the graphs are built second.

Names of nodes and numbers of lines say little by themselves, since one more node renumbers all that follow. A name counts
where the node under it comes from the same place and the whole fits better with names than without them.
"""

from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property

from compiler.model.diff.node_diff import called, function_name
from compiler.model.diff.sequence_alignment import align, match_rest
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId
from compiler.model.ir.tensor_types import describe

_PLAN = ((0, 1), (0, 0), (1, 1), (2, 2), (3, 3), (4, 4))
"""Steps of `align`. Names are no anchors at first; they come in where nothing else distinguishes nodes."""

_DOUBT = 1.25
"""A name in the same place is evidence: without names it must fit clearly better, as it does where all are renumbered."""

Pairs = dict[int, int]
"""Place in the graph before → place in the graph after."""


def pair_nodes(
    before: Graph,
    after: Graph,
    same_names: bool = False,
    origins: Mapping[str, str] | None = None,
    recorded: Mapping[NodeId, NodeId] | None = None,
) -> Pairs:
    """Places of nodes that are the same node in both graphs.

    `same_names` where one graph was made from the other in place, by a pass or an edit: then a name that is in both is the
    same node. `origins` leads from Dynamo's nodes before (`Node.origins`) to those after, and
    those that are gone to nothing that is there; others keep their names. `recorded` says which node before is known to have
    become which after, one to one; names and structure pair what it leaves. Exchanging the graphs exchanges the pairs and
    changes nothing else. Milliseconds for a thousand nodes, hardly more than proportional to their number.
    """
    old, new = _Side(before, origins), _Side(after, None if origins is None else _Same())
    swapped = is_turned(before, after)
    if swapped:
        old, new = new, old
    known = {
        old_index: new_index
        for a, b in (recorded or {}).items()
        if (old_index := old.at.get(b if swapped else a)) is not None
        and (new_index := new.at.get(a if swapped else b)) is not None
    }
    found = _cheaper(old, new, same_names, known)
    return {b: a for a, b in found.items()} if swapped else found


class _Same(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return key


class _Side:
    """One of the graphs, with what is asked of each node more than once."""

    def __init__(self, graph: Graph, origins: Mapping[str, str] | None) -> None:
        self._graph = graph
        self.nodes: Sequence[Node] = graph.nodes
        self.inputs = [node.inputs() for node in graph.nodes]
        self.calls = [called(node) for node in graph.nodes]
        self.types = [describe(node.value) for node in graph.nodes]
        self.lines = [_line(node) for node in graph.nodes]
        self.roots = [_roots(node, origins) for node in graph.nodes]
        self.at = {node.id: index for index, node in enumerate(graph.nodes)}

    @cached_property
    def users(self) -> list[tuple[NodeId, ...]]:
        """By whom each node is used."""
        users = self._graph.users()
        return [users[node.id] for node in self.nodes]

    @cached_property
    def levels(self) -> tuple[list[Hashable], ...]:
        """Keys of every node: with its name, without it, without what it was made from, without its result, by its call."""
        named: list[Hashable] = []
        rooted: list[Hashable] = []
        rich: list[Hashable] = []
        placed: list[Hashable] = []
        rows = zip(self.nodes, self.calls, self.types, self.lines, self.roots, strict=True)
        for node, call, kind, line, roots in rows:
            key = (call, node.module_path, line, kind, node.lane)
            rich.append(key)
            rooted.append((key, roots))
            named.append((key, roots, node.id))
            placed.append((call, node.module_path, line))
        return named, rooted, rich, placed, list(self.calls)


def _line(node: Node) -> tuple[str, str]:
    return (function_name(node.stack[-1].function), node.stack[-1].text) if node.stack else ("", "")


def _roots(node: Node, origins: Mapping[str, str] | None) -> tuple[str, ...]:
    """Dynamo's nodes that a node was made from, by their names after; nothing where nobody knows these."""
    if origins is None or not node.origins:
        return ()
    if isinstance(origins, _Same):
        return node.origins
    return tuple([origins.get(origin, origin) for origin in node.origins])


def is_turned(before: Graph, after: Graph) -> bool:
    """Whether a comparison is done from the second graph to the first: one of two graphs always comes first, so that what
    can be told in two ways is reported in the same way whichever of them a person puts first.
    """
    return _order(after) < _order(before)


def _order(graph: Graph) -> tuple[int, list[str], list[str], list[tuple[str, ...]]]:
    nodes = graph.nodes
    ids, targets = [node.id for node in nodes], [node.target for node in nodes]
    return len(nodes), ids, targets, [node.inputs() for node in nodes]


def _cheaper(old: _Side, new: _Side, same_names: bool, known: Pairs) -> Pairs:
    if same_names:
        return _by_names(old, new, known, trusted=True)
    if known:
        return _by_structure(old, new, known)
    if len(old.nodes) == len(new.nodes):
        in_order = {index: index for index in range(len(old.nodes))}
        if _cost(old, new, in_order) == 0 and (old.lines, old.roots) == (new.lines, new.roots):
            return in_order
    by_structure = _by_structure(old, new, {})
    if not any(node.id in new.at for node in old.nodes):
        return by_structure
    by_names = _by_names(old, new, {}, trusted=False)
    names_cost, structure_cost = _cost(old, new, by_names), _cost(old, new, by_structure)
    return by_structure if structure_cost * _DOUBT + 1 <= names_cost else by_names


def _by_names(old: _Side, new: _Side, known: Pairs, trusted: bool) -> Pairs:
    """A name in both graphs is the same node if that is known, or if module, line and kind of node agree."""
    found = dict(known)
    taken = set(known.values())
    for a, node in enumerate(old.nodes):
        b = new.at.get(node.id)
        if b is None or a in found or b in taken:
            continue
        other = new.nodes[b]
        agree = old.lines[a] == new.lines[b] and old.roots[a] == new.roots[b]
        if trusted or (
            agree and (node.op, node.module_path, node.lane) == (other.op, other.module_path, other.lane)
        ):
            found[a] = b
    return _by_structure(old, new, found)


def _by_structure(old: _Side, new: _Side, found: Pairs) -> Pairs:
    """Pairs for what is left besides those found already."""
    found = dict(found)
    taken = set(found.values())
    left_old = [index for index in range(len(old.nodes)) if index not in found]
    left_new = [index for index in range(len(new.nodes)) if index not in taken]
    if left_old and left_new:
        levels_old = [[level[index] for index in left_old] for level in old.levels]
        levels_new = [[level[index] for index in left_new] for level in new.levels]
        rest = align(levels_old, levels_new, _PLAN)
        names_old = [(old.nodes[index].id, old.calls[index]) for index in left_old]
        names_new = [(new.nodes[index].id, new.calls[index]) for index in left_new]
        for keys_old, keys_new in ((names_old, names_new), (levels_old[2], levels_new[2])):
            if len(rest) < min(len(left_old), len(left_new)):
                match_rest(keys_old, keys_new, rest)
        found.update({left_old[a]: left_new[b] for a, b in rest.items()})
        _pair_replaced(old, new, found)
    return found


def _pair_replaced(old: _Side, new: _Side, found: Pairs) -> None:
    """A node that gives the same type to the same users, or makes it from the same inputs, is changed, not another one.

    Users come first: where one call became several, the last of them has the result that the call had.
    """
    for around_old, around_new in ((old.users, new.users), (old.inputs, new.inputs)):
        taken = set(found.values())
        left_old = [index for index in range(len(old.nodes)) if index not in found]
        left_new = [index for index in range(len(new.nodes)) if index not in taken]
        if not left_old or not left_new:
            return
        partner = {old.nodes[a].id: new.nodes[b].id for a, b in found.items()}
        waiting: dict[tuple[tuple[str, ...], str], list[int]] = {}
        for index in reversed(left_new):
            if new.nodes[index].op.startswith("call") and around_new[index]:
                waiting.setdefault((around_new[index], new.types[index]), []).append(index)
        for index in left_old:
            node = old.nodes[index]
            around = tuple(partner.get(name, "") for name in around_old[index])
            candidates = waiting.get((around, old.types[index]), [])
            if candidates and node.op.startswith("call"):
                found[index] = candidates.pop()
                partner[node.id] = new.nodes[found[index]].id


def _cost(old: _Side, new: _Side, found: Pairs) -> int:
    """How many nodes a person would have to look at."""
    partner: dict[NodeId, NodeId] = {old.nodes[a].id: new.nodes[b].id for a, b in found.items()}
    differ = sum(
        old.calls[a] != new.calls[b]
        or old.types[a] != new.types[b]
        or tuple([partner.get(name, "") for name in old.inputs[a]]) != new.inputs[b]
        for a, b in found.items()
    )
    return len(old.nodes) + len(new.nodes) - 2 * len(found) + differ
