"""What Dynamo and Inductor took from ``torch.cuda`` while they were loaded, where that was before a GPU is pretended: they keep the
functions of a machine without one. For good.

GIVES: a process that was forked with Dynamo loaded compiles as one in which a GPU was pretended first. A test compares the
modules of two such processes, attribute by attribute.
NEEDS: Dynamo's table of functions, and from where it is read.
"""

import functools
import sys
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

GIVES = "captures for a GPU that is not here, in a process that was forked with Dynamo loaded"
NEEDS = (
    "torch._dynamo.trace_rules:get_torch_obj_rule_map",
    "torch._dynamo.trace_rules:load_object",
    "torch._dynamo.trace_rules:torch_name_rule_map",
)
_READERS = ("torch._dynamo", "torch._inductor")
"""Packages that ``import torch`` does not load; all the others bind before a GPU is pretended, whoever pretends."""


learned: list[Callable[[], None]] = []
"""What makes this process forget that it learned something for the processor alone."""


@dataclass(frozen=True)
class Replaced:
    """A function of torch's that another one stands for."""

    name: str
    old: object
    """None where there was none."""
    new: object


_SHARED = (type(None), bool, tuple)
"""Types of which one object stands for all that are equal."""
_Changes = dict[int, object]
"""By the identity of an old one, the new one."""


def put(module: types.ModuleType, name: str, value: object) -> Replaced:
    """Set an attribute of a module."""
    replaced = Replaced(name, getattr(module, name, None), value)
    setattr(module, name, value)
    return replaced


def as_torchs(function: types.FunctionType, module: types.ModuleType) -> types.FunctionType:
    """Dynamo goes by the file: what is torch's own it does not compile when a program calls it outside of graphs. It is reported by
    the module's name.
    """
    function.__module__ = module.__name__
    function.__code__ = function.__code__.replace(co_filename=str(module.__file__))
    return function


def forget() -> None:
    """All of it."""
    while learned:
        learned.pop()()


def replace(replaced: Sequence[Replaced]) -> None:
    """Put each new one where a loaded module of Dynamo or Inductor, a class or a table in it, has the old one."""
    replaced = [*replaced, *_benchmarker()]
    changes = {id(each.old): each.new for each in replaced if not isinstance(each.old, _SHARED)}
    for name, module in sys.modules.copy().items():
        if not name.startswith(_READERS) or not isinstance(module, types.ModuleType):
            continue
        for key, value in list(vars(module).items()):
            if id(value) in changes:
                setattr(module, key, changes[id(value)])
            elif isinstance(value, type) and value.__module__ == name:
                _in_class(value, changes)
            elif type(value) is dict:
                _in_table(value, changes)
            elif type(value) is set:
                _in_set(value, changes)
    rules = sys.modules.get("torch._dynamo.trace_rules")
    if rules is not None:
        _in_rules(rules, replaced)


def _benchmarker() -> list[Replaced]:
    """Which one measures kernels followed from whether there is a GPU, in torch 2.11."""
    benchmarking: Any = sys.modules.get("torch._inductor.runtime.benchmarking")
    name = "use_experimental_benchmarker"
    if getattr(benchmarking, name, None) is not False or not getattr(benchmarking.inductor_config, name):
        return []
    return [
        put(benchmarking, name, value=True),
        put(benchmarking, "benchmarker", benchmarking.InductorBenchmarker()),
    ]


def _in_class(owner: type, changes: _Changes) -> None:
    for key, value in list(vars(owner).items()):
        if type(value) is dict:
            _in_table(value, changes)
        static = isinstance(value, staticmethod)
        held = value.__func__ if static else value
        if id(held) in changes:
            new: Any = changes[id(held)]
            setattr(owner, key, staticmethod(new) if static else new)


def _in_table(table: dict[Any, Any], changes: _Changes) -> None:
    """In place, as others may hold it; in the same order."""
    if not any(id(key) in changes or id(value) in changes for key, value in table.items()):
        return
    rows = list(table.items())
    table.clear()
    for key, value in rows:
        table[changes.get(id(key), key)] = changes.get(id(value), value)


def _in_set(values: set[Any], changes: _Changes) -> None:
    """In place."""
    for old in [value for value in values if id(value) in changes]:
        values.remove(old)
        values.add(changes[id(old)])


def _in_rules(rules: Any, replaced: Sequence[Replaced]) -> None:
    """Read again under the names that changed. The rest stays: polyfills were added to it, and hooks may stand in other names."""
    table = rules.get_torch_obj_rule_map()
    for each in replaced:
        if each.old is not None:
            table.pop(_inner(each.old), None)
    names = {each.name for each in replaced}
    for rows in rules.torch_name_rule_map:
        for name, rule in rows.items():
            if name.rpartition(".")[2] in names and (found := rules.load_object(name)) is not None:
                table[_inner(found)] = rule


def _inner(function: Any) -> Any:
    """As the table has it: a cached function without its cache."""
    return function.__wrapped__ if isinstance(function, functools._lru_cache_wrapper) else function
