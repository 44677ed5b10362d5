"""torch.fx.symbolic_trace: the program run with proxies."""

import time
from typing import Any

import torch
import torch.fx

from compiler.engine.front_end_results import FrontEndResult
from compiler.engine.fx_stages import graph_stage, operations_in, text_stage
from compiler.engine.program import Program
from compiler.model.targets import CaptureSpec

NAME = "fx"


def capture(program: Program, spec: CaptureSpec) -> FrontEndResult:
    """Trace, and note each node's result type by one run. Raises what torch.fx raises."""
    root = program.callable
    tracer = torch.fx.Tracer()
    tracer.record_stack_traces = True
    started = time.perf_counter()
    graph = tracer.trace(root)
    module = torch.fx.GraphModule(tracer.root, graph)
    seconds = time.perf_counter() - started
    _note_values(module, program)
    stage = graph_stage(NAME, "graph", "Symbolic trace", graph, "torch.fx.Tracer.trace", seconds)
    code = text_stage(
        NAME, "code", "Generated Python", module.code, "python", "torch.fx.Graph.python_code", (stage.id,)
    )
    return FrontEndResult((stage, code), module, 1, operations_in(stage), seconds)


def _note_values(module: torch.fx.GraphModule, program: Program) -> None:
    """One run that leaves each result in its node's metadata, for its type."""
    with torch.no_grad(), torch.random.fork_rng(devices=[]):
        _Noting(module).run(*program.args, *program.kwargs.values())


class _Noting(torch.fx.Interpreter):
    def run_node(self, n: torch.fx.Node) -> Any:
        n.meta["val"] = result = super().run_node(n)
        return result
