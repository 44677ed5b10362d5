"""What an edit may let a node call. An edit list is data: it names tensor operations, never any function of the process.

Judged by the object and not by its spelling, since `torch.os.system` is spelled like an operation of torch's.
"""

import functools
import math
import operator
import sys
import types
from typing import Any

import torch
from torch.overrides import get_overridable_functions

from compiler.engine.fx.graph_import import is_operator

_C = sys.modules["torch._C"]  # where torch keeps its built-in functions: looked up, never called
_BUILTIN_HOLDERS = tuple(
    getattr(_C, name) for name in ("_VariableFunctions", "_nn", "_linalg", "_fft", "_special", "_sparse")
)
_PACKET = type(torch.ops.aten.relu)
_REACHES_FILES = {"from_file"}
"""Maps a file into memory, and writes it where the tensor is written."""
_TAKES_FUNCTIONS = {"apply_", "map_", "map2_", "register_hook", "register_post_accumulate_grad_hook"}
_MAKES_FUNCTIONS = {"attrgetter", "itemgetter", "methodcaller", "call"}
_HELPERS = {"boolean_dispatch", "handle_torch_function", "assert_int_or_pair"}
_CHECKS = ("sym_", "_check", "_assert")


def may_be_called(found: Any) -> bool:
    """Whether a function is an operation on tensors or numbers: torch's, a registered operator, `operator`, `math`."""
    name = str(getattr(found, "__name__", ""))
    if _is_operator(found):
        return not _REACHES_FILES & set(str(found).split("."))
    if name in _REACHES_FILES | _TAKES_FUNCTIONS:
        return False
    return (
        getattr(math, name, None) is found
        or (getattr(operator, name, None) is found and name not in _MAKES_FUNCTIONS)
        or any(getattr(holder, name, None) is found for holder in _BUILTIN_HOLDERS)
        or _is_functional(found, name)
        or (name.startswith(_CHECKS) and getattr(torch, name, None) is found)
        or (id(found) in _overridable() and is_method(name))
    )


def is_method(name: str) -> bool:
    """Whether a method of tensors of that name computes: no hooks, no pickling, nothing that is given a function."""
    if name in _TAKES_FUNCTIONS or not hasattr(torch.Tensor, name):
        return False
    if not name.startswith("_"):
        return True
    plain = name.strip("_")
    return (
        hasattr(operator, plain)
        or hasattr(operator, f"{plain}_")
        or (plain[:1] in "ri" and hasattr(operator, plain[1:]))
    )


def is_passed_through(found: Any) -> bool:
    """Whether names are looked up inside: a module or namespace of torch's that is where its name says, or `Tensor`."""
    if found is torch.Tensor or isinstance(found, _PACKET):
        return True
    if not isinstance(found, types.ModuleType):
        return False
    name = found.__name__
    return (
        name in ("math", "_operator", "operator")
        or name == "torch"
        or name.startswith(("torch.", "torch_ops"))
    )


def _is_operator(found: Any) -> bool:
    """An operator of the dispatcher, an overload of one, or one that takes graphs."""
    return isinstance(found, _PACKET) or is_operator(found) or is_higher_order(found)


def is_higher_order(found: Any) -> bool:
    """Whether it is an operator that takes graphs."""
    return any(kind.__name__ == "HigherOrderOperator" for kind in type(found).__mro__)


def _is_functional(found: Any, name: str) -> bool:
    if name in _HELPERS or name.startswith("has_torch_function"):
        return False
    held = getattr(torch.nn.functional, name, None) is found or getattr(torch.functional, name, None) is found
    home = str(getattr(found, "__module__", ""))
    return (
        held
        and isinstance(found, types.FunctionType)
        and home.startswith("torch.")
        and not name.startswith("_")
    )


@functools.cache
def _overridable() -> frozenset[int]:
    return frozenset(id(function) for found in get_overridable_functions().values() for function in found)
