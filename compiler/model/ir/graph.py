"""An FX graph as data."""

from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache

import msgspec

from compiler.model.ir.arguments import (
    Argument,
    ArgumentPath,
    ConstantArgument,
    MappingArgument,
    NodeArgument,
    SequenceArgument,
    at,
    children,
    nodes_in,
    replace_each,
)
from compiler.model.ir.ids import NodeId
from compiler.model.ir.tensor_types import Value


class SourceLine(msgspec.Struct, frozen=True, gc=False):
    """A line of somebody's program. `line` counts from 1."""

    path: str
    line: int
    function: str = ""
    text: str = ""

    @property
    def short(self) -> str:
        """``model.py:14``: where the folder goes without saying."""
        return f"{self.path.rpartition('/')[2]}:{self.line}"


class Node(msgspec.Struct, frozen=True, gc=False):
    """One FX node. The id is the FX name, unique in its graph."""

    id: NodeId
    op: str
    """placeholder, call_function, call_method, call_module, get_attr or output."""
    target: str
    """As torch qualifies it: ``torch.nn.functional.gelu``, ``aten.relu.default``, ``_operator.add``; a plain name
    for placeholders, attributes and methods."""
    args: SequenceArgument
    kwargs: MappingArgument = MappingArgument(())
    value: Value | None = None
    module_path: str = ""
    """Dotted path of the nn.Module whose forward made it, ``"layers.0.linear"``; empty for top-level code."""
    module_type: str = ""
    stack: tuple[SourceLine, ...] = ()
    """The user's stack, innermost last."""
    lane: str = ""
    """In a joint graph ``"forward"`` or ``"backward"``; else empty."""
    role: str = ""
    """``"parameter"``, ``"input"``, ``"tangent"``, ``"saved"`` (a saved activation) or empty."""
    origins: tuple[str, ...] = ()
    """Dynamo nodes it was made from, as ``"compile id:name"``: our mark, which torch carried along."""
    notes: tuple[str, ...] = ()
    """Facts torch recorded: ``"recomputed in backward"``, ``"rewritten by mm_plus_mm"``."""
    body: tuple["Node", ...] = ()
    """For a part of the graph made one node: inputs, calls and output of what it calls (`compiler.model.edits.subgraphs`)."""
    chosen: str = ""
    """In a joint graph what a person chose: ``"saved"``, ``"recomputed"``; on its output ``"budget 0.5"``."""
    settings: MappingArgument = MappingArgument(())
    """Of the module that a ``call_module`` calls: its plain attributes, and its parameters and buffers as opaque constants."""

    def inputs(self) -> tuple[NodeId, ...]:
        """Nodes this one uses, each once, in the order they appear."""
        names: list[NodeId] = []
        for item in self.args.items:  # most name nodes right here
            if type(item) is NodeArgument:
                names.append(item.node)
            elif type(item) is not ConstantArgument:
                names += nodes_in(item)
        if self.kwargs.items:
            names += nodes_in(self.kwargs)
        return tuple(names) if len(names) < 2 else tuple(dict.fromkeys(names))

    @property
    def modules(self) -> tuple[str, ...]:
        """The module path from the outside in."""
        return _parts_of(self.module_path)

    @property
    def operation(self) -> str:
        """What it does, in the word people use: ``relu`` for ``torch.nn.functional.relu`` and ``aten.relu.default``."""
        parts = self.target.split(".")
        return parts[1] if parts[0] == "aten" and len(parts) > 1 else parts[-1]

    def calls_otherwise(self, other: "Node") -> bool:
        """Whether another is called, or with other arguments."""
        return (self.op, self.target, self.args, self.kwargs) != (
            other.op,
            other.target,
            other.args,
            other.kwargs,
        )

    def argument(self, path: ArgumentPath) -> Argument:
        """The argument at `path`, which begins with ``args`` or ``kwargs``. Raises KeyError."""
        return at(MappingArgument((("args", self.args), ("kwargs", self.kwargs))), path)

    def with_argument(self, path: ArgumentPath, new: Argument) -> "Node":
        """A copy of this node with the argument at `path` replaced. Raises KeyError where the path leads nowhere."""
        return self.with_arguments({path: new})

    def with_arguments(self, new: Mapping[ArgumentPath, Argument]) -> "Node":
        """The same for many paths, in one walk."""
        if () in new:
            raise KeyError("an argument has a path")
        whole = replace_each(MappingArgument((("args", self.args), ("kwargs", self.kwargs))), new)
        assert isinstance(whole, MappingArgument)
        (_, args), (_, kwargs) = whole.items
        return msgspec.structs.replace(self, args=args, kwargs=kwargs)

    def uses(self) -> Iterator[tuple[NodeId, ArgumentPath]]:
        """Every place where this node uses another, with the path of the argument."""
        yield from _uses(self.args, ("args",))
        yield from _uses(self.kwargs, ("kwargs",))


@lru_cache(maxsize=8192)
def _parts_of(path: str) -> tuple[str, ...]:
    return tuple(part for part in path.split(".") if part)


def _uses(argument: Argument, path: ArgumentPath) -> Iterator[tuple[NodeId, ArgumentPath]]:
    if isinstance(argument, NodeArgument):
        yield argument.node, path
    for step, child in children(argument):
        if type(child) is NodeArgument:  # most are: a generator each would take most of the time
            yield child.node, (*path, step)
        elif type(child) is not ConstantArgument:
            yield from _uses(child, (*path, step))


def same_uses(before: Node, after: Node) -> bool:
    """Whether a node that was changed uses what it used, as the same objects, and is what it was for its graph."""
    return before.args is after.args and before.kwargs is after.kwargs and before.role == after.role


class Graph(msgspec.Struct, frozen=True, dict=True):
    """Nodes in the order they run. Every input of a node stands before it."""

    nodes: tuple[Node, ...]

    @property
    def size(self) -> int:
        """How many nodes it has."""
        return len(self.nodes)

    def node(self, node_id: NodeId) -> Node:
        """The node of that id. Raises KeyError."""
        return self.nodes[self._places[node_id]]

    def holds(self, node_id: NodeId) -> bool:
        """Whether it has a node of that id."""
        return node_id in self._places

    def index(self, node_id: NodeId) -> int:
        """Where the node stands. Raises KeyError."""
        return self._places[node_id]

    def with_node(self, index: int, node: Node) -> "Graph":
        """The graph with another node at an index."""
        made = Graph((*self.nodes[:index], node, *self.nodes[index + 1 :]))
        before = self.nodes[index]
        if node.id == before.id:
            kept = (
                ("ids", "_places", "_users", "of_gradients")
                if same_uses(before, node)
                else ("ids", "_places")
            )
            made.__dict__.update((name, self.__dict__[name]) for name in kept if name in self.__dict__)
        return made

    def with_one_more(self, index: int, node: Node, changed: Mapping[NodeId, Node]) -> "Graph":
        """The graph with a node put in at an index, and others in the place of those of their ids."""
        nodes = list(self.nodes)
        for node_id, other in changed.items():
            nodes[self.index(node_id)] = other
        made = Graph((*nodes[:index], node, *nodes[index:]))
        made.__dict__["ids"] = (*self.ids[:index], node.id, *self.ids[index:])
        return made

    def without(self, node: Node, changed: Mapping[NodeId, Node], instead: NodeId | None) -> "Graph":
        """The graph with a node taken out, whose users use another instead: they are given as they are then, by their ids."""
        nodes = self.by_id()
        del nodes[node.id]
        nodes.update(changed)
        made = Graph(tuple(nodes.values()))
        made._follow(self, node, instead)
        return made

    def by_id(self) -> dict[NodeId, Node]:
        """All nodes by id, in order."""
        return dict(zip(self.ids, self.nodes, strict=True))

    def users(self) -> Mapping[NodeId, tuple[NodeId, ...]]:
        """For each node, the nodes that use it, in order."""
        return self._users

    def users_of(self, node_id: NodeId) -> tuple[NodeId, ...]:
        """The nodes that use a node, in order."""
        return self._users[node_id]

    def uses_of(self, node_id: NodeId) -> tuple[tuple[NodeId, ArgumentPath], ...]:
        """Every place where a node's result is used."""
        users = map(self.node, self._users[node_id])
        return tuple((user.id, path) for user in users for used, path in user.uses() if used == node_id)

    def _follow(self, before: "Graph", gone: Node, instead: NodeId | None) -> None:
        """Take over who uses what from the graph before a node was taken out, whose users use another instead. To find it out
        again takes most of the time of many such edits, one after the other.
        """
        users = dict(before.users())
        moved = users.pop(gone.id)
        for used in gone.inputs():
            users[used] = tuple(name for name in users[used] if name != gone.id)
        if instead is not None and moved:
            users[instead] = tuple(sorted({*users[instead], *moved}, key=before.index))
        self.__dict__["_users"] = users

    @cached_property
    def ids(self) -> tuple[NodeId, ...]:
        """Of all nodes, in order."""
        return tuple([node.id for node in self.nodes])

    @cached_property
    def _places(self) -> Mapping[NodeId, int]:
        last = len(self.nodes) - 1
        return dict(zip(reversed(self.ids), range(last, -1, -1), strict=True))  # the first of those of one id

    @cached_property
    def by_stack(self) -> Mapping[tuple[SourceLine, ...], frozenset[NodeId]]:
        """The nodes by the stack that they were made on, for most nodes share theirs with many; those without one are left out."""
        found: dict[tuple[SourceLine, ...], set[NodeId]] = {}
        for node in self.nodes:
            if node.stack:
                found.setdefault(node.stack, set()).add(node.id)
        return {stack: frozenset(names) for stack, names in found.items()}

    @cached_property
    def of_gradients(self) -> frozenset[NodeId]:
        """What depends on a tangent, and so cannot be computed in the forward."""
        found: set[NodeId] = set()
        for node in self.nodes:
            if node.role == "tangent" or (found and not found.isdisjoint(node.inputs())):
                found.add(node.id)
        return frozenset(found)

    @cached_property
    def _users(self) -> Mapping[NodeId, tuple[NodeId, ...]]:
        users: dict[NodeId, list[NodeId]] = {node.id: [] for node in self.nodes}
        for node in self.nodes:
            for used in node.inputs():
                if used in users:
                    users[used].append(node.id)
        return {node_id: tuple(names) for node_id, names in users.items()}
