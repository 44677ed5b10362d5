"""Captures without building kernels: everything the compiler writes is the same, what runs is nothing."""

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import torch
from torch._inductor.async_compile import AsyncCompile

from compiler.engine.capture.capture import make_capture
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec


def _nothing(*args: Any) -> None:
    """In the place of a kernel."""


def _zeros(size: Any, stride: Any, dtype: torch.dtype) -> torch.Tensor:
    """Buffers are zero, so that a branch on a value goes the same way every time."""
    return torch.empty_strided(size, stride, dtype=dtype).zero_()


@contextlib.contextmanager
def nothing_built() -> Iterator[None]:
    """C++ kernels are written but not built."""
    with (
        patch.object(AsyncCompile, "cpp_pybinding", lambda *args: _nothing),
        patch.object(torch._C._dynamo.guards, "_empty_strided_cpu", _zeros),
    ):
        yield


def quick_capture(folder: Path, target: str, training: bool) -> Capture:
    """A capture whose kernels do nothing. Raises EngineError."""
    spec = CaptureSpec(
        TargetSpec(target, str(folder)), CompileOptions(), RunOptions(training=training, gradients=training)
    )
    with nothing_built():
        found = make_capture(spec, "capture-1", lambda text: None).capture
    sys.modules.pop(target.partition(".py:")[0], None)
    return found
