"""What is gone from a graph: two graphs of nearly the same program laid side by side, by structure alone.

Names are never compared, since torch numbers them again. A node is what it calls, its constants, and the type of its result.
"""

from typing import NamedTuple

from compiler.model.ir.arguments import (
    Argument,
    ConstantArgument,
    MappingArgument,
    NodeArgument,
    SequenceArgument,
    SliceArgument,
)
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.tensor_types import TensorValue


class Gone(NamedTuple):
    """Nodes of the first graph that the second does not have, and those where that can't be told."""

    nodes: frozenset[str]
    unsure: frozenset[str]


def _shape_of(argument: Argument) -> object:
    match argument:
        case NodeArgument():
            return "·"
        case ConstantArgument(kind, text):
            return kind, text
        case SequenceArgument(_, items):
            return tuple(map(_shape_of, items))
        case MappingArgument(items):
            return tuple((key, _shape_of(item)) for key, item in items)
        case SliceArgument(start, stop, step):
            return _shape_of(start), _shape_of(stop), _shape_of(step)
    raise TypeError(argument)


_RESHAPES = ("aten.view.default", "aten.reshape.default", "aten._unsafe_view.default")


def same_call(first: Node, second: Node) -> bool:
    """Whether two nodes call the same for a result of the same type; Inductor calls all reshapes alike in the end."""
    alike = first.target == second.target or {first.target, second.target} <= set(_RESHAPES)
    return alike and _label(first)[-1:] == _label(second)[-1:]


def _label(node: Node) -> tuple[object, ...]:
    value = (node.value.shape, node.value.dtype) if isinstance(node.value, TensorValue) else type(node.value)
    if node.op == "output":
        return (node.op,)
    if node.op in ("placeholder", "get_attr"):
        return node.op, value
    if "inductor_lookup_seed" in node.target:  # counts the seeds of the whole graph
        return node.op, node.target, value
    return node.op, node.target, _shape_of(node.args), _shape_of(node.kwargs), value


def _align(first: list[Node], second: list[Node], agreed: dict[str, str]) -> dict[str, str]:
    """The best pairing in order; between equals, the one whose surroundings are the same farther up and down, and whose
    arguments and users were paired before.
    """
    number: dict[object, int] = {}
    near = [_surroundings(nodes, number) for nodes in (first, second)]
    users = _users(first), _users(second)
    width = len(second) + 1
    best = [[0.0] * width for _ in range(len(first) + 1)]
    for i in range(len(first) - 1, -1, -1):
        row, below, mine = best[i], best[i + 1], near[0][i]
        for j in range(len(second) - 1, -1, -1):
            score = max(below[j], row[j + 1])
            theirs = near[1][j]
            if mine[0] == theirs[0]:
                alike = sum(x == y for x, y in zip(mine, theirs, strict=True))
                alike += _agreement(first[i], second[j], users, agreed)
                score = max(score, below[j + 1] + 1 + 0.001 * alike)
            row[j] = score
    pairs: dict[str, str] = {}
    i = j = 0
    while i < len(first) and j < len(second):
        if best[i][j] == best[i + 1][j]:
            i += 1
        elif best[i][j] == best[i][j + 1]:
            j += 1
        else:
            pairs[first[i].id] = second[j].id
            i, j = i + 1, j + 1
    return pairs


_DEPTH = 4


def _surroundings(nodes: list[Node], number: dict[object, int]) -> list[list[int]]:
    """For each node a number for what it is, then for what it is with what it uses one, two … steps up, and with what
    uses it one, two … steps down. Equal numbers, equal surroundings.
    """
    own = {node.id: number.setdefault(_label(node), len(number)) for node in nodes}
    users = _users(nodes)
    result = {node.id: [own[node.id]] for node in nodes}
    for side in ("up", "down"):
        now = dict(own)
        for _ in range(_DEPTH):
            before = now
            now = {}
            for node in nodes:
                if side == "up":
                    around = [before.get(used, -1) for used, _ in node.uses()]
                else:
                    around = sorted(before[user] for user in users.get(node.id, ()))
                key = side, before[node.id], tuple(around)
                now[node.id] = number.setdefault(key, len(number))
                result[node.id].append(now[node.id])
    return [result[node.id] for node in nodes]


def _users(nodes: list[Node]) -> dict[str, list[str]]:
    users: dict[str, list[str]] = {}
    for node in nodes:
        for used in node.inputs():
            users.setdefault(used, []).append(node.id)
    return users


def _agreement(a: Node, b: Node, users: tuple[dict[str, list[str]], ...], agreed: dict[str, str]) -> int:
    if a.op == "output":
        return 0
    score = sum(agreed.get(x) == y for (x, _), (y, _) in zip(a.uses(), b.uses(), strict=True))
    theirs = set(users[1].get(b.id, ()))
    return score + sum(agreed.get(user) in theirs for user in users[0].get(a.id, ()))


def gone(before: Graph, after: Graph) -> Gone:
    """What of `before` is not in `after`. Unsure: nodes paired although their arguments are paired otherwise, and
    groups of paired nodes that hang on nothing but what was replaced (the replacement may have brought them).
    """
    first, second = list(before.nodes), list(after.nodes)
    pairs: dict[str, str] = {}
    for _ in range(4):
        better = _completed(first, second, _align(first, second, pairs))
        if better == pairs:
            break
        pairs = better
    inverse = {b: a for a, b in pairs.items()}
    by_id = after.by_id()
    unsure = set()
    for node in first:
        if node.id not in pairs or node.op == "output":
            continue
        other = by_id[pairs[node.id]]
        for (x, _), (y, _) in zip(node.uses(), other.uses(), strict=True):
            if pairs.get(x) != y and (x in pairs or y in inverse):
                unsure.add(node.id)
    missing = {node.id for node in first if node.id not in pairs and node.op != "output"}
    return Gone(frozenset(missing), frozenset(unsure | _adrift(first, by_id, pairs)))


def _completed(first: list[Node], second: list[Node], pairs: dict[str, str]) -> dict[str, str]:
    """Pairs also equal nodes that stand in another order, where all their arguments are paired with one another.

    Pairs of which the arguments are paired otherwise are parted first.
    """
    by_id = {node.id: node for node in second}
    parted = {
        node.id
        for node in first
        if node.id in pairs
        and node.op != "output"
        and any(
            x in pairs and pairs[x] != y
            for (x, _), (y, _) in zip(node.uses(), by_id[pairs[node.id]].uses(), strict=True)
        )
    }
    kept, pairs = pairs, {a: b for a, b in pairs.items() if a not in parted}
    free = {node.id: node for node in second if node.id not in set(pairs.values())}
    again = True
    while again:
        again = False
        for node in first:
            if node.id in pairs or not node.inputs():
                continue
            for other in free.values():
                if _label(other) == _label(node) and all(
                    pairs.get(x) == y for (x, _), (y, _) in zip(node.uses(), other.uses(), strict=True)
                ):
                    pairs[node.id] = other.id
                    del free[other.id]
                    again = True
                    break
    taken = set(pairs.values())
    return pairs | {a: b for a, b in kept.items() if a not in pairs and b not in taken}


def _adrift(first: list[Node], second: dict[str, Node], pairs: dict[str, str]) -> set[str]:
    """Paired nodes that no chain of paired nodes joins to an input or the output of both graphs."""
    near: dict[str, set[str]] = {}
    held = set()
    for node in first:
        if node.op in ("placeholder", "output", "get_attr"):
            held.add(node.id)
        theirs = second[pairs[node.id]].inputs() if node.id in pairs else ()
        for used in node.inputs():
            if pairs.get(used) in theirs:
                near.setdefault(node.id, set()).add(used)
                near.setdefault(used, set()).add(node.id)
    reached, stack = set(held), list(held)
    while stack:
        for other in near.get(stack.pop(), ()):
            if other not in reached:
                reached.add(other)
                stack.append(other)
    return set(pairs) - reached
