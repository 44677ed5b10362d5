"""Hook: CUDA graphs as torch records them, and why it skips them."""

import contextlib
import time
from collections.abc import Iterator
from typing import Any

import torch.fx
from torch.utils import _pytree as pytree

from compiler.engine.records.recorder import Recorder
from compiler.engine.torch_internals.patch.patching import around, around_each
from compiler.model.capture.gpu_autotuning import CudaGraphNote

GIVES = "CUDA graphs, recorded or skipped"
NEEDS = (
    "torch._inductor.cudagraph_trees:CUDAGraphNode.__init__",
    "torch._inductor.output_code:log_cudagraph_skip_and_bump_counter",
)
_SKIPS = (
    NEEDS[1],
    "torch._inductor.cudagraph_trees:log_cudagraph_skip_and_bump_counter",
    "torch._inductor.compile_fx:log_cudagraph_skip_and_bump_counter",
)
_UNSAID = "skipping cudagraphs due to "


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Note graphs that are made while the program is compiled."""
    with watching(recorder.cuda_graphs):
        yield


@contextlib.contextmanager
def watching(notes: list[CudaGraphNote]) -> Iterator[None]:
    """While this is entered, append what becomes of CUDA graphs."""

    def recorded(node: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        began = time.perf_counter()
        original(node, *args, **kwargs)
        with contextlib.suppress(Exception):  # reading it must not stop the program
            reported = {str(type(value).__name__): value for value in (*args, *kwargs.values())}
            mode, compile_id = reported.get("CompilationMode"), reported.get("CompileId")
            part = str(mode.name).lower() if mode is not None else ""
            spent = time.perf_counter() - began
            notes.append(CudaGraphNote(part, str(compile_id or ""), True, seconds=spent))

    def skipped(message: str, *args: Any, original: Any, **kwargs: Any) -> Any:
        reason = str(message).strip().split("\n")[0].removeprefix(_UNSAID)
        notes.append(CudaGraphNote("", "", False, reason))
        return original(message, *args, **kwargs)

    with around(NEEDS[0], recorded), around_each(_SKIPS, skipped):
        yield


def replays_cuda_graph(module: torch.fx.GraphModule, settings: dict[str, Any]) -> bool:
    """Whether torch may replay what Dynamo's graph is compiled to; where no tensor of it lies on a GPU, it cannot.

    settings: Inductor's options that torch.compile was given.
    """
    if not settings.get("triton.cudagraphs", torch._inductor.config.triton.cudagraphs):
        return False
    values = pytree.tree_leaves([node.meta.get("example_value") for node in module.graph.nodes])
    return any(isinstance(value, torch.Tensor) and value.device.type == "cuda" for value in values)
