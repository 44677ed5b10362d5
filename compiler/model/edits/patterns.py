"""Patterns: small graphs that are looked for in others, and what takes the place of a match.

A pattern's placeholders stand for anything: a result, or a constant that was made general. It ends in one call.
"""

import msgspec

from compiler.model.edits.edits import EditGroup
from compiler.model.edits.edits_between import edits_between
from compiler.model.edits.validation import EditError, find_node
from compiler.model.ir.argument_substitution import mapped, substituted
from compiler.model.ir.arguments import Argument, ArgumentPath, NodeArgument, SequenceArgument, children
from compiler.model.ir.fresh_names import unused_name
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId, StageId

Location = tuple[NodeId, ArgumentPath]
"""An argument of a pattern's node."""


class PatternMatch(msgspec.Struct, frozen=True):
    """A place where torch's matcher finds the pattern."""

    stage: StageId
    pairs: tuple[tuple[NodeId, NodeId], ...]
    """(the pattern's call, the graph's), in the pattern's order."""
    inputs: tuple[tuple[NodeId, Argument], ...]
    """What each placeholder of the pattern stands for here."""

    @property
    def nodes(self) -> tuple[NodeId, ...]:
        """The calls of the graph that are matched."""
        return tuple(node for _, node in self.pairs)


class NearMiss(msgspec.Struct, frozen=True):
    """A place where only something of the pattern is found, and the first thing that is not."""

    stage: StageId
    pairs: tuple[tuple[NodeId, NodeId], ...]
    """The calls that do match."""
    pattern_node: NodeId
    node: NodeId
    """The graph's node where it fails."""
    path: ArgumentPath
    """The argument that fails; empty where it is the call itself."""
    why: str


class PatternMatches(msgspec.Struct, frozen=True, tag="pattern_matches"):
    """Every match of a pattern in the graphs of one kind, and where it nearly matches."""

    matches: tuple[PatternMatch, ...]
    near: tuple[NearMiss, ...]
    matcher: str
    """Torch's function that decided what matches."""


def pattern_of(graph: Graph, chosen: tuple[NodeId, ...], general: frozenset[Location] = frozenset()) -> Graph:
    """The chosen calls as a pattern, some arguments made general. Raises EditError.

    A general argument that was a result cuts off what made it, unless something else of the pattern needs it.
    """
    known = graph.by_id()
    calls = [
        known[name] for name in known if name in chosen and known[name].op in ("call_function", "call_method")
    ]
    if not calls:
        raise EditError("Select the calls that make a pattern.")
    used = {name for node in calls for name in node.inputs()}
    ends = [node.id for node in calls if node.id not in used]
    if len(ends) > 1:
        raise EditError(f"A pattern ends in one call; this selection ends in {', '.join(ends)}.")
    anything: list[NodeId] = []
    kept: list[Node] = []
    for node in calls:
        for path in sorted(path for name, path in general if name == node.id):
            name = unused_name(graph, "any", anything)
            node = node.with_argument(path, NodeArgument(name))
            anything.append(name)
        kept.append(node)
    kept = _needed(kept, ends[0])
    inside = {node.id for node in kept}
    used_outside = {name for node in graph.nodes if node.id not in inside for name in node.inputs()}
    results = [ends[0], *(node.id for node in kept if node.id in used_outside and node.id != ends[0])]
    inputs = dict.fromkeys(name for node in kept for name in node.inputs() if name not in inside)
    nothing = SequenceArgument("tuple", ())
    placeholders = (
        Node(name, "placeholder", name, nothing, value=known[name].value if name in known else None)
        for name in inputs
    )
    given = SequenceArgument("tuple", tuple(map(NodeArgument, results)))
    result: Argument = given.items[0] if len(results) == 1 else given
    output = Node("output", "output", "output", SequenceArgument("tuple", (result,)))
    return Graph((*placeholders, *kept, output))


def replacement_of(graph: Graph, chosen: tuple[NodeId, ...], pattern: Graph) -> Graph:
    """The chosen calls of a graph as what takes the place of a match. Raises EditError where they use what a match does
    not have.
    """
    drawn = pattern_of(graph, chosen)
    inputs = [node for node in pattern.nodes if node.op == "placeholder"]
    known = {node.id for node in inputs}
    strange = [node.id for node in drawn.nodes if node.op == "placeholder" and node.id not in known]
    if strange:
        raise EditError(
            f"The replacement uses {strange[0]}, which is no input of the pattern ({', '.join(known)})."
        )
    return Graph((*inputs, *(node for node in drawn.nodes if node.op != "placeholder")))


def _needed(calls: list[Node], end: NodeId) -> list[Node]:
    wanted = {end}
    for node in reversed(calls):
        if node.id in wanted:
            wanted.update(node.inputs())
    return [node for node in calls if node.id in wanted]


def results_of(pattern: Graph) -> tuple[NodeId, ...]:
    """What a pattern, a replacement or a body gives: the end first."""
    given = pattern.nodes[-1].args.items[0]
    items = given.items if isinstance(given, SequenceArgument) else (given,)
    return tuple(item.node for item in items if isinstance(item, NodeArgument))


def spots_of(pattern: Graph) -> tuple[tuple[Node, ArgumentPath, Argument], ...]:
    """Every argument of every call, lists as a whole first, then what is in them."""
    found: list[tuple[Node, ArgumentPath, Argument]] = []

    def add(node: Node, path: ArgumentPath, argument: Argument) -> None:
        found.append((node, path, argument))
        for step, child in children(argument):
            add(node, (*path, step), child)

    for node in pattern.nodes:
        if node.op.startswith("call"):
            for index, item in enumerate(node.args.items):
                add(node, ("args", str(index)), item)
            for key, item in node.kwargs.items:
                add(node, ("kwargs", key), item)
    return tuple(found)


def replace_matches(
    stage: StageId, graph: Graph, pattern: Graph, matches: tuple[PatternMatch, ...], replacement: Graph
) -> EditGroup:
    """Put the replacement into the place of each match of one stage, as one group of edits. Raises EditError."""
    if len(results_of(replacement)) != len(results_of(pattern)):
        count = len(results_of(pattern))
        raise EditError(
            f"The replacement must give {count} result{'s' if count > 1 else ''}, as the pattern does."
        )
    edited = graph
    moved: dict[NodeId, Argument] = {}
    for match in matches:
        edited, ends = _replaced(edited, pattern, match, replacement, moved)
        moved |= ends
    what = f"{len(matches)} match{'es' if len(matches) != 1 else ''}"
    group = edits_between(stage, graph, edited, f"Replace {what} of a pattern")
    if group is None:
        raise EditError("The replacement is what is there already.")
    return group


def _replaced(
    graph: Graph, pattern: Graph, match: PatternMatch, replacement: Graph, moved: dict[NodeId, Argument]
) -> tuple[Graph, dict[NodeId, Argument]]:
    """The graph without the match, and what its results are now. `moved`: the same of matches before it."""
    places = dict(match.pairs)
    inside = set(places.values())
    for name in inside:
        find_node(graph, name)
    results = [places[name] for name in results_of(pattern)]
    for node in graph.nodes:
        if node.id not in inside and (leak := (set(node.inputs()) & inside) - set(results)):
            raise EditError(f"{sorted(leak)[0]} is used by {node.id} too.")
    like = find_node(graph, results[0])
    names = {
        name: mapped(argument, lambda used: moved.get(used, NodeArgument(used)))
        for name, argument in match.inputs
    }
    made: list[Node] = []
    for node in replacement.nodes:
        if node.op in ("placeholder", "output"):
            continue
        name = unused_name(graph, node.id, {one.id for one in made})
        value = like.value if node.id == results_of(replacement)[0] else None
        own = substituted(node, names)
        facts = {
            "stack": like.stack,
            "lane": like.lane,
            "module_path": like.module_path,
            "module_type": like.module_type,
        }
        made.append(msgspec.structs.replace(own, id=name, value=value, origins=(), notes=(), **facts))
        names[node.id] = NodeArgument(name)
    ends = {old: names[new] for old, new in zip(results, results_of(replacement), strict=True)}
    return Graph(tuple(_put_in(graph, inside, made, ends))), ends


def _put_in(graph: Graph, inside: set[NodeId], made: list[Node], ends: dict[NodeId, Argument]) -> list[Node]:
    """What does not depend on the match, the new calls, what does."""
    after: set[NodeId] = set()
    for node in graph.nodes:
        uses = set(node.inputs())
        if node.id in inside and uses & after:
            raise EditError(f"{node.id} needs a node that needs the match.")
        if node.id not in inside and uses & (inside | after):
            after.add(node.id)
    first = min(graph.index(name) for name in inside)
    early = [node for node in graph.nodes if node.id not in inside and node.id not in after]
    late = [substituted(node, ends) for node in graph.nodes if node.id in after]
    last = max(graph.index(name) for name in inside)
    if not any(first < graph.index(node.id) < last for node in late):  # no other node need change its place
        rest = [node for node in graph.nodes if node.id not in inside]
        before = [node for node in rest if graph.index(node.id) < last]
        behind = [substituted(node, ends) for node in rest if graph.index(node.id) > last]
        return [*before, *made, *behind]
    return [*early, *made, *late]
