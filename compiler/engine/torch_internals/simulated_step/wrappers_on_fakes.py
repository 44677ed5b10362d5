"""Lets the wrappers that Inductor wrote run on fake tensors: what they call of C++ is answered in Python, library kernels with an
``out`` do nothing. For good.

GIVES: compiled programs that run without their device; which line of which wrapper is running.
NEEDS: ``GraphLowering._compile_to_module_lines``, ``output_code.align_inputs_from_check_idxs``; that a wrapper's module has
``empty_strided_DEVICE``, ``reinterpret_tensor``, ``extern_kernels`` and ``call`` among its globals.
"""

import dataclasses
import sys
import types
from collections.abc import Callable
from typing import Any

import torch
from torch._inductor import output_code
from torch._inductor.graph import GraphLowering

GIVES = "the step of a program that cannot run here"
NEEDS = (
    "torch._inductor.graph:GraphLowering._compile_to_module_lines",
    "torch._inductor.output_code:align_inputs_from_check_idxs",
)
_ALLOCATES = "empty_strided_"


@dataclasses.dataclass
class Wrappers:
    """The wrappers of this process, and which runs now."""

    calls: dict[str, int] = dataclasses.field(default_factory=dict)
    """How often each was called since `calls` was emptied, by the path of its module."""
    running: tuple[str, int] | None = None
    """(path, how often it was called before)."""
    launched: Callable[..., None] = lambda name, given=(): None
    """Told of each kernel of a library that is called with an ``out``, and what it is given."""

    def line(self) -> int:
        """The line of the running wrapper, from 1; 0 where none runs."""
        frame: types.FrameType | None = sys._getframe(1)
        path = self.running[0] if self.running is not None else ""
        while frame is not None and path:
            if frame.f_code.co_filename == path:
                return frame.f_lineno
            frame = frame.f_back
        return 0


_installed: list[Wrappers] = []


def install() -> Wrappers:
    """From now on every wrapper that is loaded runs on fakes. A process has one `Wrappers`, since a wrapper is adapted once."""
    if not _installed:
        _installed.append(Wrappers())
        _install(_installed[0])
    return _installed[0]


def _install(wrappers: Wrappers) -> None:
    load = GraphLowering._compile_to_module_lines

    def loaded(graph: Any, *args: Any, **kwargs: Any) -> Any:
        module = load(graph, *args, **kwargs)
        _adapt(module, wrappers)
        return module

    lowering: Any = GraphLowering
    lowering._compile_to_module_lines = loaded
    output_code.align_inputs_from_check_idxs = lambda model, *_args, **_kwargs: (
        model
    )  # there is no address to look at


def _adapt(module: types.ModuleType, wrappers: Wrappers) -> None:
    names = vars(module)
    if "_loupe_on_fakes" in names:
        return
    names["_loupe_on_fakes"] = True
    for name in [name for name in names if name.startswith(_ALLOCATES)]:
        names[name] = _allocating(name.removeprefix(_ALLOCATES).partition("_")[0])
    if "reinterpret_tensor" in names:
        names["reinterpret_tensor"] = _reinterpreted
    if "extern_kernels" in names:
        names["extern_kernels"] = _Library(names["extern_kernels"], wrappers)
    path, call = str(module.__file__), names.get("call")
    if callable(call):
        names["call"] = _counted(call, path, wrappers)


def _counted(call: Callable[..., Any], path: str, wrappers: Wrappers) -> Callable[..., Any]:
    def counted(*args: Any, **kwargs: Any) -> Any:
        before = wrappers.running
        count = wrappers.calls.get(path, 0)
        wrappers.calls[path] = count + 1
        wrappers.running = path, count
        try:
            return call(*args, **kwargs)
        finally:
            wrappers.running = before

    return counted


def _allocating(device: str) -> Callable[..., torch.Tensor]:
    def allocate(size: Any, stride: Any, dtype: torch.dtype) -> torch.Tensor:
        return torch.empty_strided(size, stride, dtype=dtype, device="cpu" if device != "cuda" else device)

    return allocate


def _reinterpreted(tensor: torch.Tensor, size: Any, stride: Any, offset: int = 0) -> torch.Tensor:
    return torch.as_strided(tensor, size, stride, tensor.storage_offset() + offset)


class _Library:
    """Stands for ``extern_kernels``: what writes into an ``out`` is launched, all else is torch's own."""

    def __init__(self, kernels: Any, wrappers: Wrappers) -> None:
        self._kernels, self._wrappers = kernels, wrappers

    def __getattr__(self, name: str) -> Any:
        kernel = getattr(self._kernels, name)
        if not callable(kernel):
            return kernel

        def call(*args: Any, **kwargs: Any) -> Any:
            if (out := kwargs.get("out")) is None:
                return kernel(*args, **kwargs)
            self._wrappers.launched(name, (*args, out))
            return out

        return call
