"""Hook: every graph that Dynamo hands to the backend; and, where edits are wanted, a hold on what the backend gives."""

import contextlib
import time
from collections.abc import Iterator
from typing import Any

from compiler.engine.file_ownership import is_linked
from compiler.engine.fx.graph_import import read_bodies, read_graph
from compiler.engine.records.recorder import DynamoGraphRecord, FrameRecord, Recorder
from compiler.engine.torch_internals.dynamo.graph_parts import placeholder_role, settle
from compiler.engine.torch_internals.dynamo.traced_steps import definition_line
from compiler.engine.torch_internals.dynamo.tracked_variables import mark_of, size_text
from compiler.engine.torch_internals.patch.graph_caches import noting_caches
from compiler.engine.torch_internals.patch.patching import around
from compiler.model.capture.counted import counted
from compiler.model.protocol.progress import Phase

GIVES = "Dynamo FX graphs"
NEEDS = ("torch._dynamo.output_graph:OutputGraph.call_user_compiler",)


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Record each Dynamo graph before the backend may change it."""

    def call_user_compiler(output: Any, module: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        compile_id = (
            recorder.frame.id if recorder.frame is not None else f"graph-{len(recorder.dynamo_graphs)}"
        )
        dynamo_graph = DynamoGraphRecord(
            compile_id, read_graph(module.graph, placeholder_role), bodies=read_bodies(module)
        )
        recorder.dynamo_graphs.append(dynamo_graph)
        recorder.current_dynamo_graphs.append(dynamo_graph)
        nodes = counted(len(dynamo_graph.dynamo.nodes), "node")
        recorder.report_progress(f"Compiling graph {compile_id} ({nodes})", Phase.DYNAMO)
        if recorder.frame is not None:
            with recorder.reading("sizes of arguments"):
                _note_arguments(recorder.frame, module.graph)
        live = recorder.live.begin(module, output, dynamo_graph) if recorder.live is not None else None
        recorder.made()
        started = time.perf_counter()
        handing = live.handed_over(output) if live is not None else contextlib.nullcontext()
        # what was set when the recording began is set for that thread, and this may be another
        off = recorder.live.caches_off() if recorder.live is not None else contextlib.nullcontext()
        try:
            with handing, off, noting_caches(dynamo_graph):
                compiled = original(output, module, *args, **kwargs)
            settle(recorder, dynamo_graph)
        finally:
            dynamo_graph.note_backend_time(time.perf_counter() - started)
            recorder.current_dynamo_graphs.pop()
        return live.holding(compiled) if live is not None else compiled

    with around(NEEDS[0], call_user_compiler):
        yield


def _note_arguments(frame: FrameRecord, graph: Any) -> None:
    """Sizes of what the frame was called with, beside its first line. Arguments of resume functions are none of the
    user's.
    """
    code = frame.code
    if (
        not frame.attempts
        or code.co_name.startswith("torch_dynamo_resume_in_")
        or not is_linked(code.co_filename)
    ):
        return
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    for node in graph.nodes:
        if node.op != "placeholder":
            return
        source = getattr(node.meta.get("grapharg"), "source", None)
        name = getattr(source, "local_name", None)
        if name in names:
            text = size_text(node.meta.get("example_value"))
            if text:
                location = (code.co_filename, definition_line(code), name)
                frame.attempts[-1].sizes.setdefault(location, []).append((text, mark_of(node)))
