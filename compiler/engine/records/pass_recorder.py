"""A live graph followed through the passes that torch runs over it: read again only where something changed."""

import copy
import dataclasses
import operator
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
import torch.fx

from compiler.engine.fx.graph_import import MARK, read_node, read_value
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId
from compiler.model.ir.passes import OTHER_CHANGES, YOUR_EDIT, Difference, difference

Rewrite = tuple[str, tuple[NodeId, ...], tuple[NodeId, ...]]
"""(pattern, nodes it matched, nodes that came instead)."""


@dataclasses.dataclass
class RunRecord:
    """One pass that ran, or changes between passes."""

    name: str
    phase: str
    difference: Difference
    seconds: float = 0.0
    replaced: tuple[tuple[NodeId, NodeId], ...] = ()
    rewrites: tuple[Rewrite, ...] = ()
    inner: tuple[str, ...] = ()
    """Passes that ran inside it."""


@dataclasses.dataclass
class _Seen:
    """What a node was made of when it was read last. Held, so that equal identity means unchanged."""

    node: torch.fx.Node
    parts: tuple[Any, ...]
    value: Any
    """Its result in torch's metadata, which every shape propagation renews."""
    read: Node
    meta: tuple[Any, ...]
    """All of torch's metadata: where none of it is another object, which is nearly always, nothing else is looked at."""

    def is_as_read(self, node: torch.fx.Node, meta: dict[str, Any]) -> bool:
        """Whether no part of the node is another object, at a glance: False may be said of one that is as it was."""
        args, kwargs, target, mark = self.parts[:4]
        if (
            self.node is not node
            or node.args is not args
            or node.kwargs is not kwargs
            or node.target is not target
        ):
            return False
        if len(meta) != len(self.meta) or not all(map(operator.is_, meta.values(), self.meta)):
            return False
        custom = meta.get("custom")  # the same mapping may hold another mark
        return (custom.get(MARK) if isinstance(custom, dict) else None) is mark


_NOTHING = Difference((), (), (), (), ())


class PassTimeline:
    """One graph from the moment it is first known to the last pass over it."""

    def __init__(self, began: Graph, roles: Callable[[torch.fx.Node], str] | None = None) -> None:
        self.began = began
        self.runs: list[RunRecord] = []
        self.phase = ""
        self.module: Any = None
        """The module whose graph the passes work on now."""
        self.depth = 0
        """How many passes are running, one inside another."""
        self._roles = roles
        self._graph = began
        self._seen: dict[NodeId, _Seen] = {}
        self._before_edits: tuple[int, Graph] | None = None
        """How many passes had run, and to what they had led, when an edit came."""
        self._opened = 0.0
        self._name = ""
        self._inner: list[str] = []
        self._replaced: dict[NodeId, NodeId] = {}
        self._rewrites: list[Rewrite] = []

    def let_go(self) -> None:
        """Of a graph whose passes are all over: torch's objects. What was read stays."""
        self.module, self._seen = None, {}

    def copy(self) -> "PassTimeline":
        """A copy that can go on by itself."""
        copied = copy.copy(self)
        copied.runs = list(self.runs)
        return copied

    def take_inputs_of(self, graph: Graph) -> None:
        """The passes ran over a graph whose inputs were made by other operations."""
        self.began = with_notes_of_inputs(self.began, graph)
        self._graph = with_notes_of_inputs(self._graph, graph)
        if self._before_edits is not None:
            self._before_edits = self._before_edits[0], with_notes_of_inputs(self._before_edits[1], graph)
        notes = _notes_of_inputs(graph)
        self.runs = [
            dataclasses.replace(
                run,
                difference=msgspec.structs.replace(
                    run.difference,
                    made=_noted(run.difference.made, notes),
                    changed=_noted(run.difference.changed, notes),
                ),
            )
            for run in self.runs
        ]

    def lead_from(self, graph: Graph) -> None:
        """Somebody made the first graph of another one, before the first pass: that is reported as a change of theirs."""
        led = _with_roles(self.began, graph)
        found = difference(graph, led)
        if found and self.runs:
            self.runs.insert(0, RunRecord(OTHER_CHANGES, self.runs[0].phase, found))
        self.began = graph

    @property
    def now(self) -> Graph:
        """The graph as it was read last."""
        return self._graph

    # -- what torch does ---------------------------------------------------------------------------------------

    def enter(self, phase: str, module: Any) -> None:
        """A phase begins on this module."""
        self.phase, self.module, self.depth = phase, module, 0

    def begin(self, name: str) -> None:
        """A pass begins; one inside another belongs to the outer one."""
        if self.depth == 0:
            self._changes(OTHER_CHANGES)
            self._name, self._inner = name, []
            self._replaced.clear()
            self._rewrites.clear()
            self._opened = time.perf_counter()
        else:
            self._inner.append(name)
        self.depth += 1

    def end(self) -> None:
        """The innermost running pass is done."""
        if self.depth == 0:
            return
        self.depth -= 1
        if self.depth == 0:
            self._changes(self._name, time.perf_counter() - self._opened)

    def began_with(self, node: torch.fx.Node) -> bool:
        """Whether the node was there when the running pass began."""
        seen = self._seen.get(node.name)
        return seen is not None and seen.node is node

    def replace(self, old: NodeId, new: NodeId) -> None:
        """Users of a node use another one from now on."""
        self._replaced[old] = new

    def rewrite(self, rewrite: Rewrite) -> None:
        """A pattern was rewritten."""
        self._rewrites.append(rewrite)

    def written_out(self, name: str, node: NodeId, fresh: Sequence[NodeId]) -> Rewrite:
        """That others were written for a node, which may itself have been put in the place of some in this pass. No pattern of the
        pass: who looks for a wrong one would name it in the pass's place.
        """
        stood_for = tuple(old for old, new in self._replaced.items() if new == node)
        return name, stood_for or (node,), tuple(fresh)

    def finish(self, result: Graph, module: Any) -> None:
        """The phase is over, and the graph is as it was read in full: what no identity told is reported now."""
        self.module = module
        self._changes(OTHER_CHANGES)
        self._add(OTHER_CHANGES, result)
        self._forget_details()

    def edit(self, result: Graph, phase: str = "post_grad") -> None:
        """The graph was compiled as an edit left it."""
        self.phase = phase
        self._before_edits = self._before_edits or (len(self.runs), self._graph)
        self._forget_details()
        self._add(YOUR_EDIT, result)

    def take_back_edits(self) -> None:
        """The graph as it was before any edit: others are to come."""
        if self._before_edits is not None:
            count, self._graph = self._before_edits
            self.runs = self.runs[:count]
            self._before_edits = None

    # -- what changed ------------------------------------------------------------------------------------------

    def _changes(self, name: str, seconds: float = 0.0) -> None:
        self._add(name, self._read(), seconds)

    def _add(self, name: str, result: Graph, seconds: float = 0.0) -> None:
        if len(result.nodes) == len(self._graph.nodes) and all(
            map(operator.is_, result.nodes, self._graph.nodes)
        ):
            found = _NOTHING
        else:
            result = _with_roles(result, self._graph)
            found = difference(self._graph, result)
        self._graph = result
        if found or name not in (OTHER_CHANGES, YOUR_EDIT):
            inner = tuple(
                dict.fromkeys(item for item in self._inner if item not in (name, "pattern_matcher"))
            )
            self.runs.append(
                RunRecord(
                    name,
                    self.phase,
                    found,
                    seconds,
                    tuple(self._resolved()) if found else (),
                    tuple(self._rewrites) if found else (),
                    inner if found else (),
                )
            )
        self._forget_details()

    def _forget_details(self) -> None:
        self._replaced.clear()
        self._rewrites.clear()
        self._inner = []

    def _resolved(self) -> list[tuple[NodeId, NodeId]]:
        """Replacements, each with what is there at the end: what took a place may have been replaced in turn."""
        here = {node.id for node in self._graph.nodes}
        pairs = []
        for old in self._replaced:
            new, steps = self._replaced[old], 0
            while new not in here and new in self._replaced and steps < len(self._replaced):
                new, steps = self._replaced[new], steps + 1
            if new in here and new != old:
                pairs.append((old, new))
        return pairs

    def _read(self) -> Graph:
        """The graph now, with the nodes of before where nothing about them is another object."""
        seen: dict[NodeId, _Seen] = {}
        nodes = list(self.module.graph.nodes)
        if self._is_renamed(nodes):
            self._seen = {}  # a name that changed is spelt in its users' arguments too
        before = {} if self._seen else self._graph.by_id()
        for node in nodes:
            meta = node.meta
            old = self._seen.get(node.name)
            if old is not None and old.is_as_read(node, meta):
                seen[node.name] = old
                continue
            custom = meta.get("custom")
            value = meta.get("val", meta.get("example_value"))
            parts = (
                node.args,
                node.kwargs,
                node.target,
                custom.get(MARK) if isinstance(custom, dict) else None,
                meta.get("stack_trace"),
                meta.get("nn_module_stack"),
                meta.get("fwd_nn_module_stack"),
                meta.get("recompute"),
                meta.get("original_aten"),
            )
            if old is not None and old.node is node and all(map(operator.is_, old.parts, parts)):
                old.meta = tuple(meta.values())
                if old.value is not value:
                    old.value, result = value, read_value(value)
                    if result != old.read.value:
                        old.read = msgspec.structs.replace(old.read, value=result)
                seen[node.name] = old
                continue
            read = read_node(node, self._roles(node) if self._roles is not None else "")
            earlier = old.read if old is not None else before.get(node.name)
            if earlier is not None and node.op == "placeholder":
                read = msgspec.structs.replace(read, role=earlier.role)
            if earlier is not None and read == earlier:
                read = earlier
            seen[node.name] = _Seen(node, parts, value, read, tuple(meta.values()))
        self._seen = seen
        return Graph(tuple(item.read for item in seen.values()))

    def _is_renamed(self, nodes: Sequence[torch.fx.Node]) -> bool:
        if all((old := self._seen.get(node.name)) is not None and old.node is node for node in nodes):
            return False
        known = {item.node: name for name, item in self._seen.items()}
        return any(known.get(node, node.name) != node.name for node in nodes)


def _with_roles(graph: Graph, before: Graph) -> Graph:
    """Roles and lanes are ours and not torch's: they stay."""
    known = before.by_id()
    nodes = []
    for node in graph.nodes:
        old = known.get(node.id)
        if old is not None and (old.role, old.lane) != (node.role, node.lane):
            node = msgspec.structs.replace(node, role=old.role, lane=old.lane)
        nodes.append(node)
    return Graph(tuple(nodes))


_Notes = Mapping[NodeId, tuple[str, ...]]


def with_notes_of_inputs(graph: Graph, origin: Graph) -> Graph:
    """The graph, its inputs made by what made those of the other."""
    return Graph(_noted(graph.nodes, _notes_of_inputs(origin)))


def _notes_of_inputs(graph: Graph) -> _Notes:
    return {node.id: node.notes for node in graph.nodes if node.op == "placeholder"}


def _noted(nodes: tuple[Node, ...], notes: _Notes) -> tuple[Node, ...]:
    return tuple(
        msgspec.structs.replace(node, notes=notes[node.id])
        if notes.get(node.id, node.notes) != node.notes
        else node
        for node in nodes
    )


def patterns_in(rewrites: tuple[Rewrite, ...]) -> str:
    """Which patterns were rewritten how often, in words."""
    counts = Counter(name for name, _, _ in rewrites)
    return ", ".join(f"{name} ×{count}" if count > 1 else name for name, count in counts.items())
