"""Hook: what AOTAutograd hands to a backend that is not Inductor (``aot_eager`` and its like, or one of the user's)."""

import contextlib
import functools
import time
import weakref
from collections.abc import Callable, Iterator
from typing import Any

from torch._functorch.partitioners import default_partition

from compiler.engine.fx.graph_import import read_bodies, read_graph
from compiler.engine.records.recorder import DynamoGraphRecord, InductorGraphRecord, Recorder
from compiler.engine.torch_internals.aot_autograd.backend_graphs import (
    input_indices,
    joint_role,
    partitioning,
)
from compiler.engine.torch_internals.aot_autograd.missing_marks import add_missing_marks
from compiler.engine.torch_internals.patch.patching import around

GIVES = "joint, forward and backward graphs of other backends"
NEEDS = ("torch._dynamo.backends.common:aot_module_simplified",)

_COMPILERS = ("fw_compiler", "bw_compiler", "inference_compiler")
_INDUCTOR = "torch._inductor"


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Record the joint graph when it is partitioned, and each graph as the backend receives it."""

    def trace_and_compile(module: Any, inputs: Any, *, original: Any, **kwargs: Any) -> Any:
        dynamo_graph = recorder.dynamo_graph
        made_by = (kwargs.get(name) for name in (*_COMPILERS, "partition_fn"))
        if dynamo_graph is None or any(map(_is_inductors, made_by)):
            return original(module, inputs, **kwargs)  # Inductor's own functions are listened to
        dynamo_graph.other_backend = True
        for name in _COMPILERS:
            if callable(kwargs.get(name)):
                part = name.partition("_")[0]
                kwargs[name] = _recorded(recorder, dynamo_graph, part, kwargs[name])
        partition = kwargs.get("partition_fn") or default_partition
        kwargs["partition_fn"] = functools.partial(partitioning(recorder), original=partition)
        return original(module, inputs, **kwargs)

    with around(NEEDS[0], trace_and_compile):
        yield


def _recorded(
    recorder: Recorder, dynamo_graph: DynamoGraphRecord, part: str, compiler: Callable[..., Any]
) -> Callable[..., Any]:
    """A compiler of one graph, which may be called long after the forward was compiled."""
    name = {"fw": "forward", "bw": "backward"}.get(part, part)
    # AOTAutograd keeps the function as long as what it compiled, and torch's own references there are not all seen by
    # Python's collector: a recorder that is held here would never be let go of
    listening, recorded = weakref.ref(recorder), weakref.ref(dynamo_graph)

    def compile_and_record(module: Any, *args: Any, **kwargs: Any) -> Any:
        recorder, dynamo_graph = listening(), recorded()
        if recorder is None or dynamo_graph is None:
            return compiler(module, *args, **kwargs)
        with recorder.reading(f"the {name} graph"):
            add_missing_marks(module.graph, dynamo_graph)
            graph = InductorGraphRecord(name, read_graph(module.graph, joint_role), time.perf_counter())
            graph.aot_bodies = read_bodies(module)
            dynamo_graph.inputs = dynamo_graph.inputs or input_indices(module.graph)
            dynamo_graph.inductor_graphs.append(graph)
        started = time.perf_counter()
        result = compiler(module, *args, **kwargs)
        if dynamo_graph.inductor_graphs:
            dynamo_graph.inductor_graphs[-1].seconds["whole"] = time.perf_counter() - started
        if (
            recorder.dynamo_graph is None
        ):  # the program asked for gradients, and its forward was reported long ago
            dynamo_graph.inductor_graphs[-1].lazily = True
            recorder.settled()
        return result

    # AOTAutograd asks for such notes on the function
    return (
        functools.update_wrapper(compile_and_record, compiler)
        if hasattr(compiler, "__dict__")
        else compile_and_record
    )


def _is_inductors(function: Any) -> bool:
    """Whether Inductor made a compiler or a partitioner, however it is wrapped."""
    for _ in range(8):
        if type(function).__module__.startswith(_INDUCTOR) or str(
            getattr(function, "__module__", "")
        ).startswith(_INDUCTOR):
            return True
        inner = getattr(function, "func", None) or getattr(function, "compiler_fn", None)
        cells = getattr(function, "__closure__", None) or ()
        if inner is None:
            inner = next((cell.cell_contents for cell in cells if callable(_contents(cell))), None)
        if inner is None or inner is function:
            return False
        function = inner
    return False


def _contents(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not filled yet
        return None
