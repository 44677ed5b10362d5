"""Hook: a backward that torch compiles when the program first asks for gradients, not when its forward was compiled.

It belongs to the Dynamo graph whose forward it is of: torch restores the tracing context that graph was compiled under.
Entered after all hooks that listen to the compile of a backward, so that these find the graph it belongs to.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

import torch
import torch._guards

from compiler.engine.records.recorder import Recorder
from compiler.engine.torch_internals.patch.graph_caches import noting_caches
from compiler.engine.torch_internals.patch.patching import around
from compiler.model.protocol.run_events import RUNNING

GIVES = "the backward, when the program asks for it"
NEEDS = (
    "torch._inductor.compile_fx:compile_fx_backward",
    "torch._guards:TracingContext.try_get",
    "torch._C._autograd:_get_current_graph_task_keep_graph",
)


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """While a backward is compiled by itself, what it belongs to is what the backend works on."""

    def compile_backward(*args: Any, original: Any, **kwargs: Any) -> Any:
        live = recorder.live
        if live is None or recorder.dynamo_graph is not None:
            return original(*args, **kwargs)
        tracing = torch._guards.TracingContext.try_get()
        rows = [row for row in live.dynamo_graphs if row.tracing is tracing and not row.record.parts]
        config = kwargs.get("compiler_config_extra")
        # parts of one graph have one context
        own = [row for row in rows if row.record.config is config] if len(rows) > 1 else rows
        dynamo_graph = (own or rows or [None])[-1]
        if dynamo_graph is None or tracing is None:
            return original(*args, **kwargs)
        before = live.current_dynamo_graph
        live.current_dynamo_graph = dynamo_graph
        dynamo_graph.keeps_graph = _keeps_graph()
        recorder.current_dynamo_graphs.append(dynamo_graph.record)
        known = len(dynamo_graph.record.inductor_graphs)
        try:
            # on a GPU this is autograd's own thread, and what was set is set by thread
            caches = noting_caches(dynamo_graph.record)
            with live.caches_off(), live.phases.on_this_thread(), caches:
                result = original(*args, **kwargs)
        finally:
            recorder.current_dynamo_graphs.pop()
            live.current_dynamo_graph = before
        for inductor_graph in dynamo_graph.record.inductor_graphs[known:]:
            inductor_graph.lazily = True
        recorder.report_progress(RUNNING)
        recorder.settled()
        return result

    with around(NEEDS[0], compile_backward):
        yield


def _keeps_graph() -> bool:
    """Whether the backward that runs now may be run again: what was saved for it may not be overwritten then."""
    asks = getattr(torch._C._autograd, "_get_current_graph_task_keep_graph", None)
    return bool(asks()) if asks is not None else False
