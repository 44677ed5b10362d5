"""Dynamo inside of DistributedDataParallel. For good, where tensors are fakes.

Dynamo reads a frame without the modes that are entered, but one that DDP calls it reads with them: a tensor of a graph before it
then becomes one of the entered mode of fakes, not of Dynamo's, and the frame fails.

Torch compiles each part of such a graph while a flag says that its first call gives fakes, and takes the flag back when a local
of that frame dies. Where a traceback holds the frame (Inductor's pattern matcher leaves some) that is whenever the collector
comes: in the midst of another part, which then runs on fakes and fails.

DDP's logger wants timers of a GPU. It is a method of C++ that Dynamo breaks a graph at, and has to be one.

GIVES: programs in DistributedDataParallel that are compiled in several graphs, and break where they do with values.
NEEDS: ``torch._dynamo.convert_frame.CatchErrorsWrapper``, ``torch.utils._python_dispatch._disable_current_modes``,
``torch.distributed.Logger.set_runtime_stats_and_log``, ``torch._dynamo.backends.distributed.SubmodCompiler.run_node``,
``torch._guards.TracingContext.fakify_first_call``.
"""

import ctypes
from collections.abc import Callable
from typing import Any

import torch
from torch._dynamo.backends.distributed import SubmodCompiler
from torch._dynamo.convert_frame import CatchErrorsWrapper
from torch._guards import TracingContext
from torch.utils._python_dispatch import _disable_current_modes

GIVES = "programs in DistributedDataParallel that are compiled in several graphs, without a GPU"
NEEDS = (
    "torch._dynamo.convert_frame:CatchErrorsWrapper.__call__",
    "torch.utils._python_dispatch:_disable_current_modes",
    "torch.distributed:Logger.set_runtime_stats_and_log",
    "torch._dynamo.backends.distributed:SubmodCompiler.run_node",
    "torch._guards:TracingContext",
)
_SLOT: Any = CatchErrorsWrapper


def install() -> None:
    """Read these frames as all others are read."""
    original = _SLOT.__call__
    if getattr(original, "_reads_without_modes", False):
        return

    def called(wrapper: CatchErrorsWrapper, *args: Any, **keywords: Any) -> Any:
        with _disable_current_modes():
            return original(wrapper, *args, **keywords)

    called._reads_without_modes = True
    _SLOT.__call__ = called
    parts: Any = SubmodCompiler
    parts.run_node = giving_fakes(parts.run_node)
    distributed: Any = torch.distributed
    distributed.Logger.set_runtime_stats_and_log = _method_of_c(id)


class _FlagOfPart:
    """``TracingContext.fakify_first_call``: what is set back within a part is an older part's guard that dies late."""

    def __get__(self, tracing: Any, _owner: type) -> bool:
        return tracing is not None and tracing.__dict__.get("_gives_fakes", False)

    def __set__(self, tracing: Any, value: bool) -> None:
        if value or not tracing.__dict__.get("_in_part"):
            tracing._gives_fakes = value


def giving_fakes(run_node: Callable[..., Any]) -> Callable[..., Any]:
    """Torch's step of one part, by whose end the flag is taken back, and not before."""
    tracing_context: Any = TracingContext
    tracing_context.fakify_first_call = _FlagOfPart()

    def called(*args: Any, **keywords: Any) -> Any:
        tracing: Any = TracingContext.try_get()
        if tracing is None:
            return run_node(*args, **keywords)
        tracing._in_part = True
        try:
            return run_node(*args, **keywords)
        finally:
            tracing._in_part = tracing._gives_fakes = False

    return called


def _method_of_c(function: Any) -> Any:
    """A function of C as the method that pybind makes of one."""
    make = ctypes.pythonapi.PyInstanceMethod_New
    make.argtypes, make.restype = [ctypes.py_object], ctypes.py_object
    return make(function)
