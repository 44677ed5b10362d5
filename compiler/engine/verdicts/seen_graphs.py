"""Inductor graphs of one step with what they were called with, and the buffers that their compiled code made."""

import contextlib
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, NamedTuple

import torch

from compiler.engine.kernel_code.buffer_capture import noting_wrapper
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.records.recorder import InductorGraphRecord
from compiler.engine.stage_ids import inductor_graph_id
from compiler.engine.torch_internals.live.live_graphs import LiveInductorGraph
from compiler.model.edits.edits import Edit
from compiler.model.ir.ids import NodeId, StageId

_Unit = tuple[StageId, LiveInductorGraph, InductorGraphRecord]


class SeenBuffer(NamedTuple):
    """What compiled code made for a node."""

    maker: str
    """The scheduler node."""
    name: str
    value: torch.Tensor


class SeenGraph:
    """What one graph was called with, the first time, and what its kernels made of it."""

    def __init__(
        self,
        stage: StageId,
        inductor_graph: LiveInductorGraph,
        record: InductorGraphRecord,
        module: torch.fx.GraphModule,
        wrapper: ModuleType | None = None,
    ) -> None:
        """`wrapper` is the generated module where it is not the one that runs."""
        self.stage = stage
        self.inductor_graph = inductor_graph
        self.record = record
        self.module = module
        self.inputs: list[Any] | None = None
        self._wrapper = wrapper or inductor_graph.module
        self._values: dict[str, torch.Tensor] = {}

    def stand_in(self) -> Callable[..., Any]:
        """Runs in the place of the graph's code."""
        call = noting_wrapper(self.record.wrapper_text, self._wrapper, self._values)

        def run(args: list[Any]) -> Any:
            if self.inputs is None:
                self.inputs = [value.clone() if isinstance(value, torch.Tensor) else value for value in args]
            return call(args)

        return run

    def buffers(self) -> dict[NodeId, SeenBuffer]:
        """Of each node whose value stands in one."""
        loops = self.record.before_fusion
        makers = (node for node in loops.nodes if node.value_of) if loops is not None else ()
        return {
            node.value_of: SeenBuffer(node.id, node.buffers[0], self._values[node.buffers[0]])
            for node in makers
            if node.buffers and node.buffers[0] in self._values
        }


def run_and_see(program: EditedProgram, edits: tuple[Edit, ...]) -> list[SeenGraph]:
    """Run one step of the program as it is compiled; graphs that it did not come to have no inputs."""
    units = list(_units(program))
    stepper, compiled = program.base.stepper, program.base.compiled
    with program.running(edits, (), lambda text: None):
        seen = [SeenGraph(*unit, program.edited_module(unit[0], edits)[0]) for unit in units]
        with contextlib.ExitStack() as stack:
            for item in seen:
                stack.callback(item.inductor_graph.swap, item.inductor_graph.swap(item.stand_in()))
            stepper.compared_step(compiled)
    return seen


def _units(program: EditedProgram) -> Iterator[_Unit]:
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
                stage = inductor_graph_id(dynamo_graph.record.compile_id, inductor_graph.part, "post_grad")
                yield stage, inductor_graph, record
