"""Layers of a model that are equal in a graph, and the edits of one made to the others.

A layer is a numbered module: ``layers.3``. Two are equal where the nodes made in them are (`equal_blocks`).
"""

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from compiler.analysis.edits.renaming import SingleGraphEdit, graph_edits, named_nodes, renamed
from compiler.model.capture.counted import more_than
from compiler.model.diagrams.calls import Calls, call_of
from compiler.model.diagrams.equal_blocks import Chain, Member, UnequalError, paired
from compiler.model.diagrams.node_homes import homes_of
from compiler.model.edits.edits import Edit, EditGroup, InsertNode, apply_graph_edit, edit_draft, stages_of
from compiler.model.edits.graph_draft import GraphDraft
from compiler.model.edits.node_edits import ReorderNodes
from compiler.model.edits.partition_edits import ChooseMemoryBudget
from compiler.model.edits.validation import FIXED, EditError
from compiler.model.ir.arguments import ArgumentPath
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.identity_cache import identity_cached
from compiler.model.ir.ids import NodeId, StageId, is_number

_MOST_REPORTED = 3


class UnequalLayer(msgspec.Struct, frozen=True):
    """A layer beside the edited one that is not equal to it."""

    name: str
    reason: str


class EqualLayers(msgspec.Struct, frozen=True):
    """The layers beside one."""

    name: str
    counterparts: tuple[tuple[str, Mapping[NodeId, NodeId]], ...]
    """Each equal layer, with what stands in it for the nodes of this one and for what those use from outside."""
    unequal: tuple[UnequalLayer, ...]

    @property
    def left_out(self) -> str:
        """Which layers are not equal, and why; empty where all are."""
        reported = [f"{row.name}: {row.reason}" for row in self.unequal[:_MOST_REPORTED]]
        return "; ".join((*reported, *more_than(_MOST_REPORTED, self.unequal)))


class AppliedToLayers(msgspec.Struct, frozen=True):
    """Edits for the layers equal to one that was edited."""

    edit: EditGroup
    layers: EqualLayers


def apply_to_equal_layers(stage: StageId, graph: Graph, edits: Iterable[Edit]) -> AppliedToLayers:
    """The last edits of a stage, as far as they are of one layer, for every layer that was equal to it before them.

    `graph`: without any of the edits. Raises EditError with the reason where that cannot be done.
    """
    steps = [edit for edit in edits if stages_of(edit) == (stage,)]
    before = [_at_home(graph)]
    for step in steps:
        before.append(_housed(apply_graph_edit(before[-1], step)[0], step))
    names = _layers_of(before[-2], steps[-1]) if steps else ()
    if not names:
        raise EditError(
            "The last edit of this stage is not of one layer: a numbered module, such as layers.3."
        )
    starts = {name: _first_of(name, before, steps) for name in names}
    layers = _with_equals(_around(before[starts[name]], name) for name in names)
    if not layers.counterparts:
        raise EditError(f"No other layer is equal to {layers.name}. {layers.left_out}".strip())
    first, edited = starts[layers.name], GraphDraft(before[-1])
    own = _Own(
        layers.name, before[first], tuple(part for step in steps[first:] for part in graph_edits(step))
    )
    made: list[Edit] = []
    for name, counterparts in layers.counterparts:
        try:
            made += _Translation(stage, own, name, counterparts, edited).edits()
        except EditError as error:
            raise EditError(f"{name}: {error}") from error
    label = f"The last edits of {layers.name} in {len(layers.counterparts)} equal layers"
    return AppliedToLayers(EditGroup(label, tuple(made)), layers)


@identity_cached
def _at_home(graph: Graph) -> Graph:
    """The graph with every operation in the module it is shown in: sums of gradients have none, and what several layers use
    is of none of them (`node_homes`).
    """
    paths = homes_of(graph)
    return Graph(
        tuple(
            node
            if node.op in FIXED or (home := ".".join(paths[node.id])) == node.module_path
            else msgspec.structs.replace(node, module_path=home)
            for node in graph.nodes
        )
    )


def _with_equals(found: Iterator[EqualLayers]) -> EqualLayers:
    first = next(found)
    return first if first.counterparts else next((layers for layers in found if layers.counterparts), first)


def _numbered(path: str) -> tuple[str, ...]:
    """The numbered modules around a place, from the outside in."""
    parts = path.split(".")
    return tuple(".".join(parts[: place + 1]) for place, part in enumerate(parts) if part.isdigit())


def _housed(graph: Graph, step: Edit) -> Graph:
    """The graph with nodes that an edit put in made in the module of what they use."""
    for part in graph_edits(step):
        if isinstance(part, InsertNode) and not part.node.module_path and graph.holds(part.node.id):
            node = graph.node(part.node.id)
            paths = (graph.node(used).module_path for used in node.inputs())
            home = msgspec.structs.replace(node, module_path=next(filter(None, paths), ""))
            graph = graph.with_node(graph.index(node.id), home)
    return graph


def _touched(edit: SingleGraphEdit) -> tuple[NodeId, ...]:
    """The nodes that are others after an edit, or run elsewhere."""
    match edit:
        case InsertNode():
            return edit.node.inputs()
        case ReorderNodes():
            return edit.order
        case ChooseMemoryBudget():
            return ()
        case _:
            return (edit.node,)


def _layers_of(graph: Graph, step: Edit) -> tuple[str, ...]:
    """The numbered modules that an edit changes nothing outside of."""
    touched = [name for part in graph_edits(step) for name in _touched(part) if graph.holds(name)]
    nodes = (node for node in map(graph.node, touched) if node.op not in FIXED)
    names = dict.fromkeys(name for node in nodes for name in _numbered(node.module_path))
    return tuple(name for name in names if _is_within(graph, step, name))


def _is_within(graph: Graph, step: Edit, layer: str) -> bool:
    """Whether an edit changes nodes of a layer only; what it puts in has to use one."""
    own = {node.id for node in graph.nodes if _numbered_in(node, layer)}
    for part in graph_edits(step):
        touched = own.intersection(_touched(part))
        if not touched or (len(touched) < len(set(_touched(part))) and not isinstance(part, InsertNode)):
            return False
        if isinstance(part, InsertNode):
            own.add(part.node.id)
    return bool(graph_edits(step))


def _numbered_in(node: Node, layer: str) -> bool:
    """Whether a node was made in a layer. Inputs of the graph bear the module that uses them first."""
    return node.op not in FIXED and (node.module_path == layer or node.module_path.startswith(f"{layer}."))


def _first_of(layer: str, before: list[Graph], steps: list[Edit]) -> int:
    """The first of the last steps that are all of a layer."""
    first = len(steps) - 1
    while first and _is_within(before[first - 1], steps[first - 1], layer):
        first -= 1
    return first


def _around(graph: Graph, name: str) -> EqualLayers:
    stem, number = name[: name.rfind(".") + 1], name.rpartition(".")[2]
    members: dict[str, list[Member]] = {}
    for node in graph.nodes:
        if node.op not in FIXED and node.module_path.startswith(stem):
            found, _, inside = node.module_path[len(stem) :].partition(".")
            if is_number(found):
                members.setdefault(found, []).append((node.id, inside))
    numbers = sorted(members, key=int)
    calls = Calls({node.id: call_of(node) for node in graph.nodes})
    chain = Chain([members[other] for other in numbers], calls)
    chain.house(node.id for node in graph.nodes if node.op not in FIXED and not node.module_path)
    model = numbers.index(number)
    equal, unequal = [], []
    for place, other in enumerate(numbers):
        if other != number:
            try:
                equal.append((f"{stem}{other}", paired(chain, model, place)))
            except UnequalError as error:
                unequal.append(UnequalLayer(f"{stem}{other}", str(error)))
    return EqualLayers(name, tuple(equal), tuple(unequal))


class _Own:
    """The edits of the one layer."""

    def __init__(self, layer: str, graph: Graph, edits: tuple[SingleGraphEdit, ...]) -> None:
        self.layer = layer
        self.steps: list[tuple[SingleGraphEdit, Graph]] = []
        """Each with the graph it was made on."""
        for edit in edits:
            self.steps.append((edit, graph))
            graph, _ = apply_graph_edit(graph, edit)


class _Translation:
    """Edits of one layer made edits of an equal one, in their order."""

    def __init__(
        self, stage: StageId, own: _Own, other: str, counterparts: Mapping[NodeId, NodeId], edited: GraphDraft
    ) -> None:
        """`edited`: what those for the other layer are made on."""
        self._stage, self._own, self._layer, self._other = stage, own, own.layer, other
        self._names = dict(counterparts)
        self.edited = edited
        """With the edits so far."""

    def edits(self) -> Iterator[Edit]:
        """The edits, each made as it is given. Raises EditError."""
        for edit, before in self._own.steps:
            if isinstance(edit, InsertNode):
                made: Edit = self._inserted(edit, before)
            else:
                self._require(named_nodes(edit))
                made = renamed(edit, self._stage, self._names)
            edit_draft(self.edited, made)
            yield made

    def _require(self, wanted: Iterable[NodeId]) -> None:
        foreign = next((name for name in wanted if name not in self._names), None)
        if foreign is not None:
            raise EditError(f"the edit names {foreign}, which is neither in {self._layer} nor used by it")

    def _inserted(self, edit: InsertNode, before: Graph) -> InsertNode:
        node = edit.node
        self._require(node.inputs())
        instead = {used for used, user, path in _uses(before, edit.uses) if (user, path) in edit.uses}
        source = next(iter(instead), "")
        uses = None
        if source in self._names and set(edit.uses) == set(before.uses_of(source)):
            uses = self.edited.uses_of(self._names[source])  # all of them, outside of the layer too
        else:
            self._require(user for user, _ in edit.uses)
        self._names[node.id] = self.edited.unused_name(node.id)
        if _numbered_in(node, self._layer):
            path = self._other + node.module_path.removeprefix(self._layer)
            node = msgspec.structs.replace(node, module_path=path)
        whole = InsertNode(edit.stage, node, edit.index, () if uses is not None else edit.uses)
        made = renamed(whole, self._stage, self._names)
        assert isinstance(made, InsertNode)
        place = self._place(edit.index, made.node, before)
        return msgspec.structs.replace(made, index=place, uses=made.uses if uses is None else uses)

    def _place(self, index: int, made: Node, before: Graph) -> int:
        """Behind what stands for the node that it stands behind; where nothing does, as early as can be."""
        first = max((self.edited.index(name) + 1 for name in made.inputs()), default=0)
        ahead = self._names.get(before.nodes[index - 1].id, "") if index else ""
        return max(self.edited.index(ahead) + 1, first) if self.edited.holds(ahead) else first


def _uses(
    graph: Graph, places: tuple[tuple[NodeId, ArgumentPath], ...]
) -> Iterator[tuple[NodeId, NodeId, ArgumentPath]]:
    for user in dict.fromkeys(user for user, _ in places):
        yield from ((used, user, path) for used, path in graph.node(user).uses())
