"""Two FX graphs node by node: what was added, removed and changed.

Names of nodes and numbers of lines say nothing by themselves, since one more node renumbers all that follow. Nodes are
matched by what they call, the module and the text of the line they come from, their result, and their neighbours.
"""

import re
from collections.abc import Hashable, Mapping

import msgspec

from compiler.model.alignment import align, match_rest
from compiler.model.arguments import (
    Argument,
    ConstantArgument,
    MappingArgument,
    NodeArgument,
    SequenceArgument,
    SliceArgument,
    children,
)
from compiler.model.graph import Graph, Node
from compiler.model.ids import NodeId
from compiler.model.values import TensorValue, Value, describe

_PLAN = ((0, 1), (0, 0), (1, 1), (2, 2), (3, 3))
"""Steps of `align`. Names are no anchors at first, since one more relu renames all relus after it; they come in where
nothing else tells nodes apart."""
_ADDRESS = re.compile(r"0x[0-9a-fA-F]+")
_NUMBERED = re.compile(r"\d+")
_RESUMED = re.compile(r"torch_dynamo_resume_in_(.+)_at_\d+$")


class NodeChange(msgspec.Struct, frozen=True):
    """A node that is in both graphs but not the same."""

    before: NodeId
    after: NodeId
    what: tuple[str, ...]
    """What is different, in words: ``calls torch.relu → torch.nn.functional.gelu``."""


class GraphDiff(msgspec.Struct, frozen=True):
    """How one graph differs from another; all empty where they do the same."""

    added: tuple[NodeId, ...] = ()
    """Nodes of the graph after, in its order."""
    removed: tuple[NodeId, ...] = ()
    """Nodes of the graph before, in its order."""
    changed: tuple[NodeChange, ...] = ()
    kept: tuple[tuple[NodeId, NodeId], ...] = ()
    """(before, after) of nodes that are the same but have another name."""

    @property
    def same(self) -> bool:
        """Whether both graphs compute the same in the same way."""
        return not (self.added or self.removed or self.changed)


def compare_graphs(before: Graph, after: Graph) -> GraphDiff:
    """What differs from one graph to the other. Fast enough for thousands of nodes."""
    old, new = before.nodes, after.nodes
    if len(old) == len(new) and all(map(_equal_but_for_lines, old, new)):
        return GraphDiff()
    found = _matches(old, new)
    partner = {old[a].id: new[b].id for a, b in found.items()}
    taken = set(found.values())
    changes = []
    kept = []
    for a, b in sorted(found.items(), key=lambda pair: pair[1]):
        what = _differences(old[a], new[b], partner)
        if what:
            changes.append(NodeChange(old[a].id, new[b].id, what))
        elif old[a].id != new[b].id:
            kept.append((old[a].id, new[b].id))
    return GraphDiff(
        tuple(node.id for index, node in enumerate(new) if index not in taken),
        tuple(node.id for index, node in enumerate(old) if index not in found),
        tuple(changes),
        tuple(kept),
    )


def _equal_but_for_lines(old: Node, new: Node) -> bool:
    return old is new or (
        (old.id, old.op, old.target, old.role, old.lane) == (new.id, new.op, new.target, new.role, new.lane)
        and (old.args, old.kwargs, old.value, old.notes) == (new.args, new.kwargs, new.value, new.notes)
    )


def fingerprint(graph: Graph) -> int:
    """Equal for graphs that differ in names and line numbers only; for this process, not for files."""
    places = {node.id: f"%{index}" for index, node in enumerate(graph.nodes)}
    return hash(
        tuple(
            (called(node), spell(node.args, places), spell(node.kwargs, places), describe(node.value))
            for node in graph.nodes
        )
    )


def function_name(name: str) -> str:
    """The function that a resume function resumes; any other name as it is."""
    found = _RESUMED.search(name)
    return found.group(1) if found else name


def spell(argument: Argument, names: Mapping[NodeId, str]) -> str:
    """An argument as text with other names for nodes; one without a name there has a minus before its own."""
    match argument:
        case NodeArgument():
            return names.get(argument.node) or f"-{argument.node}"
        case ConstantArgument(kind="opaque"):
            return _ADDRESS.sub("0x", argument.text)
        case ConstantArgument():
            return argument.text
        case SequenceArgument():
            inside = ", ".join([spell(item, names) for item in argument.items])
            return f"[{inside}]" if argument.kind == "list" else f"({inside})"
        case MappingArgument():
            return "{" + ", ".join([f"{key}: {spell(item, names)}" for key, item in argument.items]) + "}"
        case SliceArgument():
            return ":".join(spell(part, names) for part in (argument.start, argument.stop, argument.step))


def _matches(old: tuple[Node, ...], new: tuple[Node, ...]) -> dict[int, int]:
    levels_old, levels_new = _levels(old), _levels(new)
    found = align(levels_old, levels_new, _PLAN)
    names_old = [(node.id, called(node)) for node in old]
    names_new = [(node.id, called(node)) for node in new]
    for keys_old, keys_new in ((names_old, names_new), (levels_old[1], levels_new[1])):
        if len(found) < min(len(old), len(new)):
            match_rest(keys_old, keys_new, found)
    _match_replaced(old, new, found)
    return found


def _levels(nodes: tuple[Node, ...]) -> tuple[list[Hashable], ...]:
    """Keys of every node: with its name, without it, without its result, and by its call alone."""
    calls = [called(node) for node in nodes]
    lines = [_line(node) for node in nodes]
    rich: list[Hashable] = [
        (call, node.module_path, line, describe(node.value), node.lane)
        for node, call, line in zip(nodes, calls, lines, strict=True)
    ]
    named: list[Hashable] = [(key, node.id) for key, node in zip(rich, nodes, strict=True)]
    placed: list[Hashable] = [
        (call, node.module_path, line) for node, call, line in zip(nodes, calls, lines, strict=True)
    ]
    return named, rich, placed, list(calls)


def called(node: Node) -> tuple[str, str]:
    """What a node does. Names of placeholders and attributes count without their numbers."""
    numbered = node.op in ("placeholder", "get_attr")
    return node.op, _NUMBERED.sub("#", node.target) if numbered else _ADDRESS.sub("0x", node.target)


def _line(node: Node) -> tuple[str, str]:
    return (function_name(node.stack[-1].function), node.stack[-1].text) if node.stack else ("", "")


def _match_replaced(old: tuple[Node, ...], new: tuple[Node, ...], found: dict[int, int]) -> None:
    """A node that calls something else on the same inputs, and gives the same type, is changed, not another one."""
    taken = set(found.values())
    left_old = [index for index in range(len(old)) if index not in found]
    left_new = [index for index in range(len(new)) if index not in taken]
    if not left_old or not left_new:
        return
    partner = {old[a].id: new[b].id for a, b in found.items()}
    waiting: dict[tuple[tuple[str, ...], str], list[int]] = {}
    for index in reversed(left_new):
        node = new[index]
        if node.op.startswith("call"):
            waiting.setdefault((node.inputs(), describe(node.value)), []).append(index)
    for index in left_old:
        node = old[index]
        inputs = tuple(partner.get(name, "") for name in node.inputs())
        candidates = waiting.get((inputs, describe(node.value)), [])
        if candidates and inputs and node.op.startswith("call"):
            found[index] = candidates.pop()
            partner[node.id] = new[found[index]].id


def _differences(old: Node, new: Node, partner: Mapping[NodeId, NodeId]) -> tuple[str, ...]:
    what = []
    if called(old) != called(new):
        verb = "calls" if old.op.startswith("call") else "is"
        what.append(f"{verb} {old.target} → {new.target}")
    what += _argument_differences(old.args, new.args, partner)
    what += _argument_differences(old.kwargs, new.kwargs, partner)
    what += _value_differences(old.value, new.value)
    if old.role != new.role:
        what.append(f"role {old.role or 'none'} → {new.role or 'none'}")
    if old.lane != new.lane:
        what.append(f"in the {old.lane or 'forward'} → in the {new.lane or 'forward'}")
    if old.notes != new.notes:
        what += [f"now {note}" for note in new.notes if note not in old.notes]
        what += [f"no longer {note}" for note in old.notes if note not in new.notes]
    return tuple(what)


class _Itself(dict[str, str]):
    def get(self, key: str, default: object = None) -> str:
        return key


_ITSELF = _Itself()


def _argument_differences(old: Argument, new: Argument, partner: Mapping[NodeId, NodeId]) -> list[str]:
    if spell(old, partner) == spell(new, _ITSELF):
        return []
    parts_old, parts_new = dict(children(old)), dict(children(new))
    told = []
    for key in dict.fromkeys((*parts_old, *parts_new)):
        left, right = parts_old.get(key), parts_new.get(key)
        if left is None or right is None or spell(left, partner) != spell(right, _ITSELF):
            name = f"argument {key}" if key.isdigit() else key
            told.append(f"{name}: {_shown(left)} → {_shown(right)}")
    return told


def _shown(argument: Argument | None) -> str:
    return "none" if argument is None else spell(argument, _ITSELF)


def _value_differences(old: Value | None, new: Value | None) -> list[str]:
    if old == new:
        return []
    before, after = describe(old), describe(new)
    if before != after:
        return [f"result {before or 'unknown'} → {after or 'unknown'}"]
    if not (isinstance(old, TensorValue) and isinstance(new, TensorValue)):
        return []
    rows = (
        ("stride", ", ".join(old.stride or ()), ", ".join(new.stride or ())),
        ("device", old.device, new.device),
        ("requires_grad", str(old.requires_grad), str(new.requires_grad)),
    )
    return [f"{name} ({left}) → ({right})" for name, left, right in rows if left != right]
