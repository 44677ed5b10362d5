"""What a kernel computes and for which lines: of the FX nodes of which code is in it, the operations, stacks and modules.

Torch's own list of a kernel's origins also names what its arguments were made from, so a matrix product would be charged to the
line of the layer norm before it. Counted here is what was seen in the loop bodies, and of that what computes; views only where
there is nothing else.
"""

from collections.abc import Iterable
from typing import TypeAlias

import msgspec

from compiler.analysis.line_times.outer_calls import outer_calls
from compiler.model.capture.capture import Capture
from compiler.model.diagrams.diagrams import short_target
from compiler.model.ir.graph import Graph, Node, SourceLine
from compiler.model.ir.ids import NodeId, Place, StageId
from compiler.model.ir.links import Provenance
from compiler.model.ir.loop_ir import Kernel, LoopNode
from compiler.model.ir.stage import KernelStage, LoopStage, SourceStage, Stage, StageKind

Stack: TypeAlias = tuple[SourceLine, ...]
"""Frames of files that were captured, innermost last; never empty here."""

_FREE = {
    "view", "_unsafe_view", "reshape", "unsqueeze", "squeeze", "expand", "expand_as", "alias", "detach", "permute",
    "transpose", "t", "select", "slice", "narrow", "chunk", "split", "split_with_sizes", "unbind", "as_strided",
    "diagonal", "unfold", "getitem", "getattr", "size", "shape", "flatten", "unflatten", "view_as", "T", "mT", "dim",
    "movedim", "swapaxes",
}  # fmt: skip
"""Operations that move nothing: views, and asking for sizes."""
_PYTHON = {"truediv": "div", "and_": "and", "or_": "or"}
_GRAPHS = (
    StageKind.POST_GRAD_GRAPH,
    StageKind.AOT_GRAPH,
    StageKind.JOINT_GRAPH,
    StageKind.GRAPH_PART,
    StageKind.DYNAMO_GRAPH,
)
"""Where to look for what a kernel was made from, the nearest first."""


class KernelOrigin(msgspec.Struct, frozen=True):
    """What one kernel computes; all empty where nothing is known."""

    operations: tuple[str, ...] = ()
    """In the program's words (``layer_norm``), in the order they run; of what torch added, the aten operation."""
    stacks: tuple[Stack, ...] = ()
    """Each once, in the order of the nodes."""
    modules: tuple[str, ...] = ()
    backward: bool = False


def has_kernels(capture: Capture, kernels: Iterable[Place]) -> bool:
    """Whether all of them are kernels of a capture: times of another one say nothing of its lines."""
    known = {
        (stage.id, kernel.id) for stage in capture.of_kind(StageKind.KERNELS) for kernel in stage.kernels
    }
    return all((location.stage, node) in known for location in kernels for node in location.nodes)


def kernel_origins(
    capture: Capture, kernels: Iterable[Place], provenance: Provenance | None = None
) -> dict[Place, KernelOrigin]:
    """Of every kernel named by its place in a kernel stage. A place that the capture lacks has an empty one."""
    known = _Known(capture, provenance)
    return {location: known.origin(location) for location in kernels}


class _Known:
    """Indices over a capture, made once for all its kernels."""

    def __init__(self, capture: Capture, provenance: Provenance | None) -> None:
        self._capture = capture
        self._provenance = provenance
        self._stages = {stage.id: stage for stage in capture.stages}
        self._files = {
            stage.content.file.path for stage in capture.stages if isinstance(stage.content, SourceStage)
        }
        self._kernels: dict[StageId, dict[NodeId, Kernel]] = {}
        self._loops: dict[StageId, dict[NodeId, LoopNode]] = {}
        self._outer: dict[str, Stack] = {}
        self._by_stack: dict[str, dict[tuple[Stack, str], list[Node]]] = {}
        """Compile id → (stack, module) → the nodes of the Dynamo graph that compute something there."""

    def origin(self, location: Place) -> KernelOrigin:
        stage = self._stages.get(location.stage)
        if stage is None or not isinstance(stage.content, KernelStage):
            return KernelOrigin()
        rows = self._kernels.setdefault(stage.id, {row.id: row for row in stage.kernels})
        nodes: list[tuple[Stage, Node]] = []
        for kernel in filter(None, map(rows.get, location.nodes)):
            nodes += self._computing(stage, kernel) or self._linked(location)
        if nodes and all(node.op == "placeholder" for _, node in nodes):
            return self._of_copies(nodes, stage.part)
        return self._origin_of([row for row in nodes if _computes(row[1])] or nodes, stage.part)

    def _of_copies(self, inputs: list[tuple[Stage, Node]], part: str) -> KernelOrigin:
        """Of a kernel that only copies inputs into the layout that what uses them wants (a convolution's weight)."""
        users = [
            (stage, stage.graph.node(name))
            for stage, node in inputs
            if stage.graph is not None
            for name in stage.graph.users_of(node.id)
        ]
        reported = self._origin_of(
            [row for row in users if _computes(row[1]) and row[1].op != "output"], part
        )
        if not reported.operations:
            return self._origin_of(inputs, part)
        return msgspec.structs.replace(
            reported, operations=tuple(f"copy for {name}" for name in reported.operations)
        )

    def _computing(self, stage: Stage, kernel: Kernel) -> list[tuple[Stage, Node]]:
        """The nodes of the post-grad graph of which code is in the kernel, in the order of the graph."""
        graph = self._of(stage, StageKind.POST_GRAD_GRAPH)
        if graph is None or graph.graph is None or kernel.body:
            return []
        loops = self._loops_of(stage)
        names: set[NodeId] = set()
        for row in filter(None, map(loops.get, kernel.loop_nodes)):
            names.update(row.computes or ((row.value_of,) if row.value_of else row.origins))
        held = [name for name in names or kernel.origins if graph.graph.holds(name)]
        return [(graph, graph.graph.node(name)) for name in sorted(held, key=graph.graph.index)]

    def _linked(self, location: Place) -> list[tuple[Stage, Node]]:
        """Where no loop node was seen (bodies of higher-order operators): what links lead to, in the nearest graph."""
        if self._provenance is None:
            self._provenance = Provenance(self._capture.links)
        reached = self._provenance.ancestors(location)
        for kind in _GRAPHS:
            found = [
                (stage, node)
                for stage in self._capture.of_kind(kind)
                if stage.id in reached and stage.graph is not None
                for node in stage.graph.nodes
                if node.id in reached[stage.id] and node.op not in ("placeholder", "output")
            ]
            if found:
                return found
        return []

    def _origin_of(self, nodes: list[tuple[Stage, Node]], part: str) -> KernelOrigin:
        operations: dict[str, None] = {}
        stacks: dict[Stack, None] = {}
        modules: dict[str, None] = {}
        for stage, node in nodes:
            made_from = self._dynamo(node) or self._namesake(stage.compile_id, node)
            if own := self._in_files(stage.compile_id, node):
                stacks[own] = None
            else:  # torch drops the stack of what it decomposes late; the operation it was has one
                stacks |= {
                    found: None
                    for found in (self._in_files(stage.compile_id, row) for row in made_from)
                    if found
                }
            emitting = [row for row in made_from if _computes(row)] or made_from or [node]
            operations |= {_word(row): None for row in emitting}
            modules |= {row.module_path: None for row in (node, *emitting) if row.module_path}
        if len(operations) > 1:
            operations = {name: None for name in operations if name not in _FREE} or operations
        return KernelOrigin(tuple(operations), tuple(stacks), tuple(modules), part == "backward")

    def _in_files(self, compile_id: str, node: Node) -> Stack:
        """The node's stack below the calls that lead to its frame; empty where no file of its own stack was captured."""
        own = tuple(frame for frame in node.stack if frame.path in self._files)
        if own and compile_id not in self._outer:
            calls = outer_calls(self._capture, compile_id)
            self._outer[compile_id] = tuple(frame for frame in calls if frame.path in self._files)
        return (*self._outer[compile_id], *own) if own else ()

    def _dynamo(self, node: Node) -> list[Node]:
        found = []
        for origin in node.origins:
            compile_id, _, name = origin.rpartition(":")
            stage = self._stages.get(f"{compile_id}:dynamo")
            graph: Graph | None = stage.graph if stage is not None else None
            if graph is not None and graph.holds(name):
                found.append(graph.node(name))
        return found

    def _namesake(self, compile_id: str, node: Node) -> list[Node]:
        """Of a node that bears no mark of ours (what replaced a dropout): the one operation of its line, if it is one."""
        if compile_id not in self._by_stack:
            stage = self._stages.get(f"{compile_id}:dynamo")
            rows = self._by_stack.setdefault(compile_id, {})
            for row in stage.graph.nodes if stage is not None and stage.graph is not None else ():
                if row.stack and _computes(row):
                    rows.setdefault((row.stack, row.module_path), []).append(row)
        found = self._by_stack[compile_id].get((node.stack, node.module_path), []) if node.stack else []
        return found if len(found) == 1 else []

    def _loops_of(self, kernels: Stage) -> dict[NodeId, LoopNode]:
        if kernels.id not in self._loops:
            stage = self._of(kernels, StageKind.FUSED_LOOP_IR)
            content = stage.content if stage is not None else None
            rows = content.program.nodes if isinstance(content, LoopStage) else ()
            self._loops[kernels.id] = {row.id: row for row in rows}
        return self._loops[kernels.id]

    def _of(self, kernels: Stage, kind: StageKind) -> Stage | None:
        wanted = kernels.compile_id, kernels.part
        return next(
            (row for row in self._capture.of_kind(kind) if (row.compile_id, row.part) == wanted), None
        )


def _computes(node: Node) -> bool:
    return short_target(node) not in _FREE


def _word(node: Node) -> str:
    name = short_target(node)
    if node.target.startswith(("_operator.", "operator.")):
        return _PYTHON.get(name, name)
    return name.strip("_") or name
