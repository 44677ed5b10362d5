"""What AOTAutograd and Inductor had around the compile of one graph, for compiling it by itself."""

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import Any

import torch
import torch._inductor.config
from torch._dispatch.python import enable_python_dispatcher
from torch._inductor import compile_fx
from torch._inductor.virtualized import V

GIVES = "recompiling a forward or a backward by itself"
NEEDS = (
    "torch._inductor.compile_fx:compile_fx_forward",
    "torch._inductor.compile_fx:compile_fx_backward",
    "torch._inductor.config:patch",
    "torch._dispatch.python:enable_python_dispatcher",
    "torch._inductor.virtualized:V.set_fake_mode",
)


@contextlib.contextmanager
def compiling_inductor_graph(
    part: str, tracing: Any, name: Any, metadata: Any, settings: dict[str, Any], fake_mode: Any
) -> Iterator[None]:
    """Around the compile of one graph of a Dynamo graph: what torch calls it (`name`), the user's options
    (`settings`), torch's notes on the graph's inputs and outputs (`metadata`), and the fake tensors of its tracing.
    """
    known = getattr(tracing, "fw_metadata", None)
    with contextlib.ExitStack() as stack:
        stack.enter_context(torch._inductor.config.patch(settings))
        if tracing is not None:
            stack.callback(setattr, tracing, "fw_metadata", known)
            tracing.fw_metadata = metadata
            stack.callback(setattr, tracing, "aot_graph_name", getattr(tracing, "aot_graph_name", None))
            tracing.aot_graph_name = name
        if part != "inference":
            stack.enter_context(torch.no_grad())
        stack.enter_context(torch._C._DisableAutocast())
        if fake_mode is not None:
            stack.enter_context(V.set_fake_mode(fake_mode))
            stack.enter_context(fake_mode)
            if fake_mode.shape_env is not None:
                stack.enter_context(enable_python_dispatcher())
        yield


def without_options(compile_: Callable[..., Any]) -> Callable[..., Any]:
    """Inductor's compile of a graph without the user's options, which torch puts around it as a context;
    `compiling_inductor_graph` has them too, and there they can be others.
    """
    given = (
        compile_ if isinstance(compile_, functools.partial) else functools.partial(compile_)
    )  # bare in 2.11
    inner = given.func
    while getattr(getattr(inner, "__code__", None), "co_filename", "") == contextlib.__file__:
        inner = inner.__wrapped__
    return functools.partial(inner, *given.args, **given.keywords)


def begin_again(
    part: str, module: torch.fx.GraphModule, arguments: tuple[Any, ...], keywords: dict[str, Any]
) -> Any:
    """Hand a graph to Inductor as AOTAutograd does. Gives torch's CompiledFxGraph."""
    begin = compile_fx.compile_fx_backward if part == "backward" else compile_fx.compile_fx_forward
    return begin(module, *arguments, **keywords)
