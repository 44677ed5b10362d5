"""An operator taken apart as far as this torch's tables go, by running its decompositions on tensors without numbers."""

import functools
from collections import Counter
from collections.abc import Callable
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from compiler.engine.fx.graph_import import read_value
from compiler.engine.operators.argument_search import find_arguments
from compiler.engine.operators.dispatch_tables import code_place, commit, find_name
from compiler.engine.operators.known_argument_table import Arguments
from compiler.engine.operators.real_argument_table import real_arguments
from compiler.engine.quiet_logs import nothing_said
from compiler.engine.torch_internals.aot_autograd import decompositions
from compiler.engine.torch_internals.dispatcher import dispatcher
from compiler.engine.torch_internals.patch.operators import schema_of
from compiler.engine.torch_internals.patch.wrapped_tensors import fake_mode
from compiler.model.ir.tensor_types import describe
from compiler.model.operators.decompositions import DecomposedOperator, Decomposition
from compiler.model.operators.dispatching import NO_PLACE, CodePlace

_DEEPEST = 40
_TRIED_WITH_NUMBERS = 100


def decompose(name: str) -> Decomposition:
    """The tree of one operator. Raises EngineError where there is none of that name."""
    overload = dispatcher.overload(find_name(name))
    root, arguments, refused = tree_of(overload)
    return Decomposition(
        overload.name(),
        str(schema_of(overload)),
        root,
        arguments,
        counts(),
        commit(),
        refused,
    )


def tree_of(overload: Any) -> tuple[DecomposedOperator, str, str]:
    """(the tree, the arguments it was made with, torch's words where it refused all that were tried: the operator alone)."""
    trees: list[DecomposedOperator] = []
    refusals: Counter[str] = Counter()

    def fits(arguments: Arguments) -> bool:
        taking = _Decomposing()
        args, kwargs = arguments
        try:
            with taking:
                overload(*args, **kwargs)
        except Exception as error:  # noqa: BLE001  arguments that do not fit are reported in many ways
            refusals[_first_line(error)] += 1
            return False
        if len(taking.roots) != 1:
            return False
        trees[:] = taking.roots
        return True

    schema, of_known = schema_of(overload), ""
    ways = (_known_with_numbers, _without_numbers, _with_numbers) if _how(overload) else (_without_numbers,)
    with nothing_said(), torch.inference_mode():
        for find in ways:
            found = find(schema, fits)
            if found is not None:
                return trees[0], _written(*found), ""
            if find is _known_with_numbers:
                of_known = next(iter(refusals), "")
    usual = max(refusals, key=refusals.__getitem__, default="no arguments were found")
    return _alone(overload), "", of_known or usual


def _known_with_numbers(schema: Any, fits: Callable[[Arguments], bool]) -> Arguments | None:
    try:
        known = real_arguments(schema)
    except (RuntimeError, NotImplementedError, AttributeError):  # a build without that layout or library
        return None
    return known if known is not None and fits(known) else None


def _without_numbers(schema: Any, fits: Callable[[Arguments], bool]) -> Arguments | None:
    with fake_mode():
        return find_arguments(schema, fits)


def _with_numbers(schema: Any, fits: Callable[[Arguments], bool]) -> Arguments | None:
    """For operators that read the numbers of a tensor; they are small, and ones."""
    return find_arguments(schema, fits, _TRIED_WITH_NUMBERS)


def _first_line(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}"


class _Decomposing(TorchDispatchMode):  # type: ignore[no-untyped-call]  # torch leaves its hooks untyped
    """Carries out each operator by its decomposition, and that one's operators by theirs."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.roots: list[DecomposedOperator] = []
        self._open: list[list[DecomposedOperator]] = [self.roots]

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if func.namespace == "prim":  # asks a tensor for its device or layout
            return func(*args, **kwargs)
        how = _how(func)
        inside: list[DecomposedOperator] = []
        result: Any = NotImplemented
        if how and len(self._open) < _DEEPEST:
            decompose = decompositions.full_table()[func] if how == "python" else func.decompose
            self._open.append(inside)
            try:
                with self:
                    result = decompose(*args, **kwargs)
            finally:
                self._open.pop()
        declined = bool(how) and result is NotImplemented
        if result is NotImplemented:
            result = func(*args, **kwargs)
        alone = _alone(func)
        self._open[-1].append(
            DecomposedOperator(
                alone.operator,
                "" if declined else how,
                alone.place,
                alone.core,
                alone.to_core and not declined,
                () if declined else tuple(inside),
                declined,
            )
        )
        return result


@functools.lru_cache(maxsize=8192)
def _how(overload: Any) -> str:
    if overload in decompositions.full_table():
        return "python"
    return "C++" if decompositions.is_composite(overload) else ""


@functools.lru_cache(maxsize=8192)
def _alone(overload: Any) -> DecomposedOperator:
    how = _how(overload)
    return DecomposedOperator(
        str(overload),
        how,
        _place(overload, how),
        decompositions.is_core(overload),
        overload in decompositions.core_table(),
    )


def _place(overload: Any, how: str) -> CodePlace:
    if how == "python":
        return code_place(*decompositions.place_of(decompositions.full_table()[overload]))
    if how == "C++":
        for key, _, path, line in dispatcher.registrations(overload.name())[1]:
            if key.startswith("CompositeImplicitAutograd"):
                return code_place(path, line)
    return NO_PLACE


@functools.lru_cache(maxsize=1)
def counts() -> tuple[tuple[str, int], ...]:
    """How many operators of each sort there are, with what is imported now."""
    names = dispatcher.names()
    aten = [name for name in names if name.startswith("aten::")]
    overloads = [dispatcher.overload(name) for name in aten]
    how = [_how(overload) for overload in overloads]
    return (
        ("operators of all namespaces", len(names)),
        ("aten", len(aten)),
        ("aten that write into an argument", sum(schema_of(item).is_mutable for item in overloads)),
        ("core aten", sum(map(decompositions.is_core, overloads))),
        ("taken apart in Python", how.count("python")),
        ("taken apart in C++", how.count("C++")),
        (
            "taken apart on the way to core aten",
            sum(item in decompositions.core_table() for item in overloads),
        ),
        ("prims", sum(name.startswith("prims::") for name in names)),
    )


def _written(args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    parts = [*map(_spelling, args), *(f"{name}={_spelling(value)}" for name, value in kwargs.items())]
    return ", ".join(parts)


def _spelling(value: Any) -> str:
    if isinstance(value, torch.Tensor):
        return describe(read_value(value))
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_spelling, value))}]"
    return repr(value)
