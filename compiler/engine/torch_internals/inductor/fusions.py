"""Hook: what Inductor's scheduler does between the loop IR and the fused loop IR, step by step."""

import contextlib
import functools
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from compiler.engine.records.recorder import InductorGraphRecord, Recorder
from compiler.engine.torch_internals.patch.patching import around
from compiler.model.ir.passes import FusionStep

GIVES = "fusions in order, with torch's score"
NEEDS = (
    "torch._inductor.scheduler:Scheduler.fuse_two_nodes",
    "torch._inductor.scheduler:Scheduler.fuse_nodes_once",
    "torch._inductor.scheduler:Scheduler.score_fusion_key",
)
_STEPS = (
    "torch._inductor.scheduler:Scheduler.create_foreach_nodes",
    "torch._inductor.scheduler:Scheduler.merge_loops",
    "torch._inductor.scheduler:Scheduler.create_combo_kernel_nodes",
)
"""Other steps that may change the scheduler's nodes. Torch calls them on the scheduler, without asking for a result."""
_REORDER = "torch._inductor.memory:reorder_for_peak_memory"
_MOST_SCORES = 100_000


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Record every fusion, every round that fused nothing, and the steps around them."""
    scores: dict[tuple[str, str], int] = {}
    rounds = [0]

    def graph_in_fusion() -> InductorGraphRecord | None:
        """The graph whose nodes are being fused; a branch of ``cond`` is scheduled when that is over."""
        inductor_graph = recorder.inductor_graph
        inside = (
            inductor_graph is not None
            and inductor_graph.before_fusion is not None
            and inductor_graph.after_fusion is None
        )
        return inductor_graph if inside else None

    def score(scheduler: Any, nodes: Any, *, original: Any) -> Any:
        result = original(scheduler, nodes)
        saved = getattr(result, "memory_score", None)
        if isinstance(saved, int) and len(scores) < _MOST_SCORES and graph_in_fusion() is not None:
            scores[nodes[0].get_name(), nodes[1].get_name()] = saved
        return result

    def fuse(scheduler: Any, first: Any, second: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        inductor_graph = graph_in_fusion()
        if inductor_graph is None:
            return original(scheduler, first, second, *args, **kwargs)
        relation = ""
        with recorder.reading("how two fused nodes belong together"):
            relation = _relation(first, second)
        started = time.perf_counter()
        fused = original(scheduler, first, second, *args, **kwargs)
        seconds = time.perf_counter() - started
        with recorder.reading("a fusion"):
            names = str(first.get_name()), str(second.get_name())
            saved = scores.get(names, scores.get((names[1], names[0])))
            inductor_graph.fusions.append(
                FusionStep(
                    id="",
                    stage="",
                    name="fuse",
                    round=rounds[0],
                    parts=names,
                    result=str(fused.get_name()),
                    saved_bytes=saved,
                    relation=relation,
                    seconds=seconds,
                )
            )
        return fused

    def once(scheduler: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        inductor_graph = graph_in_fusion()
        if inductor_graph is None:
            return original(scheduler, *args, **kwargs)
        rounds[0] = 1 + max((step.round for step in inductor_graph.fusions), default=0)
        before = len(inductor_graph.fusions)
        started = time.perf_counter()
        result = original(scheduler, *args, **kwargs)
        if len(inductor_graph.fusions) == before:
            inductor_graph.fusions.append(
                FusionStep(
                    id="",
                    stage="",
                    name="fuse_nodes_once",
                    round=rounds[0],
                    seconds=time.perf_counter() - started,
                    note="a round in which nothing was fused",
                )
            )
        scores.clear()
        return result

    def step(scheduler: Any, *args: Any, original: Any, step_name: str, **kwargs: Any) -> Any:
        inductor_graph = graph_in_fusion()
        call = functools.partial(original, scheduler, *args, **kwargs)
        if inductor_graph is None:
            return call()
        return _watched(
            recorder, inductor_graph, step_name, call, lambda result: scheduler.nodes, scheduler.nodes
        )

    def reorder(nodes: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        inductor_graph = graph_in_fusion()
        call = functools.partial(original, nodes, *args, **kwargs)
        if inductor_graph is None:
            return call()
        name = "reorder_for_peak_memory"
        return _watched(recorder, inductor_graph, name, call, lambda result: result, nodes)

    with contextlib.ExitStack() as stack:
        stack.enter_context(around(NEEDS[0], fuse))
        stack.enter_context(around(NEEDS[1], once))
        stack.enter_context(around(NEEDS[2], score))
        for path in _STEPS:
            stack.enter_context(around(path, step, step_name=path.rpartition(".")[2]))
        stack.enter_context(around(_REORDER, reorder))
        yield


def _relation(first: Any, second: Any) -> str:
    """Whether one of two nodes needs the other, as the scheduler itself tells vertical from horizontal fusion."""
    needs = first.get_operation_names() & second.ancestors or second.get_operation_names() & first.ancestors
    return "producer and consumer" if needs else "side by side"


def _watched(
    recorder: Recorder,
    inductor_graph: InductorGraphRecord,
    name: str,
    call: Callable[[], Any],
    nodes_of: Callable[[Any], Any],
    before: Any,
) -> Any:
    """Do a step and note what it did to the nodes: groups made, loops changed, another order."""
    old: dict[str, tuple[Any, ...]] = {}
    with recorder.reading(f"the nodes before {name}"):
        old = _states(before)
    started = time.perf_counter()
    result = call()
    seconds = time.perf_counter() - started
    with recorder.reading(f"the nodes after {name}"):
        after = list(nodes_of(result))
        new = _states(after)
        groups = [
            (tuple(str(part.get_name()) for part in _parts(node, old)), str(node.get_name()))
            for node in after
            if str(node.get_name()) not in old
        ]
        for parts, made in groups:
            inductor_graph.fusions.append(FusionStep("", "", name, parts=parts, result=made, seconds=seconds))
            seconds = 0.0
        changed = tuple(node for node in new if node in old and new[node] != old[node])
        order = () if groups or list(new) == list(old) else tuple(new)
        if changed or order or not groups:
            step = FusionStep("", "", name, changed=changed, order=order, seconds=seconds)
            inductor_graph.fusions.append(step)
    return result


def _states(nodes: Any) -> dict[str, tuple[Any, ...]]:
    """Node → its loops, in order: sizes are expressions that never change, in lists that do."""
    return {
        str(node.get_name()): tuple(
            tuple(map(tuple, getattr(part, "_sizes", None) or ())) for part in node.get_nodes()
        )
        for node in nodes
    }


def _parts(node: Any, known: Mapping[str, object]) -> list[Any]:
    """What a new group was made of: its own snodes, where they stood for themselves before."""
    members = list(getattr(node, "snodes", ()) or node.get_nodes())
    return [member for member in members if str(member.get_name()) in known] or list(node.get_nodes())
