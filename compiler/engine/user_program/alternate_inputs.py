"""Other calls of a program that may show what a capture has forgotten: values, sizes, scalars, containers, keywords, mode.

None of them need be one that the program takes: eager is asked first.
"""

import dataclasses
import enum
import inspect
import types
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch.utils import _pytree as pytree

from compiler.engine.user_program.float64_copy import Call
from compiler.engine.user_program.loading import Program, argument_names, leaf_names

ANOTHER_SEED = "another random seed"


class Kind(enum.Enum):
    """What is different in another call."""

    GIVEN = "given"
    SEED = "seed"
    MODE = "mode"
    VALUES = "values"
    SCALARS = "scalars"
    KEYWORDS = "keywords"
    SIZES = "sizes"
    CONTAINERS = "containers"


@dataclasses.dataclass
class OtherCall:
    """One call to try; `make` gives tensors of its own each time, since a program may write to them."""

    words: str
    make: Callable[[], Call]
    training: bool | None = None
    seed: int = 0
    """Added to the seed of the run."""
    kind: Kind = Kind.GIVEN


def own_copy(call: Call) -> Call:
    """The same arguments, their tensors copied."""

    def copied(value: Any) -> Any:
        if not isinstance(value, torch.Tensor):
            return value
        fresh = value.detach().clone(memory_format=torch.preserve_format)
        return fresh.requires_grad_(value.requires_grad)

    args, kwargs = pytree.tree_map(copied, call)
    return args, kwargs


def given_call(program: Program, text: str) -> Call:
    """Arguments as a person wrote them in a call; empty: those of the example. Where all are named, the others stay as
    in the example. Raises what evaluating it raises.
    """
    call: Call = (program.args, program.kwargs)
    namespace = vars(program.namespace) if program.namespace is not None else {}
    taken: Callable[..., Call] = lambda *args, **kwargs: (args, kwargs)  # noqa: E731
    args, kwargs = eval(f"_taken({text})", {**namespace, "torch": torch, "_taken": taken})
    if args:
        return args, kwargs
    for name, value in kwargs.items():
        call = _replaced(program, call, name, value)
    return call


def longer(value: Any) -> Any:
    """One row more of a tensor, the last one again; what has no rows as it is."""
    if not isinstance(value, torch.Tensor) or value.dim() == 0 or value.shape[0] == 0:
        return value
    return torch.cat((value.detach(), value.detach()[-1:]))


def other_calls(program: Program) -> Iterator[OtherCall]:
    """What to try, the likeliest to show something first; sizes after values, since they make compilers compile again."""
    call: Call = (program.args, program.kwargs)
    yield OtherCall(ANOTHER_SEED, lambda: own_copy(call), seed=1, kind=Kind.SEED)
    if (training := program.is_training()) is not None:
        words = "in eval mode" if training else "in train mode"
        yield OtherCall(words, lambda: own_copy(call), not training, kind=Kind.MODE)
    makers = (
        (Kind.VALUES, _values),
        (Kind.SCALARS, _scalars),
        (Kind.KEYWORDS, _keywords),
        (Kind.SIZES, _sizes),
        (Kind.CONTAINERS, _containers),
    )
    for kind, make in makers:
        for made in make(program, call):
            yield dataclasses.replace(made, kind=kind)


# -- values ----------------------------------------------------------------------------------------------------


def _spread(value: torch.Tensor) -> torch.Tensor:
    generator = torch.Generator().manual_seed(7)
    fresh = torch.randn(value.shape, generator=generator, dtype=torch.float64, device=generator.device)
    return fresh.mul(value.detach().double().abs().max().cpu() + 1).to(value.dtype).to(value.device)


def _one_larger(value: torch.Tensor) -> torch.Tensor:
    fresh = value.clone().reshape(-1)
    fresh[0] = fresh.abs().max() * 3 + 1
    return fresh.reshape(value.shape)


def _of_floats(
    change: Callable[[torch.Tensor], torch.Tensor],
) -> Callable[[torch.Tensor], torch.Tensor | None]:
    return lambda value: change(value) if value.is_floating_point() and value.numel() else None


def _shuffled(value: torch.Tensor) -> torch.Tensor | None:
    if value.is_floating_point() or value.is_complex() or value.numel() < 2:
        return None
    return value.reshape(-1).flip(0).reshape(value.shape)


def _other_whole(value: torch.Tensor) -> torch.Tensor | None:
    if value.dtype is torch.bool:
        return ~value
    return None if value.is_floating_point() or value.is_complex() else torch.zeros_like(value)


_CHANGES: tuple[tuple[str, Callable[[torch.Tensor], torch.Tensor | None]], ...] = (
    ("negated", _of_floats(torch.neg)),
    ("× 8", _of_floats(lambda value: value * 8)),
    ("with other values of both signs", _of_floats(_spread)),
    ("with one value larger", _of_floats(_one_larger)),
    ("all zero", _of_floats(torch.zeros_like)),
    ("× 0.01", _of_floats(lambda value: value * 0.01)),
    ("in another order", _shuffled),
    ("inverted or zero", _other_whole),
)


def _values(program: Program, call: Call) -> Iterator[OtherCall]:
    """All tensors changed the same way, then one by one where there are a few."""
    leaves, shape = pytree.tree_flatten(call)
    names = leaf_names(program)
    tensors = [index for index, leaf in enumerate(leaves) if isinstance(leaf, torch.Tensor)]
    alone = [[index] for index in tensors] if 1 < len(tensors) <= 3 else []
    for chosen in filter(None, (tensors, *alone)):
        for words, change in _CHANGES:
            fresh = list(leaves)
            changed = False
            with torch.no_grad():
                for index in chosen:
                    new = change(leaves[index].detach())
                    if new is not None:
                        fresh[index], changed = new.requires_grad_(leaves[index].requires_grad), True
            if changed:
                yield _made(f"{_named(names, chosen, len(tensors))} {words}", fresh, shape)


def _named(names: list[str], chosen: list[int], tensors: int) -> str:
    if len(chosen) == 1:
        return names[chosen[0]]
    return "all tensors" if len(chosen) == tensors else ", ".join(names[index] for index in chosen)


def _made(words: str, leaves: list[Any], shape: Any) -> OtherCall:
    call = pytree.tree_unflatten(leaves, shape)
    return OtherCall(words, lambda: own_copy(call))


# -- sizes -----------------------------------------------------------------------------------------------------


def _sizes(program: Program, call: Call) -> Iterator[OtherCall]:
    """Every size of every tensor, changed wherever it occurs and, where it occurs more than once, by itself."""
    leaves, shape = pytree.tree_flatten(call)
    names = leaf_names(program)
    found: dict[int, list[tuple[int, int]]] = {}
    for index, leaf in enumerate(leaves):
        for dimension, size in enumerate(leaf.shape) if isinstance(leaf, torch.Tensor) else ():
            found.setdefault(int(size), []).append((index, dimension))
    for delta in (2, -1):
        for size, places in found.items():
            if size + delta < 1:
                continue
            groups = [places, *([place] for place in places if len(places) > 1)]
            firsts = [place for place in places if place[1] == 0]
            groups += [firsts] if 1 < len(firsts) < len(places) else []
            for group in groups:
                fresh = list(leaves)
                for index, dimension in group:
                    fresh[index] = _resized(fresh[index], dimension, size + delta)
                changed = dict.fromkeys(index for index, _ in group)
                words = ", ".join(f"{names[index]} of shape {list(fresh[index].shape)}" for index in changed)
                yield _made(words, fresh, shape)


def _resized(value: torch.Tensor, dimension: int, size: int) -> torch.Tensor:
    """Longer by repeating what is there, a little changed so that rows are distinguished."""
    index = torch.arange(size, device=value.device) % int(value.shape[dimension])
    new = value.detach().index_select(dimension, index)
    if new.is_floating_point():
        new = new * (1 + 0.25 * (torch.arange(size, device=value.device) >= value.shape[dimension])).to(
            new.dtype
        ).reshape([-1 if at == dimension else 1 for at in range(new.dim())])
    return new.requires_grad_(value.requires_grad)


# -- what is no tensor -----------------------------------------------------------------------------------------


def _other_scalars(value: Any) -> tuple[Any, ...]:
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, int):
        return (value + 1, -value, 0) if value else (1, 2)
    if isinstance(value, float):
        return (value * 2 + 1, -value)
    return ()


def _scalars(program: Program, call: Call) -> Iterator[OtherCall]:
    leaves, shape = pytree.tree_flatten(call)
    names = leaf_names(program)
    for index, leaf in enumerate(leaves):
        for other in _other_scalars(leaf):
            fresh = list(leaves)
            fresh[index] = other
            yield _made(f"{names[index]} = {other!r}", fresh, shape)


def _containers(program: Program, call: Call) -> Iterator[OtherCall]:
    """Lists and dicts that are longer or shorter."""
    args, kwargs = call
    for name, value in [*zip(argument_names(program), args, strict=True), *kwargs.items()]:
        for words, other in _other_containers(value):
            yield _with_argument(program, call, name, other, f"{name} {words}")


def _other_containers(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, list | tuple) and value and not hasattr(value, "_fields"):
        yield "with one element more", type(value)([*value, value[-1]])
        if len(value) > 1:
            yield "with one element less", type(value)(value[:-1])
    if type(value) is dict and value:
        yield "with its keys in another order", dict(reversed(value.items()))
        key, last = list(value.items())[-1]
        if isinstance(key, str):
            yield "with a key more", {**value, f"{key}_more": last}
        if len(value) > 1:
            yield f"without {key!r}", {name: item for name, item in value.items() if name != key}


def _with_argument(program: Program, call: Call, name: str, value: Any, words: str) -> OtherCall:
    other = _replaced(program, call, name, value)
    return OtherCall(words, lambda: own_copy(other))


def _replaced(program: Program, call: Call, name: str, value: Any) -> Call:
    args, kwargs = call
    names = argument_names(program)
    if name in names:
        at = names.index(name)
        return (*args[:at], value, *args[at + 1 :]), kwargs
    return args, {**kwargs, name: value}


# -- keywords --------------------------------------------------------------------------------------------------


def _keywords(program: Program, call: Call) -> Iterator[OtherCall]:
    """Parameters that the example leaves at their defaults, and names that a ``**kwargs`` program looks for."""
    function = program.module.forward if program.module is not None else program.callable
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return
    given = {*argument_names(program), *program.kwargs}
    kinds = inspect.Parameter
    for name, parameter in parameters.items():
        if parameter.kind in (kinds.KEYWORD_ONLY, kinds.POSITIONAL_OR_KEYWORD) and name not in given:
            for other in _instead_of(parameter.default, call):
                yield _with_argument(program, call, name, other, f"{name} = {_short(other)}")
    if any(parameter.kind is kinds.VAR_KEYWORD for parameter in parameters.values()):
        for name in _names_in(getattr(function, "__code__", None)):
            if name not in given and name not in parameters:
                for other in (torch.tensor(3.0, device="cpu"), 3.0, True):
                    yield _with_argument(program, call, name, other, f"{name} = {_short(other)} given too")


def _instead_of(default: Any, call: Call) -> tuple[Any, ...]:
    if default is None:
        leaves = pytree.tree_leaves(call)
        tensors = [leaf for leaf in leaves if isinstance(leaf, torch.Tensor) and leaf.is_floating_point()]
        return tuple(leaf.detach().clone() * 0.5 + 0.1 for leaf in tensors[:1])
    return _other_scalars(default)


def _names_in(code: types.CodeType | None) -> tuple[str, ...]:
    """Texts in a function that may be names of keywords."""
    if code is None:
        return ()
    found = [text for text in code.co_consts if isinstance(text, str) and text.isidentifier()]
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            found += [name for name in _names_in(inner) if "<" not in name]
    return tuple(dict.fromkeys(found))


def _short(value: Any) -> str:
    if isinstance(value, torch.Tensor):
        return f"tensor({float(value):g})" if value.dim() == 0 else f"a tensor {list(value.shape)}"
    return repr(value)
