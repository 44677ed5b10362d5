"""Torch's own switches that a capture needs, set while it runs and put back after."""

import contextlib
import inspect
import sys
import types
import unittest.mock
from collections.abc import Callable, Iterator
from typing import Any

import torch
import torch._dynamo
import torch._functorch.config
import torch._inductor.config
import torch._inductor.decomposition

from compiler.engine.torch_internals.patch import left_behind, sizes_seen
from compiler.engine.torch_internals.patch.graph_numbers import begin_at_none
from compiler.engine.torch_internals.patch.patching import around, find, is_there
from compiler.engine.torch_internals.patch.rare_collections import rare_collections

_ISOLATE = "isolate_recompiles"
_BACKENDS = ("_TorchCompileInductorWrapper", "_TorchCompileWrapper")
"""What a torch before 2.13, which cannot isolate, makes of the backend."""
_DONATED = "torch._functorch._aot_autograd.graph_compile:collect_bw_donated_buffer_idxs"
GIVES = "caches off while capturing"
NEEDS = (
    "torch._inductor.config:fx_graph_cache",
    "torch._inductor.decomposition:decompositions",
    "torch._functorch.config:enable_autograd_cache",
    "torch._functorch.config:force_non_lazy_backward_lowering",
    _DONATED,
)


@contextlib.contextmanager
def capturing() -> Iterator[None]:
    """Graph caches off, or whole stages would be skipped. What is compiled, and when, stays as it is.

    The cache of built C++ kernels stays on: the same kernel is never built twice.
    """
    with (
        torch._inductor.config.patch(fx_graph_cache=False),
        torch._functorch.config.patch(enable_autograd_cache=False),
    ):
        yield


@contextlib.contextmanager
def recompiling(backward: bool) -> Iterator[None]:
    """The same where a graph of ours is compiled, which no program runs yet: the backward, where there is to be one, at
    once, while all that it is to be compiled with is active.
    """
    lowering = torch._functorch.config.patch(force_non_lazy_backward_lowering=backward)
    with rare_collections(), capturing(), lowering:
        yield


@contextlib.contextmanager
def saving_at_most(budget: float) -> Iterator[None]:
    """While this is entered, the partitioner saves that share of what it would save (1: as torch has it). A mesh among the
    inputs of a graph holds nothing on the GPU, which torch 2.13 must be told.
    """
    if budget >= 1:
        yield
        return
    wanted: dict[str, object] = {"activation_memory_budget": budget}
    if hasattr(torch._functorch.config, _WITHOUT_SIZE):
        wanted[_WITHOUT_SIZE] = True
    with torch._functorch.config.patch(wanted):
        yield


@contextlib.contextmanager
def eager_random() -> Iterator[None]:
    """Compile random operations so that they draw the numbers that eager draws.

    Torch 2.11 takes rrelu apart even so, into a draw for every element, where eager draws for negative ones only, and moves
    draws past each other for locality and memory; so here it does neither. Caches know nothing of the table.
    """
    table: dict[object, Callable[..., object]] = torch._inductor.decomposition.decompositions
    operator = torch.ops.aten.rrelu_with_noise_functional.default
    previous = table.pop(operator, None)
    try:
        with contextlib.ExitStack() as stack:
            stack.enter_context(torch._inductor.config.patch(fallback_random=True))
            if previous is not None:
                stack.enter_context(capturing())
                stack.enter_context(
                    torch._inductor.config.patch(reorder_for_locality=False, reorder_for_peak_memory=False)
                )
            yield
    finally:
        if previous is not None:
            table[operator] = previous


@contextlib.contextmanager
def donating(allowed: bool) -> Iterator[None]:
    """Whether a backward may write into the memory of tensors that were saved for it: as torch has it, or never.

    Torch's own setting will not do: a backward compiled without asking what is donated is refused when it runs twice.
    """
    with contextlib.nullcontext() if allowed else around(_DONATED, lambda *args, **kwargs: []):
        yield


_WITHOUT_SIZE = "unsafe_treat_script_objects_as_zero_size"
_ALIAS = "__import_"
"""What Dynamo calls the modules that it puts among the globals of traced functions, those of torch's own functions too."""
_MODULES_BY_NAME = "torch._dynamo.symbolic_convert:_import_module"
"""A cache of modules by name that `reset` leaves alone. A program's own modules are loaded again for every capture, and
Dynamo would go on tracing the old ones: with their old values, and guards that fail at once."""


class OwnBackend:
    """A backend that is equal to itself alone. Torch runs what was compiled for a function where the backends are equal, and
    two of its own that were made alike are.
    """

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__


@contextlib.contextmanager
def isolated() -> Iterator[dict[str, Any]]:
    """While torch.compile is called, with what this yields among its arguments: what it compiles stays its own. Without, all
    calls for one function share one cache, and the code of a library, which is not loaded again, would run what another
    capture was compiled to, whatever else was asked for.
    """
    # A program may put another in its place, which need not take what it wraps takes.
    taken = inspect.signature(torch.compile, follow_wrapped=False).parameters
    if _ISOLATE in taken:
        yield {_ISOLATE: True}
        return
    with contextlib.ExitStack() as stack:
        for name in _BACKENDS:
            made = getattr(torch, name, None)
            if isinstance(made, type):
                own = type(made.__name__, (OwnBackend, made), {})
                stack.enter_context(unittest.mock.patch.object(torch, name, own))
        yield {}


def forget_compiled_code() -> None:
    """Drop everything Dynamo compiled, so that a capture begins cold."""
    torch._dynamo.reset()
    sizes_seen.forget_all()
    begin_at_none()
    left_behind.let_go()
    if is_there(_MODULES_BY_NAME):
        owner, name = find(_MODULES_BY_NAME)
        clear = getattr(getattr(owner, name), "cache_clear", None)
        if clear is not None:
            clear()
    for name, module in sys.modules.copy().items():
        scope = getattr(module, "__dict__", None)
        if scope and _looked_through.get(name) != _state(scope):
            _drop_aliases(scope)
            _looked_through[name] = _state(scope)


_looked_through: dict[str, tuple[int, int, str]] = {}
"""By the name of a module, what it was when it had no alias: there are 200,000 names, and nearly all stay as they are."""


def _state(scope: dict[str, object]) -> tuple[int, int, str]:
    return id(scope), len(scope), next(reversed(scope), "")


def _drop_aliases(scope: dict[str, object]) -> None:
    """Torch refuses a name for a module that is loaded again since."""
    for name in [name for name in scope if name.startswith(_ALIAS)]:
        if isinstance(scope[name], types.ModuleType):
            del scope[name]
