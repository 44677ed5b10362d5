"""Where compiled code and its graph part: both are run node by node, and the first result that differs is named."""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import torch

from compiler.engine.accuracy.tolerance import judge
from compiler.engine.kernel_code.buffer_capture import noting_wrapper
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.records.recorder import InductorGraphRecord
from compiler.engine.stage_ids import inductor_graph_id
from compiler.engine.torch_internals.live.live_graphs import LiveInductorGraph
from compiler.engine.user_program.stepper import Results
from compiler.engine.verdicts.reference_runs import node_results
from compiler.model.edits.edits import Edit
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.ids import StageId, place


class _Seen:
    """What one unit was called with, and what its kernels made of it."""

    def __init__(
        self, stage: StageId, inductor_graph: LiveInductorGraph, record: InductorGraphRecord
    ) -> None:
        self.stage = stage
        self.inductor_graph = inductor_graph
        self.record = record
        self.inputs: list[Any] | None = None
        self.values: dict[str, torch.Tensor] = {}

    def stand_in(self) -> Callable[..., Any]:
        """Runs in the place of the unit's code."""
        call = noting_wrapper(self.record.wrapper_text, self.inductor_graph.module, self.values)

        def run(args: list[Any]) -> Any:
            if self.inputs is None:
                self.inputs = [value.clone() if isinstance(value, torch.Tensor) else value for value in args]
            return call(args)

        return run


def first_differences(program: EditedProgram, edits: tuple[Edit, ...]) -> tuple[Problem, ...]:
    """For each compiled graph whose kernels do not do what its post-grad graph says: the first node that differs, in the
    order of the graph. Only results that stand in a buffer are seen; what is fused into a kernel is not.
    """
    try:
        return _found(program, edits)
    except Exception as error:  # noqa: BLE001  whatever runs here is the edited program, which is known to be wrong
        what = f"Which result differs first could not be found: {type(error).__name__}: {error}"
        return (Problem(what, severity=Severity.NOTE),)


def _found(program: EditedProgram, edits: tuple[Edit, ...]) -> tuple[Problem, ...]:
    seen = list(_inductor_graphs(program))
    stepper, compiled = program.base.stepper, program.base.compiled
    with program.running(edits, (), lambda text: None):
        modules = {item.stage: program.edited_module(item.stage, edits)[0] for item in seen}
        with contextlib.ExitStack() as stack:
            for item in seen:
                stack.callback(item.inductor_graph.swap, item.inductor_graph.swap(item.stand_in()))
            stepper.compared_step(compiled)
        found = [_first(item, modules[item.stage]) for item in seen if item.inputs is not None]
    return tuple(problem for problem in found if problem is not None)


def _inductor_graphs(program: EditedProgram) -> Iterator[_Seen]:
    for dynamo_graph in program.base.live.dynamo_graphs:
        records = {record.part: record for record in dynamo_graph.record.inductor_graphs}
        for inductor_graph in dynamo_graph.inductor_graphs:
            record = records.get(inductor_graph.part)
            if (
                inductor_graph.output is not None
                and inductor_graph.module is not None
                and record
                and record.wrapper_text
            ):
                yield _Seen(
                    inductor_graph_id(dynamo_graph.record.compile_id, inductor_graph.part, "post_grad"),
                    inductor_graph,
                    record,
                )


def _first(item: _Seen, module: torch.fx.GraphModule) -> Problem | None:
    """The first node in the graph's order whose buffer is farther from float64 than running it op by op explains."""
    loops = item.record.before_fusion
    makers = {node.value_of: node for node in loops.nodes if node.value_of} if loops is not None else {}
    narrow, wide = (node_results(module, item.inputs or [], wide=way) for way in (False, True))
    for node in module.graph.nodes:
        maker = makers.get(node.name)
        got = item.values.get(maker.buffers[0]) if maker is not None else None
        near, exact = narrow.get(node.name), wide.get(node.name)
        if got is None or near is None or exact is None or not (got.shape == near.shape == exact.shape):
            continue
        name = node.name
        row = judge("", Results({name: got}), Results({name: near}), "", Results({name: exact}))
        if not row.agrees and maker is not None:
            off = row.differences[0].max_relative
            return Problem(
                f"{name} is the first result that compiled code gives otherwise than the graph: off by {off:.1e} of its "
                f"largest value ({maker.buffers[0]}, made by {maker.id}).",
                "Look at the kernel that makes it; what is fused into it is not seen apart.",
                place=place(item.stage, name),
            )
    return None
