"""Hook: kernels as Inductor generates them: what each runs and which line calls it."""

import contextlib
from collections.abc import Iterator
from typing import Any

from torch._inductor.codegen import wrapper

from compiler.engine.records.recorder import InductorGraphRecord, KernelRecord, Recorder, WrittenLine
from compiler.engine.records.wrapper_kernels import kernel_sources
from compiler.engine.torch_internals.inductor.loop_origins import fx_name, lowered_body, read_block
from compiler.engine.torch_internals.inductor_kernels.kernel_builds import builds_in_turn
from compiler.engine.torch_internals.patch.patching import around, around_each
from compiler.model.capture.counted import first_of
from compiler.model.protocol.progress import Phase

GIVES = "kernels, wrapper code, memory plan"
NEEDS = (
    "torch._inductor.codegen.cpp:set_kernel_post_grad_provenance_tracing",
    "torch._inductor.debug:set_kernel_post_grad_provenance_tracing",
    "torch._inductor.codegen.wrapper:PythonWrapperCodegen.run_wrapper_ir_passes",
    "torch._inductor.graph:GraphLowering._compile_to_module_lines",
)
_MIXED = "torch._inductor.codegen.triton:TritonKernel.call_kernel"
"""Of reductions over rows and columns in one kernel torch tells nobody else what they run."""
_WRITE_THEMSELVES = (
    "torch._inductor.ir:InplaceBernoulliFallback.codegen",
    "torch._inductor.ir:MutatingFirstArgExternKernel.codegen",
)
"""Calls that torch neither traces nor writes as a line of its own kind."""
_TRITON = "torch._inductor.codegen.triton:set_kernel_post_grad_provenance_tracing"


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Record each kernel, the wrapper's steps and the final text."""

    def provenance(schedule: Any, name: str, is_extern: bool = False, *, original: Any) -> Any:
        if recorder.inductor_graph is not None:
            with recorder.reading("a kernel"):
                record = _read_kernel(schedule, str(name), is_extern)
                recorder.inductor_graph.kernels.append(record)
                if not is_extern:
                    record.blocks = _blocks(recorder.inductor_graph)
        return original(schedule, name, is_extern)

    def mixed(kernel: Any, name: str, *args: Any, original: Any, **kwargs: Any) -> Any:
        if recorder.inductor_graph is not None and getattr(kernel, "mix_order_reduction", False):
            with recorder.reading("a kernel of mixed reductions"):
                record = _read_kernel(kernel.features.scheduler_nodes(), str(name), is_extern=False)
                recorder.inductor_graph.kernels.append(record)
                record.blocks = _blocks(recorder.inductor_graph)
        return original(kernel, name, *args, **kwargs)

    def wrapper_passes(code: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        result = original(code, *args, **kwargs)
        if recorder.inductor_graph is not None and type(code).__name__ == "PythonWrapperCodegen":
            with recorder.reading("the memory plan"):
                recorder.inductor_graph.memory_plan = [
                    step for line in code.lines if (step := _memory_step(line))
                ]
        return result

    def to_module(graph: Any, code: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        inductor_graph = recorder.inductor_graph
        if inductor_graph is None:
            return original(graph, code, *args, **kwargs)
        with recorder.reading("which kernels are built"):
            recorder.report_progress(
                _what_is_built(recorder.live, inductor_graph.part, code.value), Phase.KERNELS
            )
        inductor_graph.wrapper_text = inductor_graph.generated_text = code.value
        inductor_graph.wrapper_language = "cpp" if getattr(graph, "cpp_wrapper", False) else "python"
        if builds_in_turn():
            recorder.generated(tuple(kernel_sources(code.value).values()))
        module = original(graph, code, *args, **kwargs)
        inductor_graph.wrapper_path = module.__file__
        if recorder.live is not None:
            recorder.live.keep_module(module)
        return module

    def written_line(line: Any, code: Any, *, original: Any) -> Any:
        graph = recorder.inductor_graph
        before = len(code._lines) if graph is not None else 0
        result = original(line, code)
        if graph is not None:
            with recorder.reading("which line calls a kernel"):
                called = _called(line)
                graph.call_lines += [(called, text) for text in _call_texts(code._lines[before:], called)]
        return result

    def writes_itself(node: Any, code: Any, *, original: Any) -> Any:
        before = len(code.lines)
        result = original(node, code)
        if (graph := recorder.inductor_graph) is not None:
            with recorder.reading("a kernel that writes its own call"):
                graph.kernels.append(_read_kernel(node, str(node.get_kernel_name()), is_extern=True))
                called = f"buffer:{node.get_name()}"
                graph.call_lines += [(called, text) for text in _call_texts(code.lines[before:], called)]
        return result

    calls = [
        f"torch._inductor.codegen.wrapper:{name}.codegen"
        for name, kind in vars(wrapper).items()
        if isinstance(kind, type) and issubclass(kind, wrapper.WrapperLine) and _is_call(name)
    ]
    with (
        around_each((*NEEDS[:2], _TRITON), provenance),
        around(_MIXED, mixed),
        around(NEEDS[2], wrapper_passes),
        around(NEEDS[3], to_module),
        around_each(calls, written_line),
        around_each(_WRITE_THEMSELVES, writes_itself),
    ):
        yield


def _blocks(inductor_graph: InductorGraphRecord) -> tuple[tuple[WrittenLine, ...], ...]:
    """What was written of the kernel that has a name now. Where buffers were emptied into a body, what that body holds
    without an owner is there a second time.
    """
    moved = inductor_graph.written_runs
    left = [run for block in inductor_graph.written.values() for run in read_block(block)]
    owned = [run for run in left if not moved or any(line.loop_node for line in run)]
    inductor_graph.written.clear()
    inductor_graph.written_runs = []
    return (*moved, *owned)


def _is_call(name: str) -> bool:
    return name in ("KernelCallLine", "IndexPutFallbackLine", "ScatterFallbackLine") or name.startswith(
        "ExternKernel"
    )


def _read_kernel(schedule: Any, name: str, is_extern: bool) -> KernelRecord:
    if is_extern:
        origins = tuple(sorted(filter(None, map(fx_name, schedule.get_origins()))))
        if getattr(schedule, "name", None) is None:
            # a Triton kernel of the program's: it makes no buffer, and is called by its name
            return KernelRecord(name, True, (str(schedule.get_operation_name()),), origins, lowered_body())
        return KernelRecord(name, True, (), origins, lowered_body(), (str(schedule.get_name()),))
    nodes = [
        node for node in schedule if hasattr(node, "get_name") and getattr(node, "node", None) is not None
    ]
    names = {fx_name(origin) for node in nodes for origin in node.node.get_origins()}
    origins = tuple(sorted(filter(None, names)))
    return KernelRecord(name, False, tuple(str(node.get_name()) for node in nodes), origins, lowered_body())


def _called(line: Any) -> str:
    if hasattr(line, "kernel_name"):
        return str(line.kernel_name)
    return f"buffer:{line.node.get_name()}"


def _call_texts(lines: Any, called: str) -> Iterator[str]:
    """The one line, of those written for a call, that calls: it names the kernel, or for library calls, has brackets.

    A Triton call is written with the line that fetches its stream; that one is no call of a kernel.
    """
    texts = [part.strip() for line in lines for part in str(getattr(line, "line", line)).split("\n")]
    calls = [text for text in texts if "(" in text and not text.startswith("#")]
    named = [text for text in calls if not called.startswith("buffer:") and called in text]
    yield from (named or calls)[:1]


def _what_is_built(live: Any, part: str, text: str) -> str:
    """Which kernels of a generated wrapper will be built, before they are: those whose source was built before are not."""
    if live is None or not live.start:
        if live is not None:
            live.wrappers.append(text)
        return f"Building the kernels of the {part} graph"
    built = live.sources_built()
    sources = kernel_sources(text)
    fresh = [name for name, source in sources.items() if source not in built]
    built.update(sources.values())
    kept = len(sources) - len(fresh)
    reused = f"; {kept} built before" if kept else ""
    return f"Building {first_of(fresh, 3) or 'no kernel'} of the {part} graph{reused}"


def _memory_step(line: Any) -> str:
    """An allocation, reuse or release of the memory plan, in words."""
    kind = type(line).__name__
    if kind == "AllocateLine":
        return f"allocate {line.node.get_name()}"
    if kind == "ReuseLine":
        return f"reuse {line.node.get_name()} as {line.reused_as.get_name()}"
    if kind == "FreeIfNotReusedLine" and not line.is_reused:
        return f"free {line.node.get_name()}"
    return ""
