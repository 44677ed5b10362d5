"""Hook: Inductor's scheduler before and after fusion, and why pairs were not fused."""

import contextlib
import time
from collections.abc import Iterator
from typing import Any

from compiler.engine.records.recorder import BodyLoops, InductorGraphRecord, LoopRecord, Recorder
from compiler.engine.torch_internals.inductor.loop_origins import lowered_body
from compiler.engine.torch_internals.inductor.scheduler_nodes import read_scheduler_nodes
from compiler.engine.torch_internals.inductor.shared_traffic import read_shared_traffic
from compiler.engine.torch_internals.patch.patching import around

GIVES = "loop IR before and after fusion, reasons against fusing, what fusions would save"
NEEDS = (
    "torch._inductor.debug:log_ir_pre_fusion",
    "torch._inductor.debug:log_ir_post_fusion",
    "torch._inductor.scheduler:WhyNoFuse.__call__",
    "torch._inductor.scheduler:Scheduler.score_fusion_memory",
)
_MOST_REASONS = 5000


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Read the scheduler's nodes at the two moments where Inductor itself would log them. A body that is lowered apart (a
    branch of ``cond``) has a scheduler of its own.
    """

    def scheduled() -> InductorGraphRecord | BodyLoops | None:
        inductor_graph, body = recorder.inductor_graph, lowered_body()
        if inductor_graph is None or not body:
            return inductor_graph
        return inductor_graph.body_loops.setdefault(body, BodyLoops())

    def before(nodes: Any, *, original: Any) -> Any:
        graph = scheduled()
        if graph is not None and graph.before_fusion is None:
            seconds = _lowering_time(graph)
            with recorder.reading("the loop IR before fusion"):
                graph.before_fusion = LoopRecord(read_scheduler_nodes(nodes, bodies=True), seconds)
            if _is_news(graph, recorder):
                recorder.made()
            graph.seconds["fusion_began"] = time.perf_counter()
        return original(nodes)

    def after(nodes: Any, *, original: Any) -> Any:
        graph = scheduled()
        if graph is not None and graph.after_fusion is None:
            seconds = time.perf_counter() - graph.seconds.pop("fusion_began", time.perf_counter())
            with recorder.reading("the loop IR after fusion"):
                graph.after_fusion = LoopRecord(read_scheduler_nodes(nodes, bodies=False), seconds)
            recorder.asking = True
            with recorder.reading("what fusions would save"):
                shared, whole = read_shared_traffic(nodes)
                if graph.after_fusion is not None:
                    graph.after_fusion.shared, graph.after_fusion.all_shared = shared, whole
            recorder.asking = False
            if graph is recorder.inductor_graph:
                recorder.made()
        return original(nodes)

    def why_not(why: Any, reason: str, *args: Any, original: Any) -> Any:
        graph = scheduled()
        if graph is not None and not recorder.asking and len(graph.not_fused) < _MOST_REASONS:
            text = reason % args if args else reason
            graph.not_fused.append((str(why.name1), str(why.name2), text))
        return original(why, reason, *args)

    with around(NEEDS[0], before), around(NEEDS[1], after), around(NEEDS[2], why_not):
        yield


def _is_news(graph: InductorGraphRecord | BodyLoops, recorder: Recorder) -> bool:
    """Whether the loop IR before fusion is what a person who edited waits for: after an edit of how it is fused it is not."""
    live = recorder.live
    if live is None or not live.start or not isinstance(graph, InductorGraphRecord):
        return False
    return not live.choices(graph.part) and not live.knobs(graph.part)


def _lowering_time(graph: InductorGraphRecord | BodyLoops) -> float | None:
    """A body is lowered while the node that calls it is."""
    if isinstance(graph, BodyLoops):
        return None
    return time.perf_counter() - graph.started - graph.seconds.get("post_grad", 0.0)
