"""Dynamo inside of DistributedDataParallel. For good, where tensors are fakes.

Dynamo reads a frame without the modes that are entered, but one that DDP calls it reads with them: a tensor of a graph before it
then becomes one of the entered mode of fakes, not of Dynamo's, and the frame fails.

DDP's logger wants timers of a GPU. It is a method of C++ that Dynamo breaks a graph at, and has to be one.

GIVES: programs in DistributedDataParallel that are compiled in several graphs, and break where they do with values.
NEEDS: ``torch._dynamo.convert_frame.CatchErrorsWrapper``, ``torch.utils._python_dispatch._disable_current_modes``,
``torch.distributed.Logger.set_runtime_stats_and_log``.
"""

import ctypes
from typing import Any

import torch
from torch._dynamo.convert_frame import CatchErrorsWrapper
from torch.utils._python_dispatch import _disable_current_modes

GIVES = "programs in DistributedDataParallel that are compiled in several graphs, without a GPU"
NEEDS = (
    "torch._dynamo.convert_frame:CatchErrorsWrapper.__call__",
    "torch.utils._python_dispatch:_disable_current_modes",
    "torch.distributed:Logger.set_runtime_stats_and_log",
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
    distributed: Any = torch.distributed
    distributed.Logger.set_runtime_stats_and_log = _method_of_c(id)


def _method_of_c(function: Any) -> Any:
    """A function of C as the method that pybind makes of one."""
    make = ctypes.pythonapi.PyInstanceMethod_New
    make.argtypes, make.restype = [ctypes.py_object], ctypes.py_object
    return make(function)
