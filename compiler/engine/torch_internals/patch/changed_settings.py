"""Torch's switches and sets of functions as a trial wants them, put back after."""

import contextlib
import importlib
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import torch._dynamo
from torch._dynamo import trace_rules

GIVES = "trying other settings"
NEEDS = (
    "torch._dynamo.config:patch",
    "torch._dynamo.config:reorderable_logging_functions",
    "torch._dynamo.trace_rules:_allowed_callable_ids",
    "torch._dynamo.trace_rules:_disallowed_callable_ids",
    "torch._dynamo:mark_dynamic",
)
MODULES = (
    "torch._dynamo.config",
    "torch._functorch.config",
    "torch._inductor.config",
    "torch.compiler.config",
    "torch.fx.experimental._config",
)
"""Whose switches may be set."""


def config_module(name: str) -> tuple[ModuleType, str]:
    """The module and the name in it of ``"torch._dynamo.config.capture_scalar_outputs"``. Raises KeyError."""
    module_name, _, key = name.rpartition(".")
    if module_name not in MODULES:
        raise KeyError(f"{name} is no setting of torch's; those of {', '.join(MODULES)} are")
    module = importlib.import_module(module_name)
    if not _deprecated(module, key) and not hasattr(module, key):
        raise KeyError(f"this torch has no {name}")
    return module, key


def can_be_set(name: str, value: object) -> bool:
    """Whether this torch has a switch, does not call it deprecated, and has another value for it."""
    try:
        module, key = config_module(name)
    except KeyError:
        return False
    return not _deprecated(module, key) and getattr(module, key) != value


def _deprecated(module: ModuleType, key: str) -> bool:
    """Reading it, or asking whether it is there, would warn."""
    return bool(getattr(getattr(module, "_config", {}).get(key), "deprecated", False))


@contextlib.contextmanager
def setting(name: str, value: object) -> Iterator[None]:
    """While this is entered, a switch has a value. Raises KeyError."""
    module, key = config_module(name)
    with module.patch({key: value}):
        yield


@contextlib.contextmanager
def added(name: str, function: Callable[..., Any]) -> Iterator[None]:
    """While this is entered, a set of functions has one more. Raises KeyError."""
    module, key = config_module(name)
    with module.patch({key: {*getattr(module, key), function}}):
        yield


@contextlib.contextmanager
def allowed_in_graph(function: Callable[..., Any]) -> Iterator[None]:
    """While this is entered, Dynamo puts calls of the function into the graph without looking into it."""
    key = id(function)
    known = key in trace_rules._allowed_callable_ids()
    torch.compiler.allow_in_graph(function)
    try:
        yield
    finally:
        if not known:
            trace_rules._allowed_callable_ids.remove(key)


def nonstrict_trace() -> Callable[..., Any]:
    """The decorator: public from torch 2.14 on, in ``torch._dynamo`` before. Raises KeyError where there is none."""
    found = getattr(torch.compiler, "nonstrict_trace", None) or getattr(
        torch._dynamo, "nonstrict_trace", None
    )
    if found is None:
        raise KeyError("this torch has no nonstrict_trace")
    return found


def mark_dynamic(tensor: torch.Tensor, dimension: int) -> None:
    """Torch's mark on a tensor: do not specialise this dimension, fail where something needs to."""
    torch._dynamo.mark_dynamic(tensor, dimension)
