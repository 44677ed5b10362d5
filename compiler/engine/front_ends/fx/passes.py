"""What torch.fx does with a graph once it has one: each transform as a module of its own, with what came of it."""

import copy
import dataclasses
import traceback
from typing import Any

import msgspec
import torch
import torch.fx
from torch.fx.experimental.optimization import fuse
from torch.fx.passes.split_module import split_module

from compiler.engine.errors import EngineError, problem_from
from compiler.engine.front_ends.fx.profiled_run import NodeRun
from compiler.model.capture.front_ends import FX_CODE
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.ids import line_id, place

CALLS = ("call_function", "call_method", "call_module")
_NORMS = (torch.nn.BatchNorm1d, torch.nn.BatchNorm2d, torch.nn.BatchNorm3d)
_NAME = "<generated Python>"


@dataclasses.dataclass
class Transformed:
    """A graph that a transform made of the one that was traced."""

    key: str
    title: str
    made_by: str
    module: torch.fx.GraphModule


def dead_code_removed(module: torch.fx.GraphModule) -> Transformed | None:
    """None where nothing was dead."""
    copied = copy.deepcopy(module)
    if not copied.graph.eliminate_dead_code():
        return None
    copied.recompile()
    return Transformed("dce", "Dead code eliminated", "torch.fx.Graph.eliminate_dead_code", _compiled(copied))


def batch_norms_fused(module: torch.fx.GraphModule) -> Transformed | None:
    """None where no batch norm follows a convolution or a linear layer, or where the module trains."""
    if module.training or not any(isinstance(part, _NORMS) for part in module.modules()):
        return None
    fused = fuse(module, no_trace=True)
    if len(fused.graph.nodes) == len(module.graph.nodes):  # type: ignore[union-attr, arg-type]
        return None
    assert isinstance(fused, torch.fx.GraphModule)
    return Transformed(
        "fused", "Batch norms fused", "torch.fx.experimental.optimization.fuse", _compiled(fused)
    )


def instrumented(module: torch.fx.GraphModule) -> Transformed:
    """A call after every call that keeps what it gave."""
    copied = copy.deepcopy(module)
    for node in list(copied.graph.nodes):
        if node.op in CALLS:
            with copied.graph.inserting_after(node):
                copied.graph.call_function(observe, (node, node.name))
    copied.recompile()
    return Transformed("instrumented", "Instrumented", "torch.fx.Graph.inserting_after", _compiled(copied))


observed: dict[str, str] = {}
"""What the instrumented module saw in its last run, by node."""


def observe(value: Any, name: str) -> None:
    """Called by the instrumented module."""
    observed[name] = type(value).__name__


def split_in_two(module: torch.fx.GraphModule, runs: dict[str, NodeRun]) -> Transformed | None:
    """Two submodules of about equal time, as a pipeline over two devices would have them; None for fewer than two calls."""
    calls = [node for node in module.graph.nodes if node.op in CALLS]
    if len(calls) < 2:
        return None
    first: set[str] = set()
    half, spent = sum(runs[node.name].microseconds for node in calls) / 2, 0.0
    for node in calls[:-1]:
        if spent >= half and first:
            break
        first.add(node.name)
        spent += runs[node.name].microseconds
    split = split_module(copy.deepcopy(module), module, lambda node: 0 if node.name in first else 1)
    return Transformed("split", "Split in two by time", "torch.fx.passes.split_module", split)


def from_python(module: torch.fx.GraphModule, code: str) -> torch.fx.GraphModule:
    """A module whose forward is this text, traced again; parameters are the module's own. Raises EngineError."""
    names = module.graph.python_code("self").globals
    scope: dict[str, Any] = {**names, "torch": torch}
    try:
        exec(compile(code, _NAME, "exec"), scope)
        forward = scope["forward"]
    except Exception as error:
        what = "The generated Python could not be executed"
        raise EngineError(
            _on_its_line(error, what, "Correct it; it must define forward(self, …).")
        ) from error
    holder = torch.nn.Module()
    holder.__dict__.update(
        {name: vars(module)[name] for name in ("_modules", "_parameters", "_buffers", "training")}
    )
    constants = {name: value for name, value in vars(module).items() if isinstance(value, torch.Tensor)}
    holder.__dict__.update(constants)
    holder.__class__ = type("Edited", (torch.nn.Module,), {"forward": forward})
    tracer = torch.fx.Tracer()
    tracer.record_stack_traces = True
    try:
        graph = tracer.trace(holder)
        graph.lint()
    except Exception as error:
        what = "The edited Python cannot be traced again"
        remedy = "Write operations on proxies only, as torch.fx does."
        raise EngineError(_on_its_line(error, what, remedy)) from error
    return torch.fx.GraphModule(holder, graph)


def _on_its_line(error: Exception, what: str, remedy: str) -> Problem:
    """The problem with the innermost line of the text that led to it."""
    frames = (frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == _NAME)
    line = (
        error.lineno
        if isinstance(error, SyntaxError)
        else next((frame.lineno for frame in reversed(list(frames))), None)
    )
    problem = problem_from(error, f"{what} (line {line})" if line else what, remedy)
    return msgspec.structs.replace(problem, place=place(FX_CODE, line_id(line))) if line else problem


def needs_eval(module: torch.fx.GraphModule) -> Problem | None:
    """Why nothing was fused where something could be."""
    norms = [part for part in module.modules() if isinstance(part, _NORMS)]
    if not module.training or not norms:
        return None
    return Problem(
        f"{len(norms)} batch norm{'s' if len(norms) > 1 else ''} cannot be fused into what comes before while the module trains.",
        "Capture with .eval().",
        severity=Severity.NOTE,
    )


def _compiled(module: torch.fx.GraphModule) -> torch.fx.GraphModule:
    module.graph.lint()
    module.recompile()
    return module
