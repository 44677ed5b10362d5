"""Hook: a Dynamo graph that reaches the compiler in several parts.

DDPOptimizer cuts the graph of a DistributedDataParallel module at its buckets and compiles each part by itself; a backend of
the user's may do the same, and torch's regional Inductor compiles regions of a graph that AOTAutograd has. What they do is
seen here, not who they are: AOTAutograd or Inductor is given something else than the whole graph, or is called once more.
"""

import contextlib
import dataclasses
import os
import re
import sys
import time
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from compiler.engine.fx.graph_import import read_bodies, read_graph
from compiler.engine.records.recorder import DynamoGraphRecord, Recorder
from compiler.engine.torch_internals.patch.patching import around, found
from compiler.model.capture.compile_ids import part_id

GIVES = "parts of a Dynamo graph that are compiled one by one"
NEEDS = (
    "torch._inductor.compile_fx:compile_fx",
    "torch._dynamo.backends.common:AotAutograd.__call__",
    "torch._dynamo.backends.common:aot_module_simplified",
)
_COMPILE, _BACKEND, _TRACE = NEEDS
_TORCH = re.compile(r"/(?:site|dist)-packages/(torch/.*)")
_DDP = "torch/_dynamo/backends/distributed.py"
_ON_THE_WAY = (
    _DDP,
    "torch/__init__.py",
    "torch/_dynamo/backends/common.py",
    "torch/_dynamo/backends/inductor.py",
    "torch/_dynamo/output_graph.py",
    "torch/_dynamo/repro/",
    "torch/_inductor/",
    "torch/fx/interpreter.py",
    "torch/nn/",
)
"""What calls a compiler on behalf of somebody else."""


@dataclasses.dataclass
class _Call:
    """A compiler that is at work on a graph or a part."""

    record: DynamoGraphRecord
    traces: bool = False
    """AOTAutograd has begun: what is compiled from now on is another graph, not the same further down."""


@dataclasses.dataclass
class _Part:
    """Stands for Dynamo's OutputGraph where a part is held: what compiles it, and what it is given."""

    compiler_fn: Callable[..., Any]
    inputs: list[Any]


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Give each part a record of its own, under the one of its graph."""
    calls: list[_Call] = []

    def compiling(call: _Call, compile_it: Callable[[], Any]) -> Any:
        calls.append(call)
        try:
            return compile_it()
        finally:
            calls.pop()

    def entered(module: Any, inputs: Any, compile_it: Callable[[], Any], again: Callable[..., Any]) -> Any:
        record = recorder.dynamo_graph
        live = recorder.live
        if record is None or not hasattr(module, "graph") or (live is not None and live.start):
            return compile_it()
        under_way = calls[-1] if calls and calls[-1].record is record else None
        if under_way is not None and not under_way.traces:
            return compile_it()
        if under_way is None and not record.compiled_whole and _is_whole(record, module):
            record.compiled_whole = True
            return compiling(_Call(record), compile_it)
        part = _begun(recorder, record, module)
        before = live.current_dynamo_graph if live is not None else None
        # inside of another compile nothing can be put in the place of what the compiler gives
        held = live.begin(module, _Part(again, list(inputs)), part) if live and under_way is None else None
        if live is not None and held is None:
            live.current_dynamo_graph = None
        recorder.made()
        try:
            with _timed(part):
                compiled = compiling(_Call(part), compile_it)
        finally:
            recorder.current_dynamo_graphs.pop()
            if live is not None:
                live.current_dynamo_graph = before
        return held.holding(compiled) if held is not None else compiled

    def compile_fx(module: Any, inputs: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        def again(module: Any, inputs: Any) -> Any:
            return found(_COMPILE)(module, inputs, *args, **kwargs)

        return entered(module, inputs, lambda: original(module, inputs, *args, **kwargs), again)

    def backend(self: Any, module: Any, inputs: Any, *, original: Any, **kwargs: Any) -> Any:
        return entered(module, inputs, lambda: original(self, module, inputs, **kwargs), self)

    def trace(module: Any, inputs: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        def traced() -> Any:
            if calls:
                calls[-1].traces = True
            return original(module, inputs, *args, **kwargs)

        def again(module: Any, inputs: Any) -> Any:
            return found(_TRACE)(module, inputs, *args, **kwargs)

        return entered(module, inputs, traced, again)

    with around(_COMPILE, compile_fx), around(_BACKEND, backend), around(_TRACE, trace):
        yield


def settle(recorder: Recorder, whole: DynamoGraphRecord) -> None:
    """The backend is done with a graph. Something that it compiled instead of the graph, alone, is no part: a backend of the
    user's may change a graph before it hands it on, and Dynamo writes a region that is called once in the place of its call.
    """
    if whole.compiled_whole or len(whole.parts) != 1 or whole.parts[0].parts:
        return
    (only,) = whole.parts
    own = {"compile_id", "dynamo", "bodies", "edited", "parts", "part_of", "cut_by", "caches", "seconds"}
    for field in dataclasses.fields(whole):
        if field.name not in own:
            setattr(whole, field.name, getattr(only, field.name))
    if whole.pre_grad_passes is not None:
        whole.pre_grad_passes.lead_from(whole.dynamo)
    whole.seconds |= only.seconds
    whole.parts, whole.instead = [], only
    recorder.dynamo_graphs[:] = [record for record in recorder.dynamo_graphs if record is not only]
    if recorder.live is not None:
        recorder.live.join_part(whole, only)


def _is_whole(record: DynamoGraphRecord, module: Any) -> bool:
    """Whether a graph has every operation of Dynamo's."""
    names = {node.name for node in module.graph.nodes}
    return all(node.id in names for node in record.dynamo.nodes if node.op.startswith("call"))


def _begun(recorder: Recorder, whole: DynamoGraphRecord, module: Any) -> DynamoGraphRecord:
    part = DynamoGraphRecord(
        part_id(whole.compile_id, len(whole.parts)),
        read_graph(module.graph, placeholder_role),
        bodies=read_bodies(module),
        part_of=whole,
        cut_by=_cutter(),
    )
    part.compiled_whole = True
    whole.parts.append(part)
    recorder.dynamo_graphs.append(part)
    recorder.current_dynamo_graphs.append(part)
    return part


@contextlib.contextmanager
def _timed(part: DynamoGraphRecord) -> Iterator[None]:
    started = time.perf_counter()
    try:
        yield
    finally:
        part.note_backend_time(time.perf_counter() - started)


def _cutter() -> str:
    """Who handed a part to the compiler, with its file: the innermost that does not do so for somebody else."""
    frame: types.FrameType | None = sys._getframe(1)
    here = str(Path(__file__).parents[3])
    while frame is not None:
        path, name = frame.f_code.co_filename, frame.f_code.co_name
        shown = _in_torch(path)
        if shown == _DDP and name == "compile_fn":
            return f"DDPOptimizer at its buckets, {shown}"
        if not path.startswith(here) and not shown.startswith(_ON_THE_WAY):
            return f"{name}, {shown or path}"
        frame = frame.f_back
    return ""


def _in_torch(path: str) -> str:
    """``torch/…`` of a file of torch's, else empty."""
    found = _TORCH.search(path.replace(os.sep, "/"))
    return found[1] if found is not None else ""


def placeholder_role(node: Any) -> str:
    """Dynamo lifts parameters and buffers to inputs; their source says which they are."""
    if node.op != "placeholder":
        return ""
    source = getattr(node, "_dynamo_source", None)
    value = node.meta.get("example_value")
    name = str(getattr(source, "name", "") or node.name)
    lifted = "_parameters" in name or "_buffers" in name or type(value).__name__ == "Parameter"
    return "parameter" if lifted or "_parameters_" in node.name or "_buffers_" in node.name else "input"
