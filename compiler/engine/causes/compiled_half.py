"""The compiled half of a graph, called by itself with the inputs it had in the step, and judged by running its graph op by op
in float64.
"""

import contextlib
import functools
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import torch

from compiler.engine.accuracy.tolerance import judge
from compiler.engine.causes.compile_again import compiled_again
from compiler.engine.causes.graph_levels import GraphPart
from compiler.engine.causes.right_results import Judged
from compiler.engine.causes.trials import Search
from compiler.engine.equal_tensors import same_numbers
from compiler.engine.fx.interpreter import interpreter_of
from compiler.engine.kernel_code.overwrites import Overwrite, overwriting_wrapper
from compiler.engine.measuring.interleaved_timing import Around
from compiler.engine.records.recorder import InductorGraphRecord
from compiler.engine.records.wrapper_kernels import read_kernels
from compiler.engine.rng.random_ops import is_random
from compiler.engine.rng.random_tape import RandomTape, Within
from compiler.engine.rng.rng_state import seeded
from compiler.engine.stage_ids import inductor_graph_id
from compiler.engine.user_program.stepper import Results
from compiler.engine.verdicts.reference_runs import node_results
from compiler.engine.verdicts.seen_graphs import SeenGraph
from compiler.engine.wide_values import wide_value
from compiler.model.experiments.causes import CauseFound
from compiler.model.ir.ids import NodeId, line_of
from compiler.model.ir.links import LinkTable
from compiler.model.ir.loop_ir import FusionChoice, Kernel, LoopNode

T = TypeVar("T")


class WrongValue(NamedTuple):
    """A value that a kernel makes, and that is not what the graph says."""

    node: NodeId
    loop: NodeId
    """The scheduler node that makes it."""
    off: float


class CompiledHalf:
    """One half of a graph, called by itself."""

    def __init__(self, search: Search, part: GraphPart, seen: SeenGraph) -> None:
        assert seen.inputs is not None
        assert part.half is not None
        self.search, self.part, self.seen = search, part, seen
        self.inputs: list[Any] = seen.inputs
        self.live = part.half
        self.stage = seen.stage
        self.looked_at: NodeId | None = None
        """The node whose value says whether it is wrong; the same fault may be in other kernels too."""

    @functools.cached_property
    def record(self) -> InductorGraphRecord:
        """As it is compiled now."""
        return self.seen.record

    @functools.cached_property
    def _references(self) -> tuple[Results, Results]:
        return self._both(self._interpreted)

    def _interpreted(self, wide: bool, within: Within) -> Results:
        values = _copies(self.inputs)
        given = [wide_value(value) for value in values] if wide else values
        with torch.no_grad(), within():
            return _results(interpreter_of(self.seen.module, wide).run(*given), given)

    def _both(self, run: Callable[[bool, Within], T]) -> tuple[T, T]:
        """In the graph's own dtypes and in float64, which is given the random numbers that the other drew."""

        def seeded_run(wide: bool, within: Within) -> T:
            with seeded(self._seed):
                return run(wide, within)

        narrow, wide = functools.partial(seeded_run, False), functools.partial(seeded_run, True)
        if not any(is_random(node) for node in self.seen.module.graph.nodes):
            return narrow(contextlib.nullcontext), wide(contextlib.nullcontext)
        tape = RandomTape()
        return tape.record(narrow), tape.replay(wide)

    @property
    def _seed(self) -> int:
        return self.search.program.base.stepper.options.seed

    def judged(self, call: Callable[..., Any]) -> Judged:
        """What compiled code gives for the inputs of the step."""
        near, exact = self._references
        with torch.no_grad(), seeded(self._seed):
            given = _copies(self.inputs)
            results = _results(call(list(given)), given)
        names = [name for name in near.tensors if name not in self.left_alone and name in results.tensors]
        reported, known, wide = (
            Results({name: some.tensors[name] for name in names if name in some.tensors})
            for some in (results, near, exact)
        )
        row = judge("", reported, known, "", wide)
        worst = row.worst
        return Judged(row.agrees is False, worst.max_relative if worst is not None else None)

    @functools.cached_property
    def left_alone(self) -> frozenset[str]:
        """Names of the inputs that the graph does not write to, and that nobody reads afterwards."""
        near, _ = self._references
        return frozenset(
            name
            for index, value in enumerate(self.inputs)
            if (name := f"input {index}") in near.tensors and same_numbers(near.tensors[name], value)
        )

    @property
    def writes_inputs(self) -> bool:
        """Whether the graph writes to an input."""
        near, _ = self._references
        return any(name.startswith("input ") and name not in self.left_alone for name in near.tensors)

    def of_module(self, module: torch.fx.GraphModule) -> Judged:
        """Another graph of the same inputs, compiled in place of the post-grad graph."""
        found = compiled_again(
            self.search.program,
            self.search.edits,
            self.part,
            self.record,
            contextlib.nullcontext,
            instead=module,
        )
        return self.judged(found.call)

    def as_it_is(self) -> Judged:
        """The code that runs."""
        return self.judged(self.live.output.current_callable)

    def compiled(
        self,
        around: Around,
        choices: tuple[FusionChoice, ...] = (),
        options: Mapping[str, object] = MappingProxyType({}),
    ) -> Judged:
        """The post-grad graph compiled again, with something else about it; what runs stays. Judged by the value that is
        looked at, where there is one and it stands in a buffer then too.
        """
        seen = self._variant(around, choices, options)
        if self.looked_at is None:
            return self.judged(seen.stand_in())
        with torch.no_grad(), seeded(self._seed):
            seen.stand_in()(_copies(self.inputs))
        buffer = seen.buffers().get(self.looked_at)
        near, exact = (values.get(self.looked_at) for values in self.values)
        if buffer is None or near is None or exact is None or buffer.value.shape != near.shape:
            return self.judged(seen.stand_in())
        row = judge("", Results({"": buffer.value}), Results({"": near}), "", Results({"": exact}))
        return Judged(row.agrees is False, row.differences[0].max_relative)

    @functools.cached_property
    def values(self) -> tuple[dict[NodeId, torch.Tensor], dict[NodeId, torch.Tensor]]:
        """What each node gives, in its own dtype and in float64."""

        def run(wide: bool, within: Within) -> dict[NodeId, torch.Tensor]:
            with within():
                return node_results(self.seen.module, self.inputs, wide)

        return self._both(run)

    def _variant(
        self, around: Around, choices: tuple[FusionChoice, ...], options: Mapping[str, object]
    ) -> SeenGraph:
        found = compiled_again(
            self.search.program, self.search.edits, self.part, self.record, around, choices, options
        )
        return SeenGraph(self.stage, self.live, found.record, self.seen.module, found.module)

    def first_wrong_value(self) -> WrongValue | None:
        """The first node, in the order of the graph, whose buffer is not what the graph says."""
        near, exact = self.values
        buffers = self.seen.buffers()
        for name, value in near.items():
            buffer, wide = buffers.get(name), exact.get(name)
            if buffer is None or wide is None or not buffer.value.shape == value.shape == wide.shape:
                continue
            row = judge("", Results({"": buffer.value}), Results({"": value}), "", Results({"": wide}))
            if row.agrees is False:
                return WrongValue(name, buffer.maker, row.differences[0].max_relative)
        return None

    def overwritten_input(self) -> str:
        """An input that compiled code writes and the graph, run op by op, does not."""
        names = [node.name for node in self.seen.module.graph.nodes if node.op == "placeholder"]
        ours, theirs = _copies(self.inputs), _copies(self.inputs)
        with torch.no_grad():
            interpreter_of(self.seen.module, False).run(*theirs)
            kept = list(ours)
            self.live.output.current_callable(ours)
        for name, given, after, there in zip(names, self.inputs, kept, theirs, strict=False):
            if (
                isinstance(given, torch.Tensor)
                and same_numbers(given, there)
                and not same_numbers(given, after)
            ):
                return str(name)
        return ""

    def overwritten_buffer(self) -> Overwrite | None:
        """The first memory that a kernel writes while it is still needed."""
        found: list[Overwrite] = []
        module = self.live.module
        if module is None:
            return None
        call = overwriting_wrapper(self.record.wrapper_text, module, found)
        with torch.no_grad(), seeded(self._seed):
            call(_copies(self.inputs))
        return found[0] if found else None

    def nodes_in(self, buffer: str) -> tuple[NodeId, ...]:
        """The nodes of the post-grad graph whose value a buffer, or an input, is."""
        if buffer in self.names:
            return (buffer,)
        return tuple(node for node, row in self.seen.buffers().items() if row.name == buffer)

    def kernel_of(self, loop: NodeId) -> Kernel | None:
        """The kernel that runs a scheduler node."""
        row = self._fused(loop)
        names = {loop} if row is None else {loop, row.id, *row.children}
        return next((kernel for kernel in read_kernels(self.record) if names & set(kernel.loop_nodes)), None)

    def fused_with(self, loop: NodeId) -> tuple[NodeId, ...]:
        """All scheduler nodes of the kernel of one of them, itself included."""
        row = self._fused(loop)
        return row.children or (loop,) if row is not None else (loop,)

    def _fused(self, loop: NodeId) -> LoopNode | None:
        rows = self.record.after_fusion.nodes if self.record.after_fusion is not None else []
        return next((row for row in rows if loop == row.id or loop in row.children), None)

    @property
    def names(self) -> tuple[NodeId, ...]:
        """The nodes of the post-grad graph, in order."""
        return tuple(node.name for node in self.seen.module.graph.nodes)

    def unseen_before(self, name: NodeId) -> tuple[NodeId, ...]:
        """A node, and those before it whose values reach it through none that stands in a buffer and is right; in order."""
        seen = self.seen.buffers()
        nodes = {node.name: node for node in self.seen.module.graph.nodes}
        found, waiting = {name}, [nodes[name]]
        while waiting:
            for node in waiting.pop().all_input_nodes:
                if node.op != "placeholder" and node.name not in seen and node.name not in found:
                    found.add(node.name)
                    waiting.append(node)
        return tuple(other for other in self.names if other in found)

    def loops_of(self, nodes: tuple[NodeId, ...]) -> tuple[NodeId, ...]:
        """The scheduler nodes that compute some nodes."""
        rows = self.record.before_fusion.nodes if self.record.before_fusion is not None else []
        return tuple(row.id for row in rows if set(nodes) & {*(row.computes or row.origins), row.value_of})

    def computed_by(self, loops: tuple[NodeId, ...]) -> tuple[NodeId, ...]:
        """The nodes of the post-grad graph that scheduler nodes compute, in the order of the graph."""
        rows = self.record.before_fusion.nodes if self.record.before_fusion is not None else []
        names = {
            name for row in rows if row.id in loops for name in (*(row.computes or row.origins), row.value_of)
        }
        return tuple(
            node.name
            for node in self.seen.module.graph.nodes
            if node.name in names and node.op != "placeholder"
        )

    def kernel_lines(self, kernel: Kernel | None, nodes: tuple[NodeId, ...]) -> tuple[int, ...]:
        """Lines of a kernel that torch recorded for nodes of the post-grad graph."""
        if kernel is None or self.search.edits:
            return ()
        stage = inductor_graph_id(self.part.compile_id, self.live.part, "kernels")
        links: tuple[LinkTable, ...] = self.search.program.base.capture.links
        found = {
            line
            for table in links
            if (table.source, table.target) == (self.stage, stage)
            for source, target in table.pairs
            if source in nodes
            and target.startswith(f"{kernel.id}:")
            and (line := line_of(target)) is not None
        }
        return tuple(sorted(found))

    def users_line(self, nodes: tuple[NodeId, ...]) -> tuple[str, int | None]:
        """Where the last of some nodes comes from in the user's program."""
        graph = self.record.post_grad
        rows = [node for node in graph.nodes if node.id in nodes and node.stack] if graph is not None else []
        return (rows[-1].stack[-1].path, rows[-1].stack[-1].line) if rows else ("", None)

    def found(
        self,
        sentence: str,
        kind: str,
        nodes: tuple[NodeId, ...],
        kernel: Kernel | None = None,
        **facts: object,
    ) -> CauseFound:
        """The answer."""
        path, line = self.users_line(nodes)
        facts.setdefault("stage", inductor_graph_id(self.part.compile_id, self.live.part, "kernels"))
        return self.search.found(
            sentence,
            kind,
            graph=self.part.compile_id,
            part=self.live.part,
            name=kernel.name if kernel is not None else "",
            nodes=nodes,
            path=path,
            line=line,
            kernel_lines=self.kernel_lines(kernel, nodes),
            **facts,
        )


def _copies(values: list[Any]) -> list[Any]:
    return [value.clone() if isinstance(value, torch.Tensor) else value for value in values]


def _results(values: Any, given: Sequence[Any] = ()) -> Results:
    """What was returned, and what the inputs are afterwards."""
    rows = values if isinstance(values, list | tuple) else [values]
    named = [(f"result {index}", row) for index, row in enumerate(rows)]
    named += [(f"input {index}", row) for index, row in enumerate(given)]
    return Results({name: row for name, row in named if isinstance(row, torch.Tensor)})
