"""Hook: the lines of a Triton kernel, before they are moved from the buffers they were written into to its body.

A C++ kernel's buffers are full when it gets its name; a Triton kernel's are emptied loop by loop.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

from compiler.engine.records.recorder import Recorder
from compiler.engine.torch_internals.inductor.loop_origins import read_block
from compiler.engine.torch_internals.patch.patching import around

GIVES = "FX node → line of a Triton kernel"
NEEDS = ("torch._inductor.codegen.triton:TritonKernel.codegen_body",)
_KEPT = "body"
"""The one buffer that is never emptied."""


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Keep what was written with the unit until the kernel has a name."""

    def moved(kernel: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        inductor_graph = recorder.inductor_graph
        if inductor_graph is not None:
            with recorder.reading("the lines of a Triton kernel"):
                own = {id(value) for name, value in vars(kernel).items() if name != _KEPT}
                for key in [key for key in inductor_graph.written if key in own]:
                    inductor_graph.written_runs += read_block(inductor_graph.written.pop(key))
        return original(kernel, *args, **kwargs)

    with around(NEEDS[0], moved):
        yield
