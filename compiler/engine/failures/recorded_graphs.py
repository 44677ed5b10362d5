"""The graphs that Dynamo makes of a program, and what each of their nodes gives, with no other step of the pipeline."""

from collections.abc import Callable
from typing import Any, NamedTuple

import torch
import torch.fx

from compiler.engine.causes.subprograms import noting_values
from compiler.engine.user_program.applied_changes import load_changed
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.ir.ids import NodeId


class RecordedGraph(NamedTuple):
    """One graph, as it was first called."""

    module: torch.fx.GraphModule
    values: dict[NodeId, Any]


def recorded_graphs(spec: CaptureSpec) -> list[RecordedGraph]:
    """In the order in which Dynamo made them. Raises what the program raises, and EngineError where it cannot be loaded."""
    ready = load_changed(spec)
    found: list[RecordedGraph] = []

    def backend(module: torch.fx.GraphModule, inputs: list[Any]) -> Callable[..., Any]:
        row = RecordedGraph(module, {})
        found.append(row)
        return noting_values(module, row.values)

    with ready.changes.active():
        torch.manual_seed(spec.run.seed)
        compiled = torch.compile(
            ready.program.callable,
            backend=backend,
            dynamic=ready.options.dynamic,
            fullgraph=ready.options.fullgraph,
        )
        ready.stepper.step(compiled)
    return found
