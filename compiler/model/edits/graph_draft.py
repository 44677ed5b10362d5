"""A graph that many edits change one after another, in place: each costs what it changes and not a look at every node."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import TypeVar

from compiler.model.edits.validation import EditError
from compiler.model.ir.arguments import ArgumentPath
from compiler.model.ir.fresh_names import numbered
from compiler.model.ir.graph import Graph, Node, same_uses
from compiler.model.ir.ids import NodeId

_BLOCK = 256
"""How many nodes stand in a block at first; one of twice as many is cut in two."""


AnyGraph = TypeVar("AnyGraph", Graph, "GraphDraft")
"""What an edit is made in: of a graph it gives another, of a draft the draft."""


class _Block:
    """Some nodes that stand one behind the other."""

    __slots__ = ("names", "start")

    def __init__(self, names: list[NodeId]) -> None:
        self.names = names
        self.start = 0


class GraphDraft:
    """Reads as `Graph` does, and is changed by what gives another `Graph` there: what those give here is the draft itself.
    The graph it was made of stays as it is.
    """

    def __init__(self, graph: Graph) -> None:
        self.become(graph)

    def become(self, graph: Graph) -> None:
        """Another graph. Raises EditError for one with two nodes of one name."""
        self._nodes = graph.by_id()
        if len(self._nodes) != len(graph.nodes):
            raise EditError("Two nodes of this graph have one name, so it cannot be edited.")
        self._blocks = [_Block([*graph.ids[at : at + _BLOCK]]) for at in range(0, len(graph.ids), _BLOCK)]
        self._blocks = self._blocks or [_Block([])]
        self._block_of = {name: block for block in self._blocks for name in block.names}
        self._renumber()
        self._made: Graph | None = graph
        self._gradients: frozenset[NodeId] | None = None
        self._given_users = graph.users()
        """Who uses what as it was in the graph, of nodes that nothing was changed about."""
        self._users: dict[NodeId, dict[NodeId, None]] = {}
        self._paths: dict[NodeId, dict[NodeId, list[ArgumentPath]]] = {}
        self._numbers: dict[str, Iterator[NodeId]] = {}
        self._free: dict[str, NodeId] = {}
        """The name that a wish led to last, of thousands not counted to from the beginning."""

    @property
    def nodes(self) -> tuple[Node, ...]:
        """In the order they run."""
        return self.graph().nodes

    @property
    def size(self) -> int:
        """How many nodes it has."""
        return len(self._nodes)

    def graph(self) -> Graph:
        """What it is now; made once for each state that is asked for."""
        if self._made is None:
            names = chain.from_iterable(block.names for block in self._blocks)
            self._made = Graph(tuple(map(self._nodes.__getitem__, names)))
        return self._made

    def node(self, node_id: NodeId) -> Node:
        """The node of that id. Raises KeyError."""
        return self._nodes[node_id]

    def holds(self, node_id: NodeId) -> bool:
        """Whether it has a node of that id."""
        return node_id in self._nodes

    def index(self, node_id: NodeId) -> int:
        """Where the node stands. Raises KeyError."""
        block = self._block_of[node_id]
        return block.start + block.names.index(node_id)

    def users_of(self, node_id: NodeId) -> tuple[NodeId, ...]:
        """The nodes that use it, in order."""
        if node_id not in self._users:
            return self._given_users.get(node_id, ())
        return tuple(sorted(self._users[node_id], key=self.index))

    def is_used(self, node_id: NodeId) -> bool:
        """Whether a node's result is used anywhere."""
        return bool(self._users[node_id] if node_id in self._users else self._given_users.get(node_id))

    def uses_of(self, node_id: NodeId) -> tuple[tuple[NodeId, ArgumentPath], ...]:
        """Every place where a node's result is used."""
        return tuple((user, path) for user in self.users_of(node_id) for path in self._uses(user)[node_id])

    @property
    def of_gradients(self) -> frozenset[NodeId]:
        """As of a graph; found again where an edit changed who uses what."""
        if self._gradients is None:
            self._gradients = self.graph().of_gradients
        return self._gradients

    def op_at(self, index: int) -> str:
        """What the node at an index is."""
        block = self._at(index)
        return self._nodes[block.names[index - block.start]].op

    def unused_name(self, wish: str) -> NodeId:
        """`wish` as a name no node has, with a number behind it where needed."""
        names = self._numbers.setdefault(wish, numbered(wish))
        name = self._free.get(wish) or next(names)
        while name in self._nodes:
            name = next(names)
        self._free[wish] = name
        return name

    def with_node(self, index: int, node: Node) -> "GraphDraft":
        """Another node at an index, of the same id."""
        block = self._at(index)
        assert block.names[index - block.start] == node.id
        self._change(node)
        return self

    def with_one_more(self, index: int, node: Node, changed: Mapping[NodeId, Node]) -> "GraphDraft":
        """A node put in at an index, and others in the place of those of their ids."""
        self._users[node.id] = {}
        for other in changed.values():
            self._change(other)
        block = self._blocks[-1] if index == len(self._nodes) else self._at(index)
        block.names.insert(index - block.start, node.id)
        self._block_of[node.id] = block
        self._nodes[node.id] = node
        self._use(node)
        if len(block.names) > 2 * _BLOCK:
            self._cut(block)
        self._renumber()
        self._made = self._gradients = None
        return self

    def without(self, node: Node, changed: Mapping[NodeId, Node], instead: NodeId | None) -> "GraphDraft":
        """A node taken out, and others in the place of those of their ids."""
        for other in changed.values():
            self._change(other)
        self._forget(node)
        block = self._block_of.pop(node.id)
        block.names.remove(node.id)
        del self._nodes[node.id]
        self._users.pop(node.id, None)
        self._numbers.clear()  # its name can be taken again
        self._free.clear()
        self._renumber()
        self._made = self._gradients = None
        return self

    def _change(self, node: Node) -> None:
        before = self._nodes[node.id]
        self._nodes[node.id] = node
        self._made = None
        if not same_uses(before, node):
            self._forget(before)
            self._use(node)
            self._gradients = None

    def _use(self, node: Node) -> None:
        for used in node.inputs():
            self._now(used)[node.id] = None

    def _forget(self, node: Node) -> None:
        self._paths.pop(node.id, None)
        for used in node.inputs():
            self._now(used).pop(node.id, None)

    def _now(self, node_id: NodeId) -> dict[NodeId, None]:
        if node_id not in self._users:
            self._users[node_id] = dict.fromkeys(self._given_users.get(node_id, ()))
        return self._users[node_id]

    def _uses(self, user: NodeId) -> dict[NodeId, list[ArgumentPath]]:
        """Where a node uses others, walked through once: the output of a trained graph uses thousands."""
        if user not in self._paths:
            found = self._paths[user] = {}
            for used, path in self._nodes[user].uses():
                found.setdefault(used, []).append(path)
        return self._paths[user]

    def _at(self, index: int) -> _Block:
        low, high = 0, len(self._blocks)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._blocks[middle].start <= index else (low, middle)
        return self._blocks[low]

    def _cut(self, block: _Block) -> None:
        second = _Block(block.names[_BLOCK:])
        del block.names[_BLOCK:]
        self._block_of.update(dict.fromkeys(second.names, second))
        self._blocks.insert(self._blocks.index(block) + 1, second)

    def _renumber(self) -> None:
        start = 0
        for block in self._blocks:
            block.start = start
            start += len(block.names)
