"""Edits made one after another, each on the graph that the ones before it leave."""

from collections.abc import Callable
from contextvars import ContextVar

from compiler.model.edits.edits import (
    BypassNode,
    Edit,
    EditGroup,
    InsertNode,
    ReplaceTarget,
    edit_draft,
    group_made,
)
from compiler.model.edits.graph_draft import GraphDraft
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


class EditBuilder:
    """Holds the graph as it is after the edits made so far."""

    def __init__(self, stage: StageId, graph: Graph) -> None:
        self.stage = stage
        self._given = graph
        self._made: GraphDraft | None = None
        self._parts: list[Edit] = []
        self._inverses: list[Edit] = []

    @property
    def graph(self) -> Graph:
        """As it is now. Made for each state that is asked for: of one node `node` asks, of many edits much sooner."""
        return self._draft.graph() if self._made is not None else self._given

    @property
    def _draft(self) -> GraphDraft:
        if self._made is None:
            self._made = GraphDraft(self._given)
        return self._made

    def node(self, node: NodeId) -> Node:
        """The node of that id as it is now. Raises KeyError."""
        return self._draft.node(node)

    def index(self, node: NodeId) -> int:
        """Where it stands now. Raises KeyError."""
        return self._draft.index(node)

    def make(self, edit: Edit) -> None:
        """Make one edit. Raises EditError."""
        if _looking.get():
            raise _FoundError
        self._inverses.append(edit_draft(self._draft, edit))
        self._parts.append(edit)

    def uses_of(self, node: NodeId) -> tuple[tuple[NodeId, ArgumentPath], ...]:
        """Every place where a node's result is used."""
        return self._draft.uses_of(node)

    def is_used(self, node: NodeId) -> bool:
        """Whether a node's result is used anywhere."""
        return self._draft.is_used(node)

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
        draft = self._draft
        name = draft.unused_name(wish)
        index = draft.index(before) if before else draft.index(after) + 1
        while not before and index < draft.size and draft.op_at(index) == "placeholder":
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
        name = self._draft.unused_name(wish)
        node = Node(
            name,
            "get_attr",
            path,
            SequenceArgument("tuple", ()),
            module_path=like.module_path,
            stack=like.stack,
        )
        self.make(InsertNode(self.stage, node, self._draft.index(before), ()))
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
        kwargs = self._draft.node(node).kwargs
        self.make(SetArguments(self.stage, node, SequenceArgument("tuple", args), kwargs))

    def group(self, label: str, nothing: str) -> EditGroup:
        """All edits made as one step. Raises EditError, with the words of `nothing`, where none was made."""
        if not self._parts:
            raise EditError(nothing)
        return group_made(label, self._parts, self._inverses, self._given, self.graph)
