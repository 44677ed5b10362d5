"""The backend that a Dynamo graph is handed on to, made as ``torch.compile`` would make it."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch._dynamo.backends.registry import lookup_backend

GIVES = 'torch.compile(…, backend="loupe")'
NEEDS = (
    "torch:_TorchCompileInductorWrapper",
    "torch._dynamo.backends.registry:lookup_backend",
)


def compile_with(
    name: str, module: Any, inputs: Any, mode: str | None, options: Mapping[str, Any]
) -> Callable[..., Any]:
    """What that backend makes of a graph. Raises what it raises, and torch's error for a name that it does not know."""
    if name == "inductor":
        made = torch._TorchCompileInductorWrapper(mode, dict(options), None)
        compiled: Callable[..., Any] = made(module, inputs)
        return compiled
    keywords: dict[str, Any] = {"mode": mode} if mode and mode != "default" else {}
    if options:
        keywords["options"] = dict(options)
    return lookup_backend(name)(module, inputs, **keywords)
