"""What both kinds of timing run begin with: the wrappers of a live capture with the kernels they call."""

import contextlib
from collections.abc import Iterator
from typing import Any, NamedTuple

from compiler.engine.errors import failing_as
from compiler.engine.records.wrapper_kernels import read_kernels
from compiler.engine.stage_ids import inductor_graph_id
from compiler.engine.torch_internals.live.live_graphs import (
    LiveDynamoGraph,
    LiveInductorGraph,
    module_globals,
)
from compiler.model.ir.ids import place
from compiler.model.ir.loop_ir import Kernel
from compiler.model.timing.timings import TimedKernel


class TimedWrapper(NamedTuple):
    """One graph's wrapper."""

    inductor_graph: LiveInductorGraph
    title: str
    """``0/0 forward``."""
    text: str
    names: dict[str, Any]
    """The globals that its text runs with."""
    kernels: tuple[Kernel, ...]
    timed: list[TimedKernel]
    """The same, as they are reported."""


def wrappers_of(dynamo_graph: LiveDynamoGraph) -> Iterator[TimedWrapper]:
    """The wrappers of a compiled graph that can be made again."""
    name = dynamo_graph.record.compile_id
    records = {record.part: record for record in dynamo_graph.record.inductor_graphs}
    for inductor_graph in dynamo_graph.inductor_graphs:
        record = records.get(inductor_graph.part)
        if record is None or inductor_graph.module is None or not record.wrapper_text:
            continue
        kernels = read_kernels(record)
        stage = inductor_graph_id(name, inductor_graph.part, "kernels")
        timed = [
            TimedKernel(kernel.name, place(stage, kernel.id), inductor_graph.part, kernel.language)
            for kernel in kernels
        ]
        names = module_globals(inductor_graph.module)
        yield TimedWrapper(
            inductor_graph, f"{name} {inductor_graph.part}", record.wrapper_text, names, kernels, timed
        )


def failures_reported() -> contextlib.AbstractContextManager[None]:
    """What the program raises while it is timed becomes an EngineError."""
    return failing_as("The program failed while it was timed")
