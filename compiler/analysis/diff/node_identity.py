"""Which node of a graph is which of the graph of a changed program, by what nodes are and never by their names.

A node is its call, the module and the lines of the source that it comes from, and its place in the order among those
that are alike in all that. Torch numbers names again when one more node stands before them, so a name says nothing.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping

import msgspec

from compiler.model.diff.node_diff import called, function_name
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId
from compiler.model.ir.tensor_types import describe

_STEPS = 2
"""How far the surroundings of a node are looked at where it has no other mark."""


class FoundNode(msgspec.Struct, frozen=True):
    """What became of a node."""

    node: NodeId = ""
    """Empty where it is gone, or where several may be meant."""
    reason: str = ""
    """Why there is none."""
    nearest: NodeId = ""
    """The node that is the most like it, where it is not found."""


def identify(before: Graph, after: Graph) -> dict[NodeId, FoundNode]:
    """What became of every node. Two nodes never become one."""
    old, new = list(before.nodes), list(after.nodes)
    keys_old, keys_new = [_key(node) for node in old], [_key(node) for node in new]
    count_old, count_new = Counter(keys_old), Counter(keys_new)
    found: dict[NodeId, NodeId] = {}
    alike = {key for key, count in count_old.items() if count_new[key] == count}
    _pair(found, _only(old, keys_old, alike), _only(new, keys_new, alike))
    around_old, around_new = _surroundings(before, keys_old), _surroundings(after, keys_new)
    _pair_unique(found, old, new, around_old, around_new)
    _pair_inputs(found, old, new)
    _pair_by_structure(found, before, after)
    return {
        node.id: FoundNode(found[node.id])
        if node.id in found
        else _missing(node, new, count_old[key], count_new[key], found)
        for node, key in zip(old, keys_old, strict=True)
    }


def _key(node: Node) -> Hashable:
    return called(node), node.module_path, _place(node), node.lane


def _place(node: Node) -> tuple[tuple[str, str], ...]:
    return tuple((function_name(line.function), line.text) for line in node.stack)


def _only(nodes: list[Node], keys: list[Hashable], wanted: set[Hashable]) -> list[tuple[Hashable, NodeId]]:
    return [(key, node.id) for node, key in zip(nodes, keys, strict=True) if key in wanted]


def _pair(
    found: dict[NodeId, NodeId],
    old: Iterable[tuple[Hashable, NodeId]],
    new: Iterable[tuple[Hashable, NodeId]],
) -> None:
    """The first of a key with the first, the second with the second, and so on."""
    waiting: defaultdict[Hashable, list[NodeId]] = defaultdict(list)
    for key, name in new:
        waiting[key].append(name)
    for queue in waiting.values():
        queue.reverse()
    for key, name in old:
        if waiting[key]:
            found[name] = waiting[key].pop()


def _pair_unique(
    found: dict[NodeId, NodeId], old: list[Node], new: list[Node], keys_old: list[int], keys_new: list[int]
) -> None:
    """Pairs those that are left and that one node only is like on either side."""
    taken = set(found.values())
    left_old = [(key, node.id) for key, node in zip(keys_old, old, strict=True) if node.id not in found]
    left_new = [(key, node.id) for key, node in zip(keys_new, new, strict=True) if node.id not in taken]
    count_old, count_new = Counter(key for key, _ in left_old), Counter(key for key, _ in left_new)
    single = {key for key, count in count_old.items() if count == count_new[key] == 1}
    _pair(found, (row for row in left_old if row[0] in single), (row for row in left_new if row[0] in single))


def _pair_inputs(found: dict[NodeId, NodeId], old: list[Node], new: list[Node]) -> None:
    """Inputs are reported by their order and type where their names are others: a renamed variable is the same input."""
    taken = set(found.values())
    left_old = [node for node in old if node.op == "placeholder" and node.id not in found]
    left_new = [node for node in new if node.op == "placeholder" and node.id not in taken]
    if [describe(node.value) for node in left_old] == [describe(node.value) for node in left_new]:
        found.update((a.id, b.id) for a, b in zip(left_old, left_new, strict=True))


def _pair_by_structure(found: dict[NodeId, NodeId], before: Graph, after: Graph) -> None:
    """A node whose line or module reads otherwise now is the same if no other calls the same between the same calls."""
    taken = set(found.values())
    left_old = [node for node in before.nodes if node.id not in found]
    left_new = [node for node in after.nodes if node.id not in taken]
    trial: dict[NodeId, NodeId] = {}
    _pair_unique(trial, left_old, left_new, _by_call(before, left_old), _by_call(after, left_new))
    old, new = before.by_id(), after.by_id()
    for name, other in trial.items():
        a, b = old[name], new[other]
        if a.op.startswith("call") and (a.module_path == b.module_path or _place(a) == _place(b)):
            found[name] = other


def _by_call(graph: Graph, wanted: list[Node]) -> list[int]:
    """The surroundings of some nodes, by calls alone."""
    around = _surroundings(graph, [called(node) for node in graph.nodes])
    known = dict(zip((node.id for node in graph.nodes), around, strict=True))
    return [known[node.id] for node in wanted]


def _surroundings(graph: Graph, own: list[Hashable]) -> list[int]:
    """A number for each node; equal numbers, in both graphs of one call of Python: equal keys, some steps up and down."""
    users = graph.users()
    names = [node.id for node in graph.nodes]
    now = {name: hash(key) for name, key in zip(names, own, strict=True)}
    for _ in range(_STEPS):
        now = {
            node.id: hash(
                (
                    now[node.id],
                    tuple(now.get(used, 0) for used in node.inputs()),
                    tuple(sorted(now[user] for user in users[node.id])),
                )
            )
            for node in graph.nodes
        }
    return [now[name] for name in names]


def _missing(
    node: Node, new: list[Node], before: int, after: int, found: Mapping[NodeId, NodeId]
) -> FoundNode:
    nearest = _nearest(node, new, found)
    if after:
        return FoundNode(
            "",
            f"which one {node.id} is cannot be told: such calls were {before}, and are {after} now",
            nearest.id if nearest else "",
        )
    if nearest is None:
        return FoundNode("", f"{node.id} is gone")
    where = f", {nearest.stack[-1].text}" if nearest.stack and nearest.stack[-1].text else ""
    return FoundNode(
        "", f"{node.id} is gone; the nearest is {nearest.id} ({nearest.target}{where})", nearest.id
    )


def _nearest(node: Node, new: list[Node], found: Mapping[NodeId, NodeId]) -> Node | None:
    """Of what is new, or else of all, the node that has the most in common; none where that is nothing."""
    taken = set(found.values())
    inputs = tuple(found.get(name, "") for name in node.inputs())

    def likeness(other: Node) -> tuple[int, bool]:
        score = 2 * (called(other) == called(node)) + 2 * bool(node.stack and _place(other) == _place(node))
        score += bool(inputs and any(inputs) and other.inputs() == inputs)
        score += bool(node.module_path and other.module_path == node.module_path)
        return score, other.id not in taken

    best = max((other for other in new if other.op == node.op), key=likeness, default=None)
    return best if best is not None and likeness(best)[0] > 0 else None
