"""Hook: which FX node wrote which part of a loop body, and which line of a kernel.

Inductor's IR nodes are closures that call one another; torch's own origins name everything that went into a node's arguments,
also what was then computed elsewhere. So each IR node is told which FX node is being lowered when it is made, and while
its closure runs, that FX node is on top of a stack: what the closure adds to a loop body is its own. The mark goes with
the body's operations, and when code is generated from one, so does it with the lines that are written.
"""

import contextlib
import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import torch.fx
from torch._inductor.utils import DeferredLineBase
from torch._inductor.virtualized import V

from compiler.engine.records.recorder import Recorder, WrittenBlock, WrittenLine
from compiler.engine.torch_internals.inductor.inductor_lowerings import STANDS_FOR
from compiler.engine.torch_internals.patch.patching import around, around_each

GIVES = "FX node → part of a loop body → line of a kernel"
NEEDS = (
    "torch._inductor.ir:IRNode.__post_init__",
    "torch._inductor.ir:Pointwise.make_loader",
    "torch._inductor.ir:BaseView.make_loader",
    "torch._inductor.ir:ReinterpretView.make_loader",
    "torch._inductor.loop_body:LoopBody.__init__",
    "torch._inductor.loop_body:LightTracer.create_node",
    "torch._inductor.loop_body:InterpreterShim.run_node",
    "torch._inductor.scheduler:SchedulerNode.codegen",
)
_STORES = tuple(
    f"torch._inductor.ir:{path}"
    for path in (
        "Pointwise.store_output", "Scatter.store_output", "Reduction.store_reduction",
        "MultiOutputReduction.store_reduction", "Scan.store_reduction", "Sort.store_reduction",
    )
)  # fmt: skip
_OWN = "torch_loupe_fx_node"
"""On an IR node, and in the metadata of an operation of a loop body: the FX node it is of."""
_RAN = "torch_loupe_fx_nodes"
"""On a loop body: FX nodes of which a closure ran while it was traced."""
_GENERATORS = "reduction_prefix_generators"
"""On a C++ kernel: functions that write the beginnings of its reductions later."""
_BUFFERS = (
    "loads", "compute", "stores", "preloads", "poststores", "body", "post_loop_store", "post_loop_combine",
    "indexing_code", "reduction_prefix", "reduction_suffix", "parallel_reduction_prefix",
    "parallel_reduction_suffix", "local_reduction_init", "local_reduction_stores",
    "non_parallel_reduction_prefix", "non_parallel_reduction_suffix",
)  # fmt: skip


def fx_name(node: Any) -> str:
    """How a node is distinguished from all others of the graph that Inductor compiles: one of a body that it lowers in place
    (``flex_gemm``'s) with the body's name before it, since names are of a graph only. Empty, while a body is lowered apart,
    for a node of the graph that calls it, which may be called as one of the body.
    """
    outer = getattr(V.graph, "module", None)
    graph = getattr(node, "graph", None)
    if graph is not None and isinstance(outer, torch.fx.GraphModule) and graph is not outer.graph:
        for path, inner in outer.named_modules():
            if path and isinstance(inner, torch.fx.GraphModule) and inner.graph is graph:
                return f"{path}.{_shown_name(node)}"
        if lowered_body():
            return ""
    return _shown_name(node)


def _shown_name(node: Any) -> str:
    return str(getattr(node, "meta", {}).get(STANDS_FOR, node.name))


def lowered_body() -> str:
    """The name that Inductor gives the graph that it works on now; none for the outermost."""
    graph = V.graph
    return str(graph.name) if type(graph).__name__ == "SubgraphLowering" else ""


def own_node(ir_node: Any) -> str:
    """The FX node that was lowered when an IR node was made, or "" where that was not seen."""
    return str(getattr(ir_node, _OWN, ""))


def traced_nodes(body: Any) -> tuple[str, ...]:
    """FX nodes whose code is in a loop body."""
    return tuple(getattr(body, _RAN, ()))


@dataclasses.dataclass
class _Lines:
    """Text as a buffer of Inductor's keeps it."""

    _lines: list[str]


def _noting(recorder: Recorder, generate: Callable[..., Any], owner: tuple[str, str]) -> Callable[..., Any]:
    """What a reduction begins with is written when its loops are known, long after the FX node it is of was at work."""

    def replacement(*args: Any, **kwargs: Any) -> Any:
        text = generate(*args, **kwargs)
        if recorder.inductor_graph is not None and isinstance(text, str):
            lines = _Lines(text.split("\n"))
            owners = dict.fromkeys(range(len(lines._lines)), owner)
            recorder.inductor_graph.written[id(lines)] = WrittenBlock(lines, owners)
        return text

    return replacement


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Mark IR nodes and loop bodies, and keep written lines with the Inductor graph until their kernel has a name."""
    running: list[str] = []
    ran: list[dict[str, None]] = []
    loops: list[str] = []

    def made(node: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        result = original(node, *args, **kwargs)
        if recorder.inductor_graph is not None:
            current = V.current_node
            if getattr(current, "name", None) is not None:
                object.__setattr__(node, _OWN, fx_name(current))
        return result

    def run(name: str, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        running.append(name)
        if ran:
            ran[-1][name] = None
        try:
            return function(*args, **kwargs)
        finally:
            running.pop()

    def loader(node: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        load = original(node, *args, **kwargs)
        name = own_node(node)
        return load if not name else lambda *index, **more: run(name, load, *index, **more)

    def store(node: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        name = own_node(node)
        return run(name, original, node, *args, **kwargs) if name else original(node, *args, **kwargs)

    def trace_body(body: Any, function: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        ran.append(dict.fromkeys(traced_nodes(function)))
        try:
            return original(body, function, *args, **kwargs)
        finally:
            setattr(body, _RAN, tuple(ran.pop()))

    def create_node(tracer: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        node = original(tracer, *args, **kwargs)
        if running:
            node.meta[_OWN] = running[-1]
        return node

    def run_node(interpreter: Any, node: Any, *, original: Any) -> Any:
        name = node.meta.get(_OWN, "")
        if not loops or recorder.inductor_graph is None:
            return run(name, original, interpreter, node) if name else original(interpreter, node)
        kernel = V.kernel
        buffers = {
            id(buffer): buffer for key in _BUFFERS if (buffer := getattr(kernel, key, None)) is not None
        }
        before = {key: len(buffer._lines) for key, buffer in buffers.items() if hasattr(buffer, "_lines")}
        later = getattr(kernel, _GENERATORS, [])
        known = len(later)
        result = original(interpreter, node)
        for index in range(known, len(later)):
            later[index] = _noting(recorder, later[index], (name, loops[-1]))
        for key, count in before.items():
            if len(buffers[key]._lines) > count:
                block = recorder.inductor_graph.written.setdefault(key, WrittenBlock(buffers[key]))
                for index in range(count, len(buffers[key]._lines)):
                    block.owners.setdefault(index, (name, loops[-1]))
        return result

    def generate_node(node: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        loops.append(str(node.get_name()))
        try:
            return original(node, *args, **kwargs)
        finally:
            loops.pop()

    with (
        around(NEEDS[0], made),
        around_each(NEEDS[1:4], loader),
        around_each(_STORES, store),
        around(NEEDS[4], trace_body),
        around(NEEDS[5], create_node),
        around(NEEDS[6], run_node),
        around(NEEDS[7], generate_node),
    ):
        yield


def read_block(block: WrittenBlock) -> list[tuple[WrittenLine, ...]]:
    """Lines that stand together in the kernel; a line that torch may still leave out stands by itself."""
    runs: list[list[WrittenLine]] = [[]]
    for index, line in enumerate(block.buffer._lines):
        fx_node, loop_node = block.owners.get(index, ("", ""))
        later = isinstance(line, DeferredLineBase)
        text = line if isinstance(line, str) else getattr(line, "line", "")
        lines = [
            WrittenLine(part.strip(), fx_node, loop_node) for part in str(text).split("\n") if part.strip()
        ]
        if later:
            runs += [lines, []]
        else:
            runs[-1] += lines
    return [tuple(run) for run in runs if run]
