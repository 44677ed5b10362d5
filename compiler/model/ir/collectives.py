"""Collectives in a graph: what each sends to whom, where it is waited for, and what runs in between.

An operation of ``_c10d_functional`` begins one and ``wait_tensor`` ends it; all that stands between the two can run while the data
travels.
"""

import re
from functools import lru_cache

import msgspec

from compiler.model.ir.arguments import Argument, ConstantArgument, NodeArgument, SequenceArgument
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId, is_number
from compiler.model.ir.loop_ir import LoopNode
from compiler.model.ir.tensor_types import byte_size, describe_bytes

_NAME = re.compile(r"\b_?c10d_functional(?:_autograd)?\.(\w+)")
_CALL = re.compile(r"torch\s*\.\s*ops\s*\.\s*(_?c10d_functional(?:_autograd)?\.\w+)")
_COMMENT = re.compile(r"#.*$|//.*$", re.MULTILINE)
_GROUP_NOTE = re.compile(r"process group (\S+): (?:(.+), )?(\d+) ranks?\b")
_THROUGH = ("_operator.getitem", "operator.getitem")
_WAIT = "wait_tensor"
_LEAVES = ("placeholder", "get_attr", "output")


class Collective(msgspec.Struct, frozen=True):
    """What one operation sends."""

    node: NodeId
    kind: str
    """``all_reduce``, ``all_gather_into_tensor``, …, without the sign of an in-place form."""
    reduce: str
    """``sum``, ``avg``, … or empty."""
    sent: int | None
    """Bytes that this rank gives; None where a size is symbolic."""
    got: int | None
    """Bytes of the result."""
    group: str
    """Torch's name of the process group; empty where the call does not say it."""
    group_title: str = ""
    """What the program or torch calls the group: ``default_pg``, ``mesh_tp``."""
    ranks: int | None = None
    """Ranks in the group; None where nobody noted it."""

    @property
    def traffic(self) -> tuple[int | None, ...]:
        """Bytes in and out; once where they are the same."""
        return (self.sent,) if self.sent == self.got else (self.sent, self.got)

    @property
    def text(self) -> str:
        """``512 B, group 0 of 2 ranks``: for boxes and lists."""
        sizes = " → ".join(describe_bytes(size) for size in self.traffic)
        ranks = f" of {self.ranks} rank{'' if self.ranks == 1 else 's'}" if self.ranks is not None else ""
        return f"{sizes}, group {self.group}{ranks}" if self.group else sizes


class Flight(msgspec.Struct, frozen=True):
    """From the beginning of a collective to where its result is waited for."""

    start: NodeId
    wait: NodeId
    """Empty where nothing in the graph waits for it."""
    between: tuple[NodeId, ...]
    """What stands between them in the order of the graph, inputs and other collectives left out."""


def group_note(group: str, title: str, ranks: int) -> str:
    """What is noted at a collective of who takes part; `collective_of` reads it."""
    return f"process group {group}: {f'{title}, ' if title else ''}{ranks} rank{'' if ranks == 1 else 's'}"


def is_group_note(text: str) -> bool:
    """Whether a note is of such a group."""
    return _GROUP_NOTE.match(text) is not None


@lru_cache(maxsize=2048)
def collective_name(target: str) -> str:
    """``all_reduce`` of ``_c10d_functional.all_reduce_.default``, ``wait_tensor`` of a wait; empty for anything else."""
    found = _NAME.search(target)
    if found is None:
        return ""
    name = found[1].removesuffix("_out").rstrip("_")
    return name.removesuffix("_coalesced") or name


def called_collectives(text: str) -> list[str]:
    """Every collective that a generated wrapper calls, ``all_reduce_``, in the order of its lines; waits left out."""
    names = _CALL.findall(_COMMENT.sub("", text))
    return [name.partition(".")[2] for name in names if not is_wait(name)]


def is_wait(target: str) -> bool:
    """Whether an operation waits for a collective."""
    return collective_name(target) == _WAIT


def collective_of(graph: Graph, node: Node) -> Collective | None:
    """What a node sends, or None for any other node and for waits."""
    kind = collective_name(node.target) if node.op.startswith("call") else ""
    if not kind or kind == _WAIT:
        return None
    texts = [_text(item) for item in node.args.items if _is_text(item)]
    texts += [_text(item) for _, item in node.kwargs.items if _is_text(item)]
    named = dict(node.kwargs.items)
    group = _text(named["group_name"]) if "group_name" in named else texts[-1] if texts else ""
    reduce = next((text for text in texts if text != group or texts.count(text) > 1), "")
    sizes = [byte_size(graph.node(name).value) for name in _sent(node) if graph.holds(name)]
    sent = None if None in sizes else sum(size or 0 for size in sizes)
    note = next((found for text in node.notes if (found := _GROUP_NOTE.match(text))), None)
    ranks = int(note[3]) if note is not None else _group_size(kind, node)
    title = (note[2] or "") if note is not None else ""
    return Collective(node.id, kind, reduce, sent, byte_size(node.value), group, title, ranks)


def flights(graph: Graph) -> tuple[Flight, ...]:
    """Every collective of a graph with its wait, in the order in which they begin."""
    called = {target for target in {node.target for node in graph.nodes} if collective_name(target)}
    return tuple(
        Flight(node.id, wait, between)
        for node in graph.nodes
        if node.target in called and collective_of(graph, node) is not None
        for wait, between in _waits(graph, node)
    )


def loop_flights(nodes: tuple[LoopNode, ...]) -> tuple[Flight, ...]:
    """The same of the scheduler's nodes, in the scheduler's order."""
    places = {node.id: index for index, node in enumerate(nodes)}
    names = {node.id: collective_name(node.operation) for node in nodes}
    ends: dict[NodeId, int] = {}
    for index, node in enumerate(nodes):
        if (
            names[node.id] == _WAIT
        ):  # what it reads may hang on earlier collectives too: its own is the latest
            begun = [name for name in node.inputs if names.get(name, _WAIT) not in ("", _WAIT)]
            if begun:
                ends.setdefault(max(begun, key=places.__getitem__), index)
    found = []
    for index, node in enumerate(nodes):
        if names[node.id] not in ("", _WAIT):
            end = ends.get(node.id)
            between = nodes[index + 1 : end] if end is not None else ()
            inner = tuple(each.id for each in between if not names[each.id])
            found.append(Flight(node.id, nodes[end].id if end is not None else "", inner))
    return tuple(found)


def group_name_paths(node: Node) -> tuple[str, ...]:
    """Texts among a collective's arguments that name its process group, which every process numbers for itself."""
    name = collective_name(node.target)
    if not name or name == _WAIT:
        return ()
    named = dict(node.kwargs.items)
    if "group_name" in named:
        return (_text(named["group_name"]),)
    return tuple(_text(item) for item in node.args.items if _is_text(item))[-1:]


def _waits(graph: Graph, node: Node) -> list[tuple[NodeId, tuple[NodeId, ...]]]:
    users, found = graph.users(), []
    begin = graph.index(node.id)
    near = list(users[node.id])
    while near:
        user = graph.node(near.pop(0))
        if user.target in _THROUGH:
            near += users[user.id]
        elif is_wait(user.target):
            between = graph.nodes[begin + 1 : graph.index(user.id)]
            inner = tuple(each.id for each in between if _computes(each))
            found.append((user.id, inner))
    return found or [("", ())]


def _computes(node: Node) -> bool:
    return node.op not in _LEAVES and node.target not in _THROUGH and not collective_name(node.target)


def _sent(node: Node) -> list[NodeId]:
    first = node.args.items[0] if node.args.items else dict(node.kwargs.items).get("input")
    if isinstance(first, NodeArgument):
        return [first.node]
    return (
        [item.node for item in first.items if isinstance(item, NodeArgument)]
        if isinstance(first, SequenceArgument)
        else []
    )


def _group_size(kind: str, node: Node) -> int | None:
    """Gathering and scattering say how many ranks share; the others do not."""
    if "gather" not in kind and "scatter" not in kind:
        return None
    numbers = [
        item.text for item in node.args.items if isinstance(item, ConstantArgument) and item.kind == "int"
    ]
    return int(numbers[-1]) if numbers and is_number(numbers[-1]) else None


def _is_text(item: Argument) -> bool:
    return isinstance(item, ConstantArgument) and item.kind == "str"


def _text(item: Argument) -> str:
    return item.text.strip("'\"") if isinstance(item, ConstantArgument) else ""
