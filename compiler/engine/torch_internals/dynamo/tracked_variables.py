"""Reader: what Dynamo knows of a value it tracks.

A value that Dynamo has not looked at yet is lazy: looking at it through its class or by an attribute would make Dynamo
look at it and guard on it. So only ``vars()`` is read here, and classes are reported by name.
"""

import functools
import sys
import types
from typing import Any

import torch

from compiler.engine.fx.graph_import import marks_of, read_value
from compiler.model.capture.counted import counted
from compiler.model.capture.frames import StackValue
from compiler.model.ir.tensor_types import TensorValue, describe

GIVES = "symbolic stacks, sizes of variables"
NEEDS = (
    "torch._dynamo.variables.base:VariableTracker",
    "torch._dynamo.variables.lazy:LazyVariableTracker",
)
_LONGEST = 60
_CALLABLE = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    type,
)


def on_stack(value: Any) -> StackValue:
    """A value on the symbolic stack; its node by our mark."""
    kind, value, facts = _looked_at(value)
    if facts is None:
        return StackValue(kind, _of_python(value))
    node = getattr(facts.get("proxy"), "node", None)
    return StackValue(kind, _cut(_text(kind, value, facts)), mark_of(node) if node is not None else "")


def size_of(value: Any) -> tuple[str, str]:
    """(``f32[32, s0]``, mark of its FX node) of a tensor or a symbolic number; two empty texts of anything else."""
    _kind, value, facts = _looked_at(value)
    if facts is None:
        return size_text(value), ""
    proxy = facts.get("proxy")
    if proxy is None:
        return "", ""
    return _of_proxy(proxy, facts), mark_of(proxy.node)


def mark_of(node: Any) -> str:
    """Our mark on a node, which it keeps when Dynamo renames it; its name where it has none."""
    marks = marks_of(node)
    return marks[0] if marks else str(node.name)


def callee_of(instruction: Any, stack: tuple[Any, ...]) -> Any:
    """The tracked value that an instruction is about to call, or None where it calls nothing."""
    name, count = instruction.opname, instruction.arg or 0
    if name in ("CALL", "PRECALL"):
        below = count + 2
    elif name == "CALL_KW":
        below = count + 3
    elif name == "CALL_FUNCTION_EX":
        below = 3 + (count & 1)
    elif name in ("CALL_FUNCTION", "CALL_METHOD"):
        below = count + 1
    else:
        return None
    if len(stack) < below:
        return stack[0] if len(stack) == below - 1 and stack else None
    first = stack[-below]
    return stack[-below + 1] if type(first).__name__ == "NullVariable" and below > 1 else first


def called_name(value: Any) -> str:
    """``time.sleep``, ``print``, ``Tensor.item``: the name of something that is called."""
    kind, value, facts = _looked_at(value)
    if facts is None:
        return _qualified(value)
    if "obj" in facts and "name" in facts:
        owner = _of_what(facts["obj"])
        return f"{owner}.{facts['name']}" if owner else str(facts["name"])
    found = _function_of(facts)
    return _qualified(found) if found is not None else _text(kind, value, facts)


def function_of(value: Any) -> Any:
    """The Python function or builtin behind a tracked value, or None."""
    _kind, value, facts = _looked_at(value)
    return value if facts is None else _function_of(facts)


def _looked_at(value: Any) -> tuple[str, Any, dict[str, Any] | None]:
    """(class, value, its fields); for a value that Dynamo has not looked at, the Python value and None."""
    kind = type(value).__name__
    if not _is_lazy(type(value)):
        return kind, value, vars(value)
    cache = vars(value)["_cache"]
    if cache.vt is not None:
        return _looked_at(cache.vt)
    return kind, cache.value, None


@functools.cache
def _is_lazy(kind: type) -> bool:
    return any(parent.__name__ == "LazyVariableTracker" for parent in kind.__mro__)


def _text(kind: str, value: Any, facts: dict[str, Any]) -> str:
    if kind == "NullVariable":
        return "NULL"
    if facts.get("proxy") is not None:
        return _of_proxy(facts["proxy"], facts)
    if "obj" in facts and "name" in facts:
        return called_name(value)
    function = _function_of(facts)
    if function is not None:
        return _qualified(function)
    if "items" in facts and isinstance(facts["items"], list | tuple | dict):
        return f"{counted(len(facts['items']), 'item')}"
    return _of_python(facts["value"]) if "value" in facts else ""


def _of_proxy(proxy: Any, facts: dict[str, Any]) -> str:
    return size_text(facts["sym_num"] if "sym_num" in facts else proxy.node.meta.get("example_value"))


def size_text(value: Any) -> str:
    """``f32[32, s0]`` of a tensor, ``int s0`` of a symbolic number, empty of anything else."""
    if isinstance(value, torch.SymInt | torch.SymFloat | torch.SymBool):
        return f"{type(value).__name__.removeprefix('Sym').lower()} {value}"
    if not isinstance(value, torch.Tensor):
        return ""
    if value.is_nested:
        return "nested tensor"  # it has no sizes of its own
    known = read_value(value)
    return describe(known) if isinstance(known, TensorValue) else ""


def _of_python(value: Any) -> str:
    """A Python value in few words. No code of the user's is run for it."""
    if isinstance(value, torch.Tensor):
        return size_text(value)
    if value is None or type(value) in (bool, int, float, complex, str, bytes):
        return _cut(repr(value))
    if isinstance(value, types.ModuleType):
        return str(value.__name__)
    if isinstance(value, _CALLABLE):
        return _qualified(value)
    if type(value) in (list, tuple, dict, set, frozenset):
        return f"{type(value).__name__} of {len(value)}"
    return type(value).__name__


def _function_of(facts: dict[str, Any]) -> Any:
    for name in ("fn", "value", "fn_cls"):
        if isinstance(facts.get(name), _CALLABLE):
            return facts[name]
    code = facts.get("code")
    return facts.get("fn_name") if code is not None and isinstance(facts.get("fn_name"), str) else None


def _qualified(function: Any) -> str:
    if not isinstance(function, _CALLABLE):
        return _of_python(function)
    name = str(getattr(function, "__qualname__", "") or getattr(function, "__name__", "")) or "?"
    module = getattr(function, "__module__", None)
    short = name.rpartition(".")[2]
    if getattr(sys.modules.get(str(module)), short, None) is function:
        name = short  # torch.equal is a method of a class that holds torch's functions
    return name if module in (None, "", "builtins", "torch._C") else f"{module}.{name}"


def _of_what(owner: Any) -> str:
    kind, value, facts = _looked_at(owner)
    if facts is None:
        return _of_python(value) if isinstance(value, types.ModuleType | type) else type(value).__name__
    if "Tensor" in kind or facts.get("proxy") is not None:
        return "Tensor"
    inner = facts.get("value")
    if isinstance(inner, types.ModuleType | type):
        return _of_python(inner)
    return type(inner).__name__ if inner is not None else ""


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
