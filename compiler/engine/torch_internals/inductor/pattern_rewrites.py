"""Hook: every rewrite of Inductor's pattern matcher: which nodes became which, by which pattern."""

import contextlib
from collections.abc import Iterator
from typing import Any

from compiler.engine.fx.graph_import import MARK, marks_of
from compiler.engine.records.recorder import Recorder
from compiler.engine.torch_internals.patch.patching import around_each

GIVES = "pattern rewrites"
NEEDS = tuple(
    f"torch._inductor.pattern_matcher:{entry}.apply"
    for entry in ("LoweringPatternEntry", "GraphPatternEntry", "ReplacementPatternEntry")
)


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Record rewrites, and carry our marks from the matched nodes to those that take their place."""

    def apply(entry: Any, match: Any, graph: Any, node: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        matched = tuple(item.name for item in match.nodes)
        marks = sorted({mark for item in match.nodes for mark in marks_of(item)})
        with _made_in(graph) as made:
            result = original(entry, match, graph, node, *args, **kwargs)
        fresh = sorted((item for item in made if not item._erased), key=lambda item: item._sort_key)
        for item in fresh:
            custom = item.meta.get("custom") or {}
            if marks and MARK not in custom:
                item.meta["custom"] = {**custom, MARK: marks}
        if recorder.dynamo_graph is not None and (fresh or any(item._erased for item in match.nodes)):
            handler = getattr(entry, "handler", None)
            name = getattr(entry, "pattern_name", None) or getattr(handler, "__name__", None)
            names = tuple(item.name for item in fresh)
            rewrite = (str(name or type(entry).__name__), matched, names)
            recorder.dynamo_graph.rewrites.append(rewrite)
            timeline = recorder.timeline
            if timeline is not None and timeline.module is not None and graph is timeline.module.graph:
                timeline.rewrite(rewrite)
        return result

    with around_each(NEEDS, apply):
        yield


@contextlib.contextmanager
def _made_in(graph: Any) -> Iterator[list[Any]]:
    """The nodes that are made in a graph meanwhile, as torch tells its module; a graph of none is looked through instead, which
    takes as long as it is large.
    """
    made: list[Any] = []
    owner = graph.owning_module
    if getattr(owner, "_create_node_hooks", None) is None:
        before = set(graph.nodes)
        yield made
        made += [item for item in graph.nodes if item not in before]
        return
    hear = made.append
    owner._register_create_node_hook(hear)
    try:
        yield made
    finally:
        owner._unregister_create_node_hook(hear)
