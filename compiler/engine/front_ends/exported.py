"""torch.export: one whole graph, or a refusal."""

import time
from typing import Any

import torch
import torch.export
import torch.fx
from torch.utils import _pytree as pytree

from compiler.engine.failures import EngineError
from compiler.engine.front_end_results import FrontEndResult
from compiler.engine.fx_stages import graph_stage, operations_in, text_stage
from compiler.engine.program import Program, argument_names
from compiler.model.problems import Problem
from compiler.model.targets import CaptureSpec


def capture_static(program: Program, spec: CaptureSpec) -> FrontEndResult:
    """For the sizes of the example. Raises what torch.export raises."""
    return _capture("export", program, None)


def capture_dynamic(program: Program, spec: CaptureSpec) -> FrontEndResult:
    """For every size that the program allows (``Dim.AUTO``). Raises what torch.export raises."""
    auto = torch.export.Dim.AUTO

    def sizes(value: Any) -> Any:
        return dict.fromkeys(range(value.dim()), auto) if isinstance(value, torch.Tensor) else None

    shapes = pytree.tree_map(sizes, (program.args, program.kwargs))
    return _capture("export-dynamic", program, _by_parameter(program, shapes))


def _by_parameter(program: Program, shapes: Any) -> Any:
    positional, keyword = shapes
    return (
        {**dict(zip(argument_names(program), positional, strict=True)), **keyword} if keyword else positional
    )


def _capture(name: str, program: Program, shapes: Any) -> FrontEndResult:
    module = program.module
    if module is None:
        raise EngineError(
            Problem("torch.export takes an nn.Module only, and this is a function.", "Name an nn.Module.")
        )
    started = time.perf_counter()
    exported = torch.export.export(module, program.args, program.kwargs, dynamic_shapes=shapes)
    seconds = time.perf_counter() - started
    signature = exported.graph_signature
    parameters = {*signature.inputs_to_parameters, *signature.inputs_to_buffers}

    def role(node: torch.fx.Node) -> str:
        return "parameter" if node.name in parameters else "input"

    stage = graph_stage(
        name, "graph", "Exported graph", exported.graph, "torch.export.export", seconds, roles=role
    )
    program_text = text_stage(
        name, "program", "Exported program", str(exported), "python", "torch.export", (stage.id,)
    )
    return FrontEndResult((stage, program_text), exported.module(), 1, operations_in(stage), seconds)
