"""The backend that a person chose, counting the calls of what it compiles: whether compiled code ran is then known."""

from collections.abc import Callable
from typing import Any, cast

import torch
import torch._dynamo

from compiler.model.capture.capture_spec import CompileOptions

GIVES = "whether compiled code ran"
NEEDS = ("torch:_TorchCompileInductorWrapper", "torch._dynamo:lookup_backend")


def counting_backend(options: CompileOptions, ran: list[int]) -> Callable[..., Any]:
    """To hand to ``torch.compile(backend=...)``; each call of a compiled graph appends to `ran`."""
    given = cast("dict[str, Any]", dict(options.options)) or None
    if options.backend == "inductor":
        inner: Any = torch._TorchCompileInductorWrapper(options.mode, given, options.dynamic)
    else:
        inner = torch._dynamo.lookup_backend(options.backend)

    def compile_graph(module: Any, inputs: Any) -> Any:
        compiled = inner(module, inputs)

        def call(*args: Any) -> Any:
            ran.append(1)
            return compiled(*args)

        return call

    return compile_graph
