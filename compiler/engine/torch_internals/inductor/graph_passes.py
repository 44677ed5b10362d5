"""Hook: every pass that Inductor runs over a graph: pre-grad, joint, post-grad.

Torch names most of them with a `GraphTransformObserver`; a few it calls bare. What changed in between is reported as other
changes, so the differences always lead from the first graph to the last.
"""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from compiler.engine.fx.graph_import import MARK, marks_of, read_bodies, read_graph
from compiler.engine.fx.own_notes import OwnNotes
from compiler.engine.records.pass_recorder import PassTimeline
from compiler.engine.records.recorder import Recorder
from compiler.engine.torch_internals.aot_autograd.backend_graphs import joint_role
from compiler.engine.torch_internals.patch.patching import around

GIVES = "passes over graphs"
_OBSERVER = "torch.fx.passes.graph_transform_observer:GraphTransformObserver"
NEEDS = (
    f"{_OBSERVER}.__enter__",
    f"{_OBSERVER}.__exit__",
    "torch.fx.node:Node.replace_all_uses_with",
    "torch._inductor.compile_fx:run_pre_grad_passes",
    "torch._inductor.compile_fx:_recursive_joint_graph_passes",
    "torch._inductor.compile_fx:_recursive_post_grad_passes",
    "torch._inductor.compile_fx:view_to_reshape",
    "torch._inductor.compile_fx:fake_tensor_prop",
)
_BARE = (
    "torch._inductor.fx_passes.pre_grad:numpy_compat_normalization",
    "torch._inductor.fx_passes.pre_grad:sink_cat_after_pointwise",
    "torch._inductor.fx_passes.pre_grad:stable_topological_sort",
    "torch._inductor.fx_passes.quantization:quant_lift_up",
    "torch._inductor.fx_passes.joint_graph:canonicalize_aten_ir_passes",
    "torch._inductor.fx_passes.joint_graph:stable_topological_sort",
    "torch.fx.graph:Graph.eliminate_dead_code",
)
"""Passes without an observer, by the name under which they are called."""


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Follow the graph of each phase through its passes. Passes over a graph inside it (a branch of ``cond``) are not told."""

    def watched(graph_or_module: Any) -> PassTimeline | None:
        """The timeline, if the pass runs over its graph."""
        timeline = recorder.timeline
        if timeline is None or timeline.module is None:
            return None
        inside = graph_or_module is timeline.module or graph_or_module is timeline.module.graph
        return timeline if inside else None

    def began(subject: Any, name: str) -> PassTimeline | None:
        timeline = watched(subject)
        if timeline is not None:
            with recorder.reading(f"the pass {name}"):
                timeline.begin(name)
        return timeline

    def ended(timeline: PassTimeline | None) -> None:
        if timeline is not None:
            with recorder.reading("what a pass changed"):
                own_notes.put_back()
                timeline.end()

    own_notes = OwnNotes()
    observed: list[tuple[Any, PassTimeline | None]] = []

    def enter(observer: Any, *, original: Any) -> Any:
        observed.append((observer, began(observer.gm, str(observer.passname))))
        return original(observer)

    def leave(observer: Any, *args: Any, original: Any) -> Any:
        result = original(observer, *args)
        while observed:
            entered, timeline = observed.pop()
            ended(timeline)
            if entered is observer:
                break
        return result

    def bare(subject: Any, *args: Any, original: Any, pass_name: str, **kwargs: Any) -> Any:
        outermost = recorder.timeline is not None and not recorder.timeline.depth
        timeline = began(subject, pass_name) if outermost else None
        try:
            return original(subject, *args, **kwargs)
        finally:
            ended(timeline)

    def replace(node: Any, other: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        result = original(node, other, *args, **kwargs)
        timeline = recorder.timeline
        if timeline is not None and timeline.depth and result:
            with recorder.reading("a replaced node"):
                if node.graph is timeline.module.graph:
                    timeline.replace(node.name, other.name)
                    carry_marks(node, other)
                    if timeline.began_with(other):
                        own_notes.keep(other)
        return result

    with contextlib.ExitStack() as stack:
        stack.enter_context(around(NEEDS[0], enter))
        stack.enter_context(around(NEEDS[1], leave))
        stack.enter_context(around(NEEDS[2], replace))
        for path in _BARE:
            name = path.replace(":", ".").rpartition(".")[2]
            stack.enter_context(around(path, bare, pass_name=name))
        *phases, early = _phases(recorder)
        for path, phase in zip(NEEDS[3:6], phases, strict=True):
            stack.enter_context(around(path, phase))
        for path in NEEDS[6:]:
            stack.enter_context(around(path, early, pass_name=path.partition(":")[2]))
        yield


def carry_marks(node: Any, other: Any) -> None:
    """What takes a node's place was made from what the node was made from, unless it says so itself."""
    marks, custom = marks_of(node), other.meta.get("custom") or {}
    if marks and MARK not in custom and other.op == "call_function":
        other.meta["custom"] = {**custom, MARK: list(marks)}


def _phases(recorder: Recorder) -> tuple[Callable[..., Any], ...]:
    """What goes around the functions that run all passes of a phase. They call themselves for graphs inside the graph."""
    running: list[Any] = []

    def pre_grad(module: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        dynamo_graph = recorder.dynamo_graph
        if dynamo_graph is None or running:
            return original(module, *args, **kwargs)
        timeline = dynamo_graph.pre_grad_passes = PassTimeline(dynamo_graph.dynamo)
        with _following(recorder, timeline, "pre_grad", module):
            result = original(module, *args, **kwargs)
        with recorder.reading("the pre-grad passes"):
            if dynamo_graph.pre_grad is not None:
                timeline.finish(dynamo_graph.pre_grad, result)
        return result

    def joint(module: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        dynamo_graph, inductor_graph = recorder.dynamo_graph, recorder.inductor_graph
        timeline = (
            inductor_graph.passes
            if inductor_graph is not None
            else dynamo_graph.joint_passes
            if dynamo_graph is not None
            else None
        )
        if timeline is None or dynamo_graph is None or running:
            return original(module, *args, **kwargs)
        running.append(module)
        try:
            with _following(recorder, timeline, "joint", module):
                result = original(module, *args, **kwargs)
        finally:
            running.pop()
        with recorder.reading("the joint passes"):
            after = read_graph(result.graph, joint_role)
            timeline.finish(after, result)
            if inductor_graph is None:
                dynamo_graph.joint_after_passes = after
                dynamo_graph.joint_bodies = read_bodies(result)
        return result

    def post_grad(module: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        inductor_graph = recorder.inductor_graph
        if inductor_graph is None or inductor_graph.passes is None or running:
            return original(module, *args, **kwargs)
        running.append(module)
        try:
            if recorder.live is not None and recorder.live.start == "post_grad":
                result = original(module, *args, **kwargs)
                with recorder.reading("what an edit changed"):
                    if inductor_graph.post_grad is not None:
                        inductor_graph.passes.edit(inductor_graph.post_grad)
                return result
            with _following(recorder, inductor_graph.passes, "post_grad", module):
                result = original(module, *args, **kwargs)
        finally:
            running.pop()
        with recorder.reading("the post-grad passes"):
            if inductor_graph.post_grad is not None:
                inductor_graph.passes.finish(inductor_graph.post_grad, module)
        return result

    def before_post_grad(module: Any, *args: Any, original: Any, pass_name: str, **kwargs: Any) -> Any:
        inductor_graph = recorder.inductor_graph
        timeline = (
            inductor_graph.passes
            if inductor_graph is not None and not inductor_graph.edited and not running
            else None
        )
        if timeline is None:
            return original(module, *args, **kwargs)
        with recorder.reading(f"the pass {pass_name}"):
            timeline.enter("post_grad", module)
            timeline.begin(pass_name)
        result = original(module, *args, **kwargs)
        with recorder.reading("what a pass changed"):
            timeline.end()
        return result

    return pre_grad, joint, post_grad, before_post_grad


@contextlib.contextmanager
def _following(recorder: Recorder, timeline: PassTimeline, phase: str, module: Any) -> Iterator[None]:
    outer = recorder.timeline
    timeline.enter(phase, module)
    recorder.timeline = timeline
    try:
        yield
    finally:
        recorder.timeline = outer
