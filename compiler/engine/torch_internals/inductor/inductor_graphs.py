"""Hook: each graph that Inductor compiles, from AOTAutograd's hands to the post-grad graph."""

import contextlib
import time
from collections.abc import Iterator
from typing import Any

from compiler.engine.fx.graph_import import read_bodies, read_graph
from compiler.engine.records.pass_recorder import PassTimeline
from compiler.engine.records.recorder import InductorGraphRecord, Recorder
from compiler.engine.torch_internals.aot_autograd.backend_graphs import input_indices, joint_role
from compiler.engine.torch_internals.aot_autograd.missing_marks import add_missing_marks
from compiler.engine.torch_internals.patch.patching import around
from compiler.model.protocol.progress import Phase

GIVES = "forward, backward, inference and post-grad graphs"
NEEDS = (
    "torch._inductor.compile_fx:compile_fx_forward",
    "torch._inductor.compile_fx:compile_fx_backward",
    "torch._inductor.compile_fx:_recursive_post_grad_passes",
)


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Record each graph as Inductor begins it and after its post-grad passes.

    A graph inside another (a branch of ``cond``) goes through the post-grad passes too, before the outer one, with which it is
    read.
    """

    def compile_part(module: Any, *args: Any, original: Any, backward: bool, **kwargs: Any) -> Any:
        dynamo_graph = recorder.dynamo_graph
        if dynamo_graph is None:
            return original(module, *args, **kwargs)
        if not backward:
            dynamo_graph.config = kwargs.get("compiler_config_extra")
        part = "backward" if backward else "inference" if kwargs.get("is_inference") else "forward"
        with recorder.reading("written-back inputs"):
            add_missing_marks(module.graph, dynamo_graph)
        inductor_graph = InductorGraphRecord(part, read_graph(module.graph, joint_role), time.perf_counter())
        inductor_graph.aot_bodies = read_bodies(module)
        if part == "inference":
            dynamo_graph.inputs = input_indices(module.graph)
        inductor_graph.passes = PassTimeline(inductor_graph.aot_graph, joint_role)
        dynamo_graph.inductor_graphs.append(inductor_graph)
        recorder.current_inductor_graphs.append(inductor_graph)
        recorder.report_progress(
            f"Inductor compiles the {part} graph of {dynamo_graph.compile_id}", Phase.INDUCTOR
        )
        if recorder.live is not None and "inner_compile" in kwargs:
            kwargs["inner_compile"] = recorder.live.inner_compile(
                kwargs["inner_compile"], part, inductor_graph
            )
        known = len(dynamo_graph.rewrites)
        try:
            return original(module, *args, **kwargs)
        finally:
            if own := dynamo_graph.rewrites[known:]:
                inductor_graph.rewrites = own
            else:  # of one that was taken as it had been compiled before
                dynamo_graph.rewrites += inductor_graph.rewrites
            inductor_graph.seconds["whole"] = time.perf_counter() - inductor_graph.started
            recorder.current_inductor_graphs.pop()

    depth = 0

    def post_grad(module: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        nonlocal depth
        inductor_graph = recorder.inductor_graph
        skip = recorder.live is not None and recorder.live.start == "post_grad"
        started = time.perf_counter()
        depth += 1
        try:
            result = None if skip else original(module, *args, **kwargs)
        finally:
            depth -= 1
        if inductor_graph is not None and not depth:
            inductor_graph.seconds["post_grad"] = time.perf_counter() - started
            inductor_graph.post_grad = read_graph(module.graph, joint_role)
            inductor_graph.post_grad_bodies = read_bodies(module)
            if not skip:
                recorder.made()
        return result

    with (
        around(NEEDS[0], compile_part, backward=False),
        around(NEEDS[1], compile_part, backward=True),
        around(NEEDS[2], post_grad),
    ):
        yield
