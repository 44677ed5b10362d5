"""Arguments that an operator takes, found by trying: every dimension has size 4, so that most shapes fit each other."""

import random
from collections.abc import Callable
from typing import Any

import torch

from compiler.engine.operators.known_argument_table import Arguments, known_arguments

SIZE = 4
_ATTEMPTS = 400
_INTEGERS = ("index", "indices", "target", "offsets", "lengths", "input_lengths", "target_lengths", "ind")
_BOOLEANS = ("mask", "condition", "attn_mask")
_TYPES = (torch.float32, torch.float32, torch.float32, torch.int64, torch.bool, torch.complex64)
_CHANNELS = ("bias", "weight", "running_mean", "running_var", "mean", "rstd", "invstd", "var")
_DIMENSIONS = ("dim", "dim0", "dim1", "axis", "diagonal", "offset", "start_dim", "end_dim", "dim1", "dim2")
_PER_DIMENSION = ("size", "sizes", "shape", "output_size", "normalized_shape", "input_size", "self_size")
_PADDING = ("padding", "output_padding", "pad", "storage_offset")

_WORDS = ("none", "mean", "linear", "ij", "sum", "reflect", "constant", "amax", "i,j->ij")
_VALUES: dict[str, tuple[Any, ...]] = {
    "float": (0.5, 1.0),
    "number": (2, 0.5, 1),
    "bool": (True, False),
    "List[bool]": ([True], [True, True], [True, True, True]),
    "List[number]": ([1.0, 2.0],),
    "str": _WORDS,
    "Device": (torch.device("cpu"),),
}


def find_arguments(
    schema: Any, fits: Callable[[Arguments], bool], attempts: int = _ATTEMPTS
) -> Arguments | None:
    """The first arguments, in a fixed order of trying, that `fits` says yes to; None where there are none.

    Call it where tensors may be made, such as inside a fake mode.
    """
    known = known_arguments(schema)
    if known is not None and fits(known):
        return known
    chance = random.Random(0)
    for attempt in range(attempts):
        rank = (2, 1, 3, 4, 5, 0)[attempt % 6]
        dtype = _TYPES[(attempt // 6) % len(_TYPES)]
        made = _arguments(schema, rank, dtype, chance, attempt)
        if fits(made):
            return made
    return None


def _arguments(schema: Any, rank: int, dtype: torch.dtype, chance: random.Random, attempt: int) -> Arguments:
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for argument in schema.arguments:
        # what may be left out is left out, but for optional tensors now and then
        if argument.has_default_value() and not (attempt % 3 == 2 and "Tensor" in str(argument.type)):
            if not argument.kwarg_only:
                args.append(argument.default_value)
            continue
        value = _value(argument.name, str(argument.type), rank, dtype, chance, attempt)
        if argument.kwarg_only:
            kwargs[argument.name] = value
        else:
            args.append(value)
    return tuple(args), kwargs


def _value(name: str, kind: str, rank: int, dtype: torch.dtype, chance: random.Random, attempt: int) -> Any:
    if kind.startswith("Optional["):
        inside = kind.removeprefix("Optional[").removesuffix("]")
        return None if chance.random() < 0.5 else _value(name, inside, rank, dtype, chance, attempt)
    if kind == "Tensor":
        return _tensor(name, rank, dtype, chance, attempt)
    if kind in ("List[Tensor]", "List[Optional[Tensor]]"):
        return [_tensor(name, rank, dtype, chance, attempt) for _ in range(chance.choice((1, 2, 3, 4)))]
    if kind == "int":
        return chance.choice((0, 1)) if name in _DIMENSIONS else chance.choice((1, 2, SIZE, 0, rank))
    if kind == "List[int]":
        return _integers(name, rank, chance)
    if kind == "List[float]":
        return [1.0] * max(rank - 2, 1)
    return chance.choice(_VALUES.get(kind, (None,)))


def _integers(name: str, rank: int, chance: random.Random) -> list[int]:
    if name in _PER_DIMENSION:
        return [SIZE] * chance.choice((rank, max(rank - 2, 1), 1))
    if name in ("dim", "dims"):
        return list(range(rank)) if chance.random() < 0.4 else [chance.choice((0, 1))]
    if name in _PADDING:
        return [0] * chance.choice((max(rank - 2, 1), 2 * max(rank - 2, 1)))
    length = chance.choice((max(rank - 2, 1), max(rank - 2, 1), rank, rank - 1, 2))
    return [chance.choice((1, 1, 2))] * max(length, 1)


def _tensor(name: str, rank: int, dtype: torch.dtype, chance: random.Random, attempt: int) -> torch.Tensor:
    if name in _INTEGERS:
        dtype = torch.int64
    elif name in _BOOLEANS:
        dtype = torch.bool
    shape = (SIZE,) * rank
    luck = chance.random()
    if name in _CHANNELS and attempt % 2:
        shape = (SIZE,)
    elif attempt >= 36 and luck < 0.35:
        other = chance.choice((0, 1, rank - 1, rank + 1, 2, 3))
        shape = (SIZE,) * max(other, 0)
    elif attempt >= 36 and luck < 0.45:
        shape = (*(SIZE,) * max(rank - 1, 0), 1)
    return torch.ones(shape, dtype=dtype)
