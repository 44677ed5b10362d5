"""Hook: what AOTAutograd's tracing gave beside the joint graph, kept so that an edited joint graph can be partitioned and
compiled without tracing again. What follows writes into these notes, so copies are kept and copies are handed out.
"""

import contextlib
import copy
import dataclasses
from collections.abc import Iterator
from typing import Any

from compiler.engine.records.recorder import Recorder
from compiler.engine.torch_internals.patch.cloning import clone_module
from compiler.engine.torch_internals.patch.patching import around

GIVES = "recompiling from the joint graph"
NEEDS = (
    "torch._functorch.aot_autograd:aot_stage1_graph_capture",
    "torch._functorch.aot_autograd:run_functionalized_fw_and_collect_metadata",
    "torch._functorch._aot_autograd.graph_compile:run_joint_graph_passes_on_hops",
    "torch._inductor.compile_fx:compile_fx",
)


@dataclasses.dataclass
class TracingResults:
    """What the partition and all after it need to know of the traced function."""

    collected: Any
    """What the function does to its inputs and gives back, as first found out."""
    metadata: Any
    """The same after tracing."""
    flat_args: list[Any]
    descriptions: Any
    capture: Any
    """Torch's AOTGraphCapture, its graph not to be used."""


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Keep the results of tracing; where a joint graph is compiled again, hand them out instead of tracing. A pattern of Inductor that
    matches is traced in between (attention written by hand): a tracing after the first of a graph is none of its own.
    """
    collected: list[Any] = []
    traced: list[Any] = []

    def current() -> Any:
        """The Dynamo graph that is to be traced next; None where it has been."""
        live = recorder.live
        dynamo_graph = live.current_dynamo_graph if live is not None else None
        return None if any(item is dynamo_graph for item in traced) else dynamo_graph

    def capture(state: Any, flat_fn: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        live, dynamo_graph = recorder.live, current()
        if live is None or dynamo_graph is None:
            return original(state, flat_fn, *args, **kwargs)
        traced.append(dynamo_graph)
        if live.start == "joint" and dynamo_graph.traced is not None:
            return _handed_out(dynamo_graph.traced, state, dynamo_graph.sources["joint"])
        result = original(state, flat_fn, *args, **kwargs)
        if state.needs_autograd and result.maybe_subclass_meta is None and collected:
            dynamo_graph.traced = TracingResults(
                collected[-1],
                _copied(state.fw_metadata),
                list(state.flat_args),
                state.flat_args_descs,
                _copied_capture(result, None),
            )
        return result

    def collect(*args: Any, original: Any, **kwargs: Any) -> Any:
        live, dynamo_graph = recorder.live, current()
        if live is None or dynamo_graph is None:
            return original(*args, **kwargs)
        if live.start == "joint" and dynamo_graph.traced is not None:
            return lambda *_: _copied(dynamo_graph.traced.collected)
        run = original(*args, **kwargs)

        def run_and_keep(*inputs: Any) -> Any:
            found = run(*inputs)
            collected.append(_copied(found))
            return found

        return run_and_keep

    def graphs_inside(module: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        again = recorder.live is not None and recorder.live.start == "joint"
        return module if again else original(module, *args, **kwargs)

    def with_options(*args: Any, original: Any, **kwargs: Any) -> Any:
        live = recorder.live
        if live is not None and live.current_dynamo_graph is not None and kwargs.get("config_patches"):
            live.current_dynamo_graph.settings = dict(kwargs["config_patches"])
        return original(*args, **kwargs)

    with (
        around(NEEDS[0], capture),
        around(NEEDS[1], collect),
        around(NEEDS[2], graphs_inside),
        around(NEEDS[3], with_options),
    ):
        yield


def _handed_out(kept: TracingResults, state: Any, joint: Any) -> Any:
    state.flat_args, state.flat_args_descs = list(kept.flat_args), kept.descriptions
    state.fw_metadata = _copied(kept.metadata)
    return _copied_capture(kept.capture, clone_module(joint))


def _copied_capture(capture: Any, module: Any) -> Any:
    args = capture.updated_flat_args
    return dataclasses.replace(
        capture,
        graph_module=module,
        wrappers=[copy.copy(wrapper) for wrapper in capture.wrappers],
        updated_flat_args=tuple(map(list, args)) if isinstance(args, tuple) else list(args),
    )


def _copied(notes: Any) -> Any:
    """A copy whose lists can be written into. What is in them is replaced, never changed, outside tensor subclasses."""
    copied = copy.copy(notes)
    for name, value in vars(notes).items():
        if isinstance(value, list | dict | set):
            setattr(copied, name, copy.copy(value))
    return copied
