"""make_fx: one run below autograd, operation by operation."""

import time
from typing import Any

from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils import _pytree as pytree

from compiler.engine.front_end_results import FrontEndResult
from compiler.engine.fx_stages import graph_stage, operations_in, text_stage
from compiler.engine.program import Program
from compiler.engine.torch_internals.helper_frames import helper_frames_kept
from compiler.model.targets import CaptureSpec

NAME = "make_fx"


def capture(program: Program, spec: CaptureSpec) -> FrontEndResult:
    """Run once and keep the aten operations. Raises what make_fx raises."""
    leaves, spec_of = pytree.tree_flatten((program.args, program.kwargs))

    def flat(*values: Any) -> Any:
        args, kwargs = pytree.tree_unflatten(list(values), spec_of)
        return program.callable(*args, **kwargs)

    started = time.perf_counter()
    with helper_frames_kept():
        traced = make_fx(flat, record_stack_traces=True)(*leaves)
    seconds = time.perf_counter() - started

    def call(*args: Any, **kwargs: Any) -> Any:
        """The traced program; arguments that it does not know of are left out, as they were baked in."""
        given, _ = pytree.tree_flatten((args, kwargs))
        return traced(*given[: len(leaves)])

    stage = graph_stage(
        NAME, "graph", "Aten trace", traced.graph, "torch.fx.experimental.proxy_tensor.make_fx", seconds
    )
    code = text_stage(
        NAME, "code", "Generated Python", traced.code, "python", "torch.fx.Graph.python_code", (stage.id,)
    )
    return FrontEndResult((stage, code), call, 1, operations_in(stage), seconds, holds=traced)
