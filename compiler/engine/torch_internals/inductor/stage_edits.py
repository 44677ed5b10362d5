"""Hook: the moments between two steps of the backend, at which a graph is kept and its edits are applied.

Entered after all hooks that read, so that an edit comes when the step before is over and read, and is reported as an edit. What it put into
a graph of operators is decomposed behind that graph, as far as Inductor wants it.
"""

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import Any

from compiler.engine.fx.graph_import import read_bodies, read_graph
from compiler.engine.records.recorder import Recorder
from compiler.engine.torch_internals.aot_autograd.backend_graphs import joint_role
from compiler.engine.torch_internals.inductor.inductor_lowerings import decompose
from compiler.engine.torch_internals.patch.cloning import clone_module
from compiler.engine.torch_internals.patch.patching import around
from compiler.model.edits.partition_edits import with_choices

GIVES = "edits of the pre-grad, joint, forward, backward and post-grad graphs"
NEEDS = (
    "torch._inductor.compile_fx:run_pre_grad_passes",
    "torch._inductor.compile_fx:_recursive_joint_graph_passes",
    "torch._inductor.compile_fx:compile_fx_forward",
    "torch._inductor.compile_fx:compile_fx_backward",
    "torch._inductor.compile_fx:_recursive_post_grad_passes",
)


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Keep and edit the graphs of the region that is compiled. A graph inside a graph (a branch of ``cond``) is part of it."""
    if recorder.live is None:
        yield
        return
    live = recorder.live
    aot_is_edited = False

    def pre_grad(module: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        dynamo_graph, record = live.current_dynamo_graph, recorder.dynamo_graph
        if dynamo_graph is None or record is None or not hasattr(module, "graph") or live.start == "joint":
            return module if live.start == "joint" else original(module, *args, **kwargs)
        if live.start != "pre_grad":
            module = original(module, *args, **kwargs)
            dynamo_graph.sources["pre_grad"] = clone_module(module)
        if live.edit("", "pre_grad", module):
            record.pre_grad = read_graph(module.graph)
            if record.pre_grad_passes is not None:
                record.pre_grad_passes.edit(record.pre_grad, "pre_grad")
        return module

    def joint(module: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        dynamo_graph, record = live.current_dynamo_graph, recorder.dynamo_graph
        if dynamo_graph is None or record is None or recorder.inductor_graph is not None:
            return original(module, *args, **kwargs)
        # torch has taken out what nobody uses; the first time its passes came later
        if live.start == "joint":
            module = clone_module(dynamo_graph.sources["joint"])
        else:
            module = original(module, *args, **kwargs)
            dynamo_graph.sources["joint"] = clone_module(module)
        if live.edit("", "joint", module):
            after = read_graph(module.graph, joint_role)
            record.joint_after_passes = with_choices(after, live.saved, live.budget)
            record.joint_bodies = read_bodies(module)
            if record.joint_passes is not None:
                record.joint_passes.edit(record.joint_after_passes, "joint")
            decompose(module)
        return module

    def compile_part(module: Any, *args: Any, original: Any, backward: bool, **kwargs: Any) -> Any:
        if live.current_dynamo_graph is None or recorder.dynamo_graph is None:
            return original(module, *args, **kwargs)
        part = "backward" if backward else "inference" if kwargs.get("is_inference") else "forward"
        nonlocal aot_is_edited
        before, was_edited = live.current_inductor_graph, aot_is_edited
        inductor_graph = live.begin_inductor_graph(part, args, kwargs)
        if live.start != "aot":
            inductor_graph.sources["aot"] = clone_module(module)
        live.current_inductor_graph = inductor_graph
        try:
            aot_is_edited = live.edit(part, "aot", module)
            return original(module, *args, **kwargs)
        finally:
            live.current_inductor_graph, aot_is_edited = before, was_edited

    def post_grad(module: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        inductor_graph, record = live.current_inductor_graph, recorder.inductor_graph
        if inductor_graph is None or record is None:
            return original(module, *args, **kwargs)
        if live.start == "post_grad":
            result = original(module, *args, **kwargs)
            decompose(module, is_lowered=True)
            return result
        if aot_is_edited:
            decompose(module)
        result = original(module, *args, **kwargs)
        inductor_graph.sources["post_grad"] = clone_module(module)
        if live.edit(inductor_graph.part, "post_grad", module):
            record.edited = True
            record.post_grad = read_graph(module.graph, joint_role)
            record.post_grad_bodies = read_bodies(module)
            if record.passes is not None:
                record.passes.edit(record.post_grad)
            decompose(module, is_lowered=True)
        return result

    with (
        around(NEEDS[0], pre_grad),
        around(NEEDS[1], _outermost(joint)),
        around(NEEDS[2], compile_part, backward=False),
        around(NEEDS[3], compile_part, backward=True),
        around(NEEDS[4], _outermost(post_grad)),
    ):
        yield


def _outermost(hook: Callable[..., Any]) -> Callable[..., Any]:
    """The hook for a call from outside; the original where torch's function calls itself."""
    depth = 0

    def counting(*args: Any, original: Any, **kwargs: Any) -> Any:
        nonlocal depth
        depth += 1
        call = functools.partial(hook, original=original) if depth == 1 else original
        try:
            return call(*args, **kwargs)
        finally:
            depth -= 1

    return counting
