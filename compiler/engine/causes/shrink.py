"""From a program that is wrong as compiled to the least part of it that still is: fewer operations, smaller sizes, plain inputs.

Torch's minifiers cut a graph while the same error is raised or the same tolerance broken, in files that start torch for every
trial. Here the graph is the one that was captured, with the values it had, and right means what it means for every verdict.
"""

import functools
import time
from collections.abc import Callable, Collection
from typing import Any

import torch
import torch.fx

from compiler.engine.causes.find_cause import drawing_as_eager
from compiler.engine.causes.graph_levels import DYNAMO, GraphPart, parts_of
from compiler.engine.causes.least_program import (
    Drawn,
    UnprintableError,
    draws,
    program_text,
    with_names_hidden,
)
from compiler.engine.causes.right_results import Judged
from compiler.engine.causes.subprograms import Failing, Subprogram, recorded_values, subprogram
from compiler.engine.causes.trials import quiet
from compiler.engine.errors import EngineError
from compiler.engine.fx.allowed_targets import is_higher_order
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.model.edits.edits import Edit
from compiler.model.experiments.causes import CauseFound
from compiler.model.experiments.least_programs import LeastProgram
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import NodeId

ReportProgress = Callable[[str], None]

_MOST_TRIALS = 80
_SMALLEST = 1


def shrink(
    program: EditedProgram, edits: tuple[Edit, ...], found: CauseFound, report_progress: ReportProgress
) -> LeastProgram:
    """The least program that is wrong as the graph of a cause is. Raises EngineError where no part of it is wrong by itself."""
    with drawing_as_eager(program, edits, report_progress) as looked_at:
        return _shrunk(looked_at, edits, found, report_progress)


def _shrunk(
    program: EditedProgram, edits: tuple[Edit, ...], found: CauseFound, report_progress: ReportProgress
) -> LeastProgram:
    started = time.perf_counter()
    part = next((row for row in parts_of(program, DYNAMO) if row.compile_id == found.graph), None)
    if part is None:
        raise EngineError(Problem("There is no graph to make smaller.", "Find the cause first."))
    called = next(
        (str(node.target) for node in part.graph.dynamo_module.graph.nodes if is_higher_order(node.target)),
        None,
    )
    if called is not None:
        what = f"The graph {part.name} calls the higher-order operator {called}: it cannot be made smaller."
        raise EngineError(Problem(what, "Report the whole program."))
    with program.running(edits, (), report_progress):
        source, values = recorded_values(program, part, edits)
    spec = program.base.capture.spec.compile
    shrinking = _Shrinking(source, values, Failing(spec.mode, dict(spec.options) or None), report_progress)
    nodes = [node.name for node in source.graph.nodes if node.op in ("call_function", "call_method")]
    least = shrinking.nodes(nodes, _hints(part, found, nodes))
    if least is None:
        what = f"The graph {part.name}, compiled by itself with the values it had, is right."
        raise EngineError(
            Problem(what, "What is wrong needs what stands around it; report the whole program.")
        )
    least = shrinking.sizes(least)
    least, drawn = shrinking.plain_inputs(least)
    off = shrinking.off
    hidden, why_not = "", "the inputs that show it are your own"
    try:
        text = program_text(least, drawn, found.sentence)
        if drawn is not None and all(map(drawn.covers, least.inputs)):
            hidden, why_not = program_text(with_names_hidden(least), drawn, found.hidden_sentence), ""
    except UnprintableError as error:
        raise EngineError(
            Problem(f"The least program cannot be written as one file: {error}.", "")
        ) from error
    return LeastProgram(
        text,
        hidden=hidden,
        why_not_hidden=why_not,
        before=len(nodes),
        after=least.calls,
        trials=shrinking.trials,
        off=off,
        seconds=time.perf_counter() - started,
    )


class _Shrinking:
    """Everything that is tried of one graph."""

    def __init__(
        self,
        source: torch.fx.GraphModule,
        values: dict[NodeId, Any],
        failing: Failing,
        report_progress: ReportProgress,
    ) -> None:
        self._source, self._values, self._failing = source, values, failing
        self._report_progress = report_progress
        self.trials = 0
        self.off: float | None = None
        """Of the last program that was wrong."""

    def _fails(self, tried: Subprogram | None) -> bool:
        if tried is None or self.trials >= _MOST_TRIALS:
            return False
        self.trials += 1
        self._report_progress(f"Making the program smaller: {tried.calls} operations")
        try:
            with quiet():
                judged: Judged = self._failing.judged(tried)
        except Exception:  # noqa: BLE001  a part of a program need not run by itself
            return False
        self.off = judged.off if judged.wrong else self.off
        return judged.wrong

    def nodes(self, nodes: list[NodeId], hints: list[NodeId]) -> Subprogram | None:
        """With as few operations as can be; the hints by themselves first."""
        kept = next((some for some in (hints, nodes) if some and self._fails(self._of(some))), None)
        if kept is None:
            return None
        size = len(kept) // 2
        while size:
            start = 0
            while start < len(kept) and len(kept) > 1:
                fewer = kept[:start] + kept[start + size :]
                if fewer and self._fails(self._of(fewer)):
                    kept = fewer
                else:
                    start += size
            size //= 2
        return self._of(kept)

    def _of(self, kept: Collection[NodeId]) -> Subprogram | None:
        return subprogram(self._source, kept, self._values)

    def sizes(self, least: Subprogram) -> Subprogram:
        """With smaller tensors: each size of an input, wherever it is met, halved as long as it stays wrong."""
        for size in sorted(
            {size for value in least.inputs for size in value.shape if size > _SMALLEST}, reverse=True
        ):
            now = size
            while now > _SMALLEST:
                smaller = max(now // 2, _SMALLEST)
                tried = _resized(least, now, smaller)
                if tried is None or not self._fails(tried):
                    break
                least, now = tried, smaller
        return least

    def plain_inputs(self, least: Subprogram) -> tuple[Subprogram, Drawn | None]:
        """With inputs that are drawn from a seed, if it is wrong with those too; and how they are drawn."""
        whole = any(not value.is_floating_point() for value in least.inputs)
        for whole_numbers in (True, False) if whole else (False,):
            for seed in range(3):
                drawn = Drawn(seed, whole_numbers)
                tried = Subprogram(least.module, draws(least.inputs, drawn))
                if self._fails(tried):
                    return tried, drawn
        return least, None


def _hints(part: GraphPart, found: CauseFound, nodes: list[NodeId]) -> list[NodeId]:
    """The nodes of Dynamo's graph that the nodes at fault come from, as torch recorded."""
    start = f"{part.compile_id}:"
    names = set(found.nodes)
    for graph in part.graph.record.inductor_graphs:
        for node in (*graph.aot_graph.nodes, *(graph.post_grad.nodes if graph.post_grad is not None else ())):
            if node.id in found.nodes:
                names |= {mark.removeprefix(start) for mark in node.origins if mark.startswith(start)}
    if found.line is not None:
        names |= {
            node.id
            for node in part.graph.record.dynamo.nodes
            if node.stack and (node.stack[-1].path, node.stack[-1].line) == (found.path, found.line)
        }
    return [name for name in nodes if name in names]


def _resized(least: Subprogram, old: int, new: int) -> Subprogram | None:
    """Every size and every number of one value made another; None where eager cannot run it."""
    inputs = [_cut(value, old, new) for value in least.inputs]
    graph = torch.fx.Graph()
    made: dict[torch.fx.Node, Any] = {}
    swap = functools.partial(_swapped, old=old, new=new)
    for node in least.module.graph.nodes:
        copied = graph.node_copy(node, made.__getitem__)
        copied.args, copied.kwargs = (
            torch.fx.node.map_aggregate(copied.args, swap),
            torch.fx.node.map_aggregate(copied.kwargs, swap),
        )
        made[node] = copied
    module = torch.fx.GraphModule(torch.nn.Module(), graph)
    try:
        module(*(value.detach() for value in inputs))
    except Exception:  # noqa: BLE001  then these sizes do not fit one another
        return None
    return Subprogram(module, inputs)


def _swapped(value: Any, old: int, new: int) -> Any:
    return new if type(value) is int and value == old else value


def _cut(value: torch.Tensor, old: int, new: int) -> torch.Tensor:
    where = tuple(slice(0, new) if size == old else slice(None) for size in value.shape)
    return value.detach()[where].clone().requires_grad_(value.requires_grad)
