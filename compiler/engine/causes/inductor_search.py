"""Between a post-grad graph and what runs: the kernel that computes something else, and why: a fusion, a lowering, the code
that was generated for it, or an input that it overwrites.

The graph is called by itself, with the inputs it had in the step, and judged by running it op by op in float64.
"""

import contextlib
import dataclasses
import functools
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeVar

import torch

from compiler.engine.accuracy.tolerance import judge
from compiler.engine.causes.graph_levels import GraphPart
from compiler.engine.causes.right_results import Judged, first_wrong
from compiler.engine.causes.trials import Around, Search
from compiler.engine.fx.interpreter import interpreter_of, wide_value
from compiler.engine.recompile.build_kernels import fresh_record
from compiler.engine.recompile.compile_shared_stages import recorder_of
from compiler.engine.recompile.edit_directives import directed
from compiler.engine.records.recorder import InductorGraphRecord
from compiler.engine.records.wrapper_kernels import read_kernels
from compiler.engine.rng.random_ops import is_random
from compiler.engine.rng.random_tape import RandomTape, Within
from compiler.engine.rng.rng_state import seeded
from compiler.engine.stage_ids import inductor_graph_id
from compiler.engine.torch_internals.inductor.bisect_switches import (
    LOWERINGS,
    config,
    is_setting,
    setting,
    switched,
)
from compiler.engine.torch_internals.patch import settings
from compiler.engine.torch_internals.registry.listening import listening
from compiler.engine.user_program.stepper import Results
from compiler.engine.verdicts.reference_runs import node_results
from compiler.engine.verdicts.seen_graphs import SeenGraph, run_and_see
from compiler.model.experiments.causes import CauseFound
from compiler.model.ir.ids import NodeId, line_of
from compiler.model.ir.links import LinkTable
from compiler.model.ir.loop_ir import FusionChoice, Kernel, LoopNode

T = TypeVar("T")

_SETTINGS: tuple[tuple[str, object, str], ...] = (
    ("cpp.simdlen", 1, "vectorised code"),
    ("cpp.threads", 1, "work split over threads"),
    ("inplace_buffers", False, "a kernel that writes over what it reads"),
    ("allow_buffer_reuse", False, "memory that is used again"),
    ("cpp.enable_tiling_heuristics", False, "tiling"),
    ("cpp.enable_loop_tail_vec", False, "vectorised ends of loops"),
    ("emulate_precision_casts", True, "casts to a narrow dtype that are left out"),
    ("layout_optimization", False, "other layouts"),
    ("comprehensive_padding", False, "padded strides"),
    ("triton.codegen_upcast_to_fp32", True, "arithmetic in a narrow dtype"),
    ("triton.cooperative_reductions", False, "cooperative reductions"),
    ("triton.persistent_reductions", False, "persistent reductions"),
    ("split_reductions", False, "split reductions"),
)
"""Settings that take something out of the generated code: (name, value, what is at fault where that helps)."""


class _Wrong(NamedTuple):
    """A value that a kernel makes, and that is not what the graph says."""

    node: NodeId
    loop: NodeId
    """The scheduler node that makes it."""
    off: float


def search_inductor(search: Search, part: GraphPart) -> CauseFound:
    """What makes the compiled half of a graph compute something else than its post-grad graph."""
    stage = part.stage("post_grad")
    seen = next((row for row in run_and_see(search.program, search.edits) if row.stage == stage), None)
    if seen is None or seen.inputs is None or part.half is None:
        return search.not_found(
            f"The compiled {part.name} graph is wrong; its inputs could not be kept to look closer."
        )
    half = _Half(search, part, seen)
    if not search.ask(f"the compiled {part.name} graph by itself, on the inputs it had", half.as_it_is):
        return search.not_found(
            f"With {part.name} compiled the results are wrong, and yet it computes what its graph says when it is called by "
            "itself: something around it (memory shared with another graph, the order of calls) is at fault."
        )
    wrong = half.first_wrong_value()
    if (overwritten := half.overwritten_input()) and wrong is None:
        return half.found(
            f"The compiled {part.name} graph overwrites its input {overwritten}, which its graph does not.",
            "overwritten input",
            (overwritten,),
        )
    if wrong is None:
        return _without_buffer(search, half)
    return _in_kernel(search, half, wrong)


class _Half:
    """One half of a graph, called by itself."""

    def __init__(self, search: Search, part: GraphPart, seen: SeenGraph) -> None:
        assert seen.inputs is not None
        assert part.half is not None
        self.search, self.part, self.seen = search, part, seen
        self.inputs: list[Any] = seen.inputs
        self.live = part.half
        self.stage = seen.stage
        self.looked_at: NodeId | None = None
        """The node whose value tells whether it is wrong; the same fault may be in other kernels too."""

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
            return _results(interpreter_of(self.seen.module, wide).run(*given))

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
            results = _results(call(_copies(self.inputs)))
        row = judge("", results, near, "", exact)
        worst = max(row.differences, key=lambda item: item.max_relative, default=None)
        return Judged(row.agrees is False, worst.max_relative if worst is not None else None)

    def as_it_is(self) -> Judged:
        """The code that runs."""
        return self.judged(self.live.output.current_callable)

    def compiled(self, around: Around, choices: tuple[FusionChoice, ...] = ()) -> Judged:
        """The post-grad graph compiled again, with something else about it; what runs stays. Judged by the value that is
        looked at, where there is one and it stands in a buffer then too.
        """
        seen = self._variant(around, choices)
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

    def _variant(self, around: Around, choices: tuple[FusionChoice, ...]) -> SeenGraph:
        program, live, graph = self.search.program, self.search.program.base.live, self.part.graph
        module, _ = program.edited_module(self.stage, self.search.edits)
        before = self.live.output.current_callable
        kept = self.live.module, self.live.strides, dict(self.live.sources)
        recorder = recorder_of(live, dataclasses.replace(graph.record, inductor_graphs=[]), lambda text: None)
        record = fresh_record(self.record, choices)
        recorder.current_inductor_graphs.append(record)
        try:
            with (
                settings.capturing(),
                listening(recorder),
                directed(live, graph, self.search.edits),
                around(),
            ):
                own = live.choices
                live.choices = lambda part: (*own(part), *choices)
                live.compile_unit(graph, self.live, module, "post_grad")
            return SeenGraph(self.stage, self.live, record, self.seen.module, self.live.module)
        finally:
            self.live.swap(before)
            self.live.module, self.live.strides, self.live.sources = kept

    def first_wrong_value(self) -> _Wrong | None:
        """The first node, in the order of the graph, whose buffer is not what the graph says."""
        near, exact = self.values
        buffers = self.seen.buffers()
        for name, value in near.items():
            buffer, wide = buffers.get(name), exact.get(name)
            if buffer is None or wide is None or not buffer.value.shape == value.shape == wide.shape:
                continue
            row = judge("", Results({"": buffer.value}), Results({"": value}), "", Results({"": wide}))
            if row.agrees is False:
                return _Wrong(name, buffer.maker, row.differences[0].max_relative)
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
            if isinstance(given, torch.Tensor) and _same(given, there) and not _same(given, after):
                return str(name)
        return ""

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


def _in_kernel(search: Search, half: _Half, wrong: _Wrong) -> CauseFound:
    """A kernel is known to make a wrong value: why it does. Or one before it, whose own value could not be looked at."""
    half.looked_at = wrong.node
    suspects = half.unseen_before(wrong.node)
    groups = dict.fromkeys(half.fused_with(loop) for loop in (wrong.loop, *half.loops_of(suspects)))
    kernel = half.kernel_of(wrong.loop)
    where = f"kernel {kernel.name}" if kernel is not None else wrong.loop
    before = half.loops_of(tuple(name for name in suspects if name != wrong.node))
    if kernel is not None and kernel.language == "extern" and set(before) <= {wrong.loop}:
        return half.found(
            f"{kernel.name}, a library call, gives another {wrong.node} than torch's own operator: off by {wrong.off:.1e}.",
            "extern kernel",
            (wrong.node,),
            kernel,
        )
    for together in groups:
        if len(together) > 1:
            own = half.kernel_of(together[0])
            apart = functools.partial(half.compiled, contextlib.nullcontext, _forbidden(together))
            if search.ask(f"{own.name if own else where} with nothing fused", apart) is False:
                return _fusion(search, half, wrong, together, own)
    together = tuple(dict.fromkeys(loop for group in groups for loop in group))
    candidates = {*half.computed_by(together), *suspects}
    nodes = _lowered(search, half, tuple(name for name in half.names if name in candidates))
    helps = tuple(_settings(search, half))
    right_with = tuple(f"{name} = {value}" for name, value, _ in helps)
    because = f": {helps[0][2]} ({right_with[0]} makes it right)" if helps else ""
    if nodes:
        kernel = next(filter(None, map(half.kernel_of, half.loops_of(nodes))), kernel)
        where = f"kernel {kernel.name}" if kernel is not None else where
        return half.found(
            f"What Inductor makes of {_words(half, nodes)} in {where} is wrong{because}; with torch's own operator in its "
            "place, the results are right.",
            "code generation" if helps else "lowering",
            nodes,
            kernel,
            right_with=right_with,
        )
    return half.found(
        f"{where} computes {wrong.node} wrong: off by {wrong.off:.1e}{because}.",
        "code generation",
        (wrong.node,),
        kernel,
        right_with=right_with,
    )


def _without_buffer(search: Search, half: _Half) -> CauseFound:
    """No buffer of a node's own is wrong when it is made, and the results are."""
    helps = tuple(_settings(search, half))
    right_with = tuple(f"{name} = {value}" for name, value, _ in helps)
    nodes = () if helps else _lowered(search, half, half.computed_by(_all_loops(half)))
    if nodes:
        return half.found(
            f"What Inductor makes of {_words(half, nodes)} is wrong; with torch's own operator in its place, the results are "
            "right.",
            "lowering",
            nodes,
        )
    if helps:
        return half.found(
            f"{helps[0][2][:1].upper()}{helps[0][2][1:]} makes the compiled {half.part.name} graph wrong: with "
            f"{right_with[0]} it is right; every value is right when it is made.",
            "code generation",
            (),
            right_with=right_with,
        )
    return search.not_found(
        f"The compiled {half.part.name} graph is wrong, though every value that stands in a buffer of its own is right when it "
        "is made; no single lowering and none of the settings tried is it."
    )


def _fusion(
    search: Search, half: _Half, wrong: _Wrong, together: tuple[NodeId, ...], kernel: Kernel | None
) -> CauseFound:
    """Fused, the nodes of a kernel are wrong, and apart they are right: the first that may not join."""
    where = f"kernel {kernel.name}" if kernel is not None else wrong.loop

    def joined(count: int) -> bool | None:
        """With the first of the nodes in one kernel, and every other apart from all."""
        kept = set(together[:count])
        choices = tuple(row for row in _forbidden(together) if not (row.first in kept and row.second in kept))
        what = f"{where} with {count} of its {len(together)} nodes fused"
        return search.ask(what, lambda: half.compiled(contextlib.nullcontext, choices))

    _, bad = first_wrong(len(together), joined)
    newest = together[bad - 1]
    partner = _partner(search, half, where, together[:bad]) if bad > 2 else together[0]
    pair = tuple(loop for loop in together if loop in (newest, partner)) if partner else together[:bad]
    nodes = half.computed_by(pair)
    joins = f"{pair[-1]} with {_and(pair[:-1])}" if len(pair) > 2 else _and(pair)
    return half.found(
        f"Inductor's fusion of {joins} in {where} is wrong ({_words(half, nodes)}): apart they are right.",
        "fusion",
        pair,
        kernel,
        stage=inductor_graph_id(half.part.compile_id, half.live.part, "fused"),
    )


def _partner(search: Search, half: _Half, where: str, nodes: tuple[NodeId, ...]) -> NodeId:
    """The node that the last of some must not be fused with; empty where it is not one alone."""
    newest = nodes[-1]
    for other in nodes[:-1]:
        choices = (FusionChoice(other, newest, False),)
        apart = functools.partial(half.compiled, contextlib.nullcontext, choices)
        if search.ask(f"{where} with {other} and {newest} apart", apart) is False:
            return other
    return ""


def _settings(search: Search, half: _Half) -> Iterator[tuple[str, object, str]]:
    """Those of `_SETTINGS` that make it right."""
    on_gpu = any(isinstance(value, torch.Tensor) and value.is_cuda for value in half.inputs)
    for name, value, words in _SETTINGS:
        elsewhere = name.startswith("cpp." if on_gpu else "triton.")
        if not elsewhere and is_setting(name) and setting(name) != value:
            compiled = functools.partial(half.compiled, functools.partial(config, name, value))
            if search.ask(f"with {name} = {value}", compiled) is False:
                yield name, value, words


def _lowered(search: Search, half: _Half, nodes: tuple[NodeId, ...]) -> tuple[NodeId, ...]:
    """The node whose lowering makes it wrong: with torch's own operator for it alone, all is right. Empty where there is none."""

    def without(some: tuple[NodeId, ...]) -> bool | None:
        around = functools.partial(switched, LOWERINGS, lambda _, name: name not in some)
        what = f"with torch's own operator for {', '.join(some) if len(some) < 4 else f'{len(some)} nodes'}"
        return search.ask(what, lambda: half.compiled(around))

    if not nodes or without(nodes) is not False:
        return ()
    while len(nodes) > 1:
        middle = len(nodes) // 2
        smaller = next((some for some in (nodes[:middle], nodes[middle:]) if without(some) is False), None)
        if smaller is None:
            return nodes  # only together
        nodes = smaller
    return nodes


def _all_loops(half: _Half) -> tuple[NodeId, ...]:
    rows = half.record.before_fusion.nodes if half.record.before_fusion is not None else []
    return tuple(row.id for row in rows)


def _forbidden(nodes: tuple[NodeId, ...]) -> tuple[FusionChoice, ...]:
    return tuple(
        FusionChoice(first, second, False)
        for index, first in enumerate(nodes)
        for second in nodes[index + 1 :]
    )


def _words(half: _Half, nodes: tuple[NodeId, ...]) -> str:
    """``relu (model.py:31)``."""
    path, line = half.users_line(nodes)
    names = ", ".join(nodes[:4]) + (f" and {len(nodes) - 4} more" if len(nodes) > 4 else "")
    return f"{names} ({path.rpartition('/')[2]}:{line})" if line else names


def _and(names: tuple[str, ...]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _copies(values: list[Any]) -> list[Any]:
    return [value.clone() if isinstance(value, torch.Tensor) else value for value in values]


def _results(values: Any) -> Results:
    rows = values if isinstance(values, list | tuple) else [values]
    return Results(
        {f"result {index}": row for index, row in enumerate(rows) if isinstance(row, torch.Tensor)}
    )


def _same(first: torch.Tensor, second: torch.Tensor) -> bool:
    return torch.equal(first.detach().nan_to_num(), second.detach().nan_to_num())
