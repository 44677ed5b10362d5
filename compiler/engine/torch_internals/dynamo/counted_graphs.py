"""Wrapper of a Dynamo backend: how many graphs it is given, and how many operations are in them."""

from collections.abc import Callable
from typing import Any

import torch
from torch._dynamo.backends.registry import lookup_backend

from compiler.engine.torch_internals.patch.compile_settings import inductor_settings
from compiler.model.capture.capture_spec import CompileOptions

GIVES = "graphs and operations of torch.compile, counted without the rest of the pipeline"
NEEDS = ("torch._dynamo.backends.registry:lookup_backend",)


def counting_backend(options: CompileOptions, counts: list[int]) -> Callable[..., Any]:
    """The backend that the options name, which notes the number of operations of each graph it is given in `counts`."""
    compile_graph = lookup_backend(options.backend)
    more: dict[str, Any] = {}
    if options.backend == "inductor":
        patches = inductor_settings(options)
        more = {"config_patches": patches} if patches else {}

    def counted(module: torch.fx.GraphModule, inputs: list[Any]) -> Any:
        calls = ("call_function", "call_method", "call_module")
        counts.append(sum(node.op in calls for node in module.graph.nodes))
        return compile_graph(module, inputs, **more)

    return counted
