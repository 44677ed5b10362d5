"""make_fx: one run below autograd, operation by operation."""

import time
from typing import Any

from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils import _pytree as pytree

from compiler.engine.front_ends.interface.editable_graphs import EditableGraph, GraphHolder
from compiler.engine.front_ends.interface.result import FrontEndResult, taking_first
from compiler.engine.front_ends.interface.stage_builders import (
    graph_stage,
    operations_in,
    read_front_end_graph,
    text_stage,
)
from compiler.engine.fx.interpreter import interpreted
from compiler.engine.torch_internals.dynamo.helper_frames import helper_frames_kept
from compiler.engine.user_program.loading import Program
from compiler.model.capture.capture_spec import CaptureSpec

NAME = "make_fx"


def capture(program: Program, spec: CaptureSpec, graphs: GraphHolder) -> FrontEndResult:
    """Run once and keep the aten operations. Raises what make_fx raises."""
    leaves, spec_of = pytree.tree_flatten((program.args, program.kwargs))

    def flat(*values: Any) -> Any:
        args, kwargs = pytree.tree_unflatten(list(values), spec_of)
        return program.callable(*args, **kwargs)

    started = time.perf_counter()
    with helper_frames_kept():
        traced = make_fx(flat, record_stack_traces=True)(*leaves)
    seconds = time.perf_counter() - started
    plain = read_front_end_graph(traced.graph)
    graphs.hold(EditableGraph(f"{NAME}:graph", traced, plain, leaves, None, program.module))

    stage = graph_stage(
        NAME, "graph", "Aten trace", traced.graph, "torch.fx.experimental.proxy_tensor.make_fx", seconds
    )
    code = text_stage(
        NAME, "code", "Generated Python", traced.code, "python", "torch.fx.Graph.python_code", (stage.id,)
    )
    return FrontEndResult(
        (stage, code),
        taking_first(traced, len(leaves)),
        1,
        operations_in(stage),
        seconds,
        holds=traced,
        interpreted=lambda wide: taking_first(interpreted(traced, wide), len(leaves)),
    )
