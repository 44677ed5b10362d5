"""Between a post-grad graph and what runs: the kernel that computes something else, and why: a fusion, a lowering, the code
that was generated for it, or an input that it overwrites.

The graph is called by itself, with the inputs it had in the step, and judged by running it op by op in float64.
"""

import contextlib
import copy
import functools
from collections.abc import Iterator

import torch

from compiler.engine.causes.compiled_half import CompiledHalf, WrongValue
from compiler.engine.causes.graph_levels import POST_GRAD, GraphPart
from compiler.engine.causes.replayed_passes import ReplayedPasses, pattern_of
from compiler.engine.causes.right_results import first_wrong
from compiler.engine.causes.trials import Search
from compiler.engine.records.wrapper_kernels import read_kernels
from compiler.engine.stage_ids import inductor_graph_id
from compiler.engine.torch_internals.inductor.bisect_switches import (
    LOWERINGS,
    is_setting,
    setting,
    switched,
)
from compiler.engine.verdicts.seen_graphs import SeenGraph, run_and_see
from compiler.model.capture.counted import first_of
from compiler.model.experiments.causes import CauseFound
from compiler.model.ir.ids import NodeId
from compiler.model.ir.loop_ir import FusionChoice, Kernel

_SINGLE = 12
"""So many lowerings are tried one by one where they cannot be taken out together."""
_SETTINGS: tuple[tuple[str, object, str], ...] = (
    ("cpp.enable_loop_tail_vec", False, "vectorised ends of loops"),
    ("cpp.enable_tiling_heuristics", False, "tiling"),
    ("cpp.simdlen", 1, "vectorised code"),
    ("cpp.threads", 1, "work split over threads"),
    ("inplace_buffers", False, "a kernel that writes over what it reads"),
    ("allow_buffer_reuse", False, "memory that is used again"),
    ("emulate_precision_casts", True, "casts to a narrow dtype that are left out"),
    ("layout_optimization", False, "other layouts"),
    ("comprehensive_padding", False, "padded strides"),
    ("triton.codegen_upcast_to_fp32", True, "arithmetic in a narrow dtype"),
    ("triton.cooperative_reductions", False, "cooperative reductions"),
    ("triton.persistent_reductions", False, "persistent reductions"),
    ("split_reductions", False, "split reductions"),
)
"""Settings that take something out of the generated code: (name, value, what is at fault where that helps); what takes out
least comes first.
"""


def search_inductor(search: Search, part: GraphPart) -> CauseFound:
    """What makes the compiled half of a graph compute something else than its post-grad graph."""
    stage = part.stage("post_grad")
    seen = next((row for row in run_and_see(search.program, search.edits) if row.stage == stage), None)
    if seen is None or seen.inputs is None or part.half is None:
        return search.not_found(
            f"The compiled {part.name} graph is wrong; its inputs could not be kept to look closer."
        )
    if (found := _pass_in_place(search, part, seen)) is not None:
        return found
    half = CompiledHalf(search, part, seen)
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
        return _overwritten(half) or _without_buffer(search, half)
    return _in_kernel(search, half, wrong)


def _pass_in_place(search: Search, part: GraphPart, seen: SeenGraph) -> CauseFound | None:
    """A graph that writes to its inputs may be right op by op after a pass, or refused by torch's own operators, and wrong when
    it is compiled: kernels read and write in other orders. The pass before which it is right compiled; None where it is none.
    """
    passes = ReplayedPasses(search.program, part, POST_GRAD, search.edits)
    if not passes.runs:
        return None
    before = copy.copy(seen)
    before.module = passes.module(0)
    half = CompiledHalf(search, part, before)
    if not half.writes_inputs:
        return None

    def after(count: int) -> bool | None:
        what = f"{half.part.name} compiled after {count} of {len(passes.runs)} post-grad passes"
        return search.ask(what, lambda: half.of_module(passes.module(count)))

    if after(0) is not False or not after(len(passes.runs)):
        return None
    _, bad = first_wrong(len(passes.runs), after)
    run = passes.runs[bad - 1]
    nodes = tuple(node.id for node in (*run.made, *run.changed))
    return half.found(
        f"The post-grad pass {pattern_of(run) or run.name} lets {_format_half(half, nodes)} be written in place, though what is there "
        "is still read: compiled before it, the graph is right, after it it is wrong.",
        "pass",
        nodes,
        stage=half.stage,
    )


def _in_kernel(search: Search, half: CompiledHalf, wrong: WrongValue) -> CauseFound:
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
            isolated = functools.partial(half.compiled, contextlib.nullcontext, _forbidden(together))
            if search.ask(f"{own.name if own else where} with nothing fused", isolated) is False:
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
        if kernel is not None and kernel.language == "extern" and not helps:
            return half.found(
                f"{kernel.name}, a library call, gives another {_format_half(half, nodes)} than torch's own operator.",
                "extern kernel",
                nodes,
                kernel,
            )
        return half.found(
            f"What Inductor makes of {_format_half(half, nodes)} in {where} is wrong{because}; with torch's own operator in its "
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


def _overwritten(half: CompiledHalf) -> CauseFound | None:
    """Every value is right when it is made, and one is written over while it is still needed."""
    row = half.overwritten_buffer()
    if row is None:
        return None
    kernel = next((found for found in read_kernels(half.record) if found.name == row.by), None)
    nodes = half.nodes_in(row.name)
    what = f"{row.name} ({_format_half(half, nodes)})" if nodes else row.name
    why = (
        "which it is handed to read"
        if row.reads_only
        else "which is still needed: its memory is used again too early"
    )
    return half.found(
        f"Kernel {row.by} of the {half.part.name} graph writes over {what}, {why}.",
        "overwritten buffer",
        nodes,
        kernel,
    )


def _without_buffer(search: Search, half: CompiledHalf) -> CauseFound:
    """No buffer of a node's own is wrong when it is made, and the results are."""
    helps = tuple(_settings(search, half))
    right_with = tuple(f"{name} = {value}" for name, value, _ in helps)
    nodes = () if helps else _lowered(search, half, half.computed_by(_all_loops(half)))
    if nodes:
        return half.found(
            f"What Inductor makes of {_format_half(half, nodes)} is wrong; with torch's own operator in its place, the results are "
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
    search: Search, half: CompiledHalf, wrong: WrongValue, together: tuple[NodeId, ...], kernel: Kernel | None
) -> CauseFound:
    """Fused, the nodes of a kernel are wrong, and apart they are right: the first that may not join."""
    where = f"kernel {kernel.name}" if kernel is not None else wrong.loop

    def joined(count: int) -> bool | None:
        """With the first of the nodes in one kernel, and every other apart from all."""
        kept = set(together[:count])
        choices = tuple(row for row in _forbidden(together) if not (row.first in kept and row.second in kept))
        what = f"{where} with {count} of its {len(together)} nodes fused"
        return search.ask(what, lambda: half.compiled(contextlib.nullcontext, choices))

    helps = tuple(_settings(search, half))
    if helps:
        nodes = half.computed_by(together)
        right_with = tuple(f"{name} = {value}" for name, value, _ in helps)
        return half.found(
            f"What Inductor makes of {_format_half(half, nodes)} in {where} is wrong: {helps[0][2]} ({right_with[0]} makes it right); "
            "with nothing fused it does not show.",
            "code generation",
            nodes,
            kernel,
            right_with=right_with,
        )
    _, bad = first_wrong(len(together), joined)
    newest = together[bad - 1]
    partner = _partner(search, half, where, together[:bad]) if bad > 2 else together[0]
    pair = tuple(loop for loop in together if loop in (newest, partner)) if partner else together[:bad]
    nodes = half.computed_by(pair)
    joins = f"{pair[-1]} with {_and(pair[:-1])}" if len(pair) > 2 else _and(pair)
    return half.found(
        f"Inductor's fusion of {joins} in {where} is wrong ({_format_half(half, nodes)}): apart they are right.",
        "fusion",
        pair,
        kernel,
        stage=inductor_graph_id(half.part.compile_id, half.live.part, "fused"),
    )


def _partner(search: Search, half: CompiledHalf, where: str, nodes: tuple[NodeId, ...]) -> NodeId:
    """The node that the last of some must not be fused with; empty where it is not one alone."""
    newest = nodes[-1]
    for other in nodes[:-1]:
        choices = (FusionChoice(other, newest, False),)
        isolated = functools.partial(half.compiled, contextlib.nullcontext, choices)
        if search.ask(f"{where} with {other} and {newest} apart", isolated) is False:
            return other
    return ""


def _settings(search: Search, half: CompiledHalf) -> Iterator[tuple[str, object, str]]:
    """Those of `_SETTINGS` that make it right."""
    on_gpu = any(isinstance(value, torch.Tensor) and value.is_cuda for value in half.inputs)
    for name, value, words in _SETTINGS:
        other_device = name.startswith("cpp." if on_gpu else "triton.")
        now = half.part.graph.settings.get(name, setting(name))
        if not other_device and is_setting(name) and now != value:
            compiled = functools.partial(half.compiled, contextlib.nullcontext, options={name: value})
            if search.ask(f"with {name} = {value}", compiled) is False:
                yield name, value, words


def _lowered(search: Search, half: CompiledHalf, nodes: tuple[NodeId, ...]) -> tuple[NodeId, ...]:
    """The node whose lowering makes it wrong: with torch's own operator for it alone, all is right. Empty where there is none."""

    def without(some: tuple[NodeId, ...]) -> bool | None:
        around = functools.partial(switched, LOWERINGS, lambda _, name: name not in some)
        what = f"with torch's own operator for {', '.join(some) if len(some) < 4 else f'{len(some)} nodes'}"
        return search.ask(what, lambda: half.compiled(around))

    first = half.looked_at
    if first in nodes and len(nodes) > 1 and without((first,)) is False:
        return (first,)
    if not nodes:
        return ()
    if (
        without(nodes) is not False
    ):  # an operator may be wrong by itself there: one that writes, or that needs a layout
        single = ((name,) for name in reversed(nodes[-_SINGLE:]) if name != first and len(nodes) > 1)
        return next((some for some in single if without(some) is False), ())
    while len(nodes) > 1:
        middle = len(nodes) // 2
        smaller = next((some for some in (nodes[:middle], nodes[middle:]) if without(some) is False), None)
        if smaller is None:
            return nodes  # only together
        nodes = smaller
    return nodes


def _all_loops(half: CompiledHalf) -> tuple[NodeId, ...]:
    rows = half.record.before_fusion.nodes if half.record.before_fusion is not None else []
    return tuple(row.id for row in rows)


def _forbidden(nodes: tuple[NodeId, ...]) -> tuple[FusionChoice, ...]:
    return tuple(
        FusionChoice(first, second, False)
        for index, first in enumerate(nodes)
        for second in nodes[index + 1 :]
    )


def _format_half(half: CompiledHalf, nodes: tuple[NodeId, ...]) -> str:
    """``relu (model.py:31)``."""
    path, line = half.users_line(nodes)
    names = first_of(nodes, 4)
    return f"{names} ({path.rpartition('/')[2]}:{line})" if line else names


def _and(names: tuple[str, ...]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
