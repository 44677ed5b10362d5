"""Edits made one after another, each on the graph that the ones before it leave."""

from collections.abc import Callable
from contextvars import ContextVar
from itertools import compress, count
from operator import is_not

from compiler.model.edits.edits import (
    BypassNode,
    Edit,
    EditGroup,
    InsertNode,
    ReplaceTarget,
    apply_graph_edit,
)
from compiler.model.edits.node_edits import SetArguments
from compiler.model.edits.validation import EditError
from compiler.model.ir.arguments import (
    Argument,
    ArgumentPath,
    ConstantArgument,
    MappingArgument,
    NodeArgument,
    SequenceArgument,
)
from compiler.model.ir.fresh_names import unused_name
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.ir.tensor_types import Value

_looking: ContextVar[bool] = ContextVar("looking", default=False)
Given = Argument | str | int | float | bool | None
"""An argument as a transform writes it: text is the name of a node."""


def argument(given: Given) -> Argument:
    """The argument that a transform means."""
    match given:
        case None:
            return ConstantArgument("none", "None")
        case bool() | int() | float():
            return ConstantArgument(type(given).__name__, repr(given))
        case str():
            return NodeArgument(given)
        case _:
            return given


class _FoundError(Exception):
    """There is something to edit, and only that was asked."""


def why_nothing(make: Callable[[], object]) -> str:
    """Why a transform finds nothing; empty where it finds something: then it goes no further than its first edit, for to make
    thousands takes seconds.
    """
    before = _looking.set(True)
    try:
        make()
    except _FoundError:
        return ""
    except EditError as error:
        return str(error)
    finally:
        _looking.reset(before)
    return ""


def _differing(before: tuple[Node, ...], after: tuple[Node, ...]) -> tuple[list[Node], list[Node]]:
    """What is in one and not, as the same object and in the same order, in the other. An edit leaves all but a few of ten
    thousand nodes as they are and puts in or takes out at most one: no step of Python's is taken for each of the others.
    """
    at = next(compress(count(), map(is_not, before, after)), min(len(before), len(after)))
    more = len(after) - len(before)
    before, after = before[at:], after[at:]
    put_in, taken_out = (1, 0) if more == 1 else (0, 1) if more == -1 else (0, 0)
    gone, fresh = [*before[:taken_out]], [*after[:put_in]]
    before, after = before[taken_out:], after[put_in:]
    if len(before) != len(after):
        return [*gone, *before], [*fresh, *after]
    differs = [*map(is_not, before, after)]
    return [*gone, *compress(before, differs)], [*fresh, *compress(after, differs)]


class EditBuilder:
    """Holds the graph as it is after the edits made so far."""

    def __init__(self, stage: StageId, graph: Graph) -> None:
        self.stage = stage
        self.graph = graph
        self._parts: list[Edit] = []
        self._known: dict[NodeId, Node] = {}
        self._paths: dict[NodeId, dict[NodeId, list[ArgumentPath]]] = {}
        self._nodes: tuple[Node, ...] = ()
        self._users: dict[NodeId, dict[NodeId, None]] = {}
        self._follow()

    def make(self, edit: Edit) -> None:
        """Make one edit. Raises EditError."""
        if _looking.get():
            raise _FoundError
        self.graph, _ = apply_graph_edit(self.graph, edit)
        self._parts.append(edit)
        self._follow()

    def uses_of(self, node: NodeId) -> tuple[tuple[NodeId, ArgumentPath], ...]:
        """Every place where a node's result is used."""
        return tuple((user, path) for user in self._users.get(node, ()) for path in self._uses(user)[node])

    def is_used(self, node: NodeId) -> bool:
        """Whether a node's result is used anywhere."""
        return bool(self._users.get(node))

    def _uses(self, user: NodeId) -> dict[NodeId, list[ArgumentPath]]:
        """Where a node uses others, walked through once: the output of a trained graph uses thousands."""
        if user not in self._paths:
            found = self._paths[user] = {}
            for used, path in self._known[user].uses():
                found.setdefault(used, []).append(path)
        return self._paths[user]

    def _follow(self) -> None:
        """Who uses what, as it is now: only nodes that are other objects than before are looked at."""
        gone, fresh = _differing(self._nodes, self.graph.nodes)
        for node in gone:
            self._forget(node)
            self._known.pop(node.id, None)
        for node in fresh:
            self._known[node.id] = node
            for used in node.inputs():
                self._users.setdefault(used, {})[node.id] = None
        self._nodes = self.graph.nodes

    def _forget(self, node: Node) -> None:
        self._paths.pop(node.id, None)
        for used in node.inputs():
            self._users.get(used, {}).pop(node.id, None)

    def call(
        self,
        wish: str,
        target: str,
        *given: Given,
        before: NodeId = "",
        after: NodeId = "",
        uses: tuple[tuple[NodeId, ArgumentPath], ...] = (),
        like: Node | None = None,
        value: Value | None = None,
        method: bool = False,
        named: tuple[tuple[str, Given], ...] = (),
    ) -> NodeId:
        """Put in a call, before or after a node; it takes over some uses. `like` lends it its place in the source."""
        name = unused_name(self.graph, wish)
        index = self.graph.index(before) if before else self.graph.index(after) + 1
        while not before and index < len(self.graph.nodes) and self.graph.nodes[index].op == "placeholder":
            index += 1
        args = SequenceArgument("tuple", tuple(map(argument, given)))
        kwargs = MappingArgument(tuple((key, argument(item)) for key, item in named))
        node = Node(
            name,
            "call_method" if method else "call_function",
            target,
            args,
            kwargs,
            value,
            module_path=like.module_path if like else "",
            module_type=like.module_type if like else "",
            stack=like.stack if like else (),
            lane=like.lane if like else "",
        )
        self.make(InsertNode(self.stage, node, index, uses))
        return name

    def attribute(self, wish: str, path: str, before: NodeId, like: Node) -> NodeId:
        """Put in a node that gives a parameter or buffer of the program's."""
        name = unused_name(self.graph, wish)
        node = Node(
            name,
            "get_attr",
            path,
            SequenceArgument("tuple", ()),
            module_path=like.module_path,
            stack=like.stack,
        )
        self.make(InsertNode(self.stage, node, self.graph.index(before), ()))
        return name

    def bypass(self, node: NodeId, replacement: NodeId | None) -> None:
        """Take a node out; who used it uses the replacement."""
        self.make(BypassNode(self.stage, node, replacement if self.is_used(node) else None))

    def replace(
        self, node: NodeId, target: str, given: tuple[Given, ...], named: tuple[tuple[str, Given], ...] = ()
    ) -> None:
        """Let a node call something else."""
        args = SequenceArgument("tuple", tuple(map(argument, given)))
        kwargs = MappingArgument(tuple((key, argument(item)) for key, item in named))
        self.make(ReplaceTarget(self.stage, node, "call_function", target, args, kwargs))

    def give(self, node: NodeId, args: tuple[Argument, ...]) -> None:
        """Give a node other positional arguments."""
        kwargs = self.graph.node(node).kwargs
        self.make(SetArguments(self.stage, node, SequenceArgument("tuple", args), kwargs))

    def group(self, label: str, nothing: str) -> EditGroup:
        """All edits made as one step. Raises EditError, with the words of `nothing`, where none was made."""
        if not self._parts:
            raise EditError(nothing)
        return EditGroup(label, tuple(self._parts))
