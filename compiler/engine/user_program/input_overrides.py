"""Arguments of a program with something changed: tensors made again without data that matters, values from text."""

import ast
import re
from typing import Any

import torch
from torch.utils import _pytree as pytree

from compiler.engine.errors import EngineError, said
from compiler.engine.user_program.loading import describe_tensor, parameter_names
from compiler.engine.user_program.program import Program
from compiler.model.capture.capture_spec import ArgumentSpec
from compiler.model.guard_testing.guard_tests import TensorChange

Path = tuple[Any, ...]
_STEP = re.compile(r"\[([^\]]+)\]")
_LARGEST = 1 << 34


def frame_arguments(names: dict[str, Any]) -> tuple[ArgumentSpec, ...]:
    """What the first frame was called with, elements of lists, tuples and dicts by their path; modules are left out."""
    found: list[ArgumentSpec] = []
    for name, value in names.items():
        leaves, _ = pytree.tree_flatten_with_path(value)
        for path, leaf in leaves:
            spelled = name + "".join(str(step) for step in path)
            if isinstance(leaf, torch.Tensor):
                found.append(describe_tensor(spelled, leaf))
            elif leaf is None or isinstance(leaf, bool | int | float | str):
                found.append(ArgumentSpec(spelled, "value", text=repr(leaf)))
    return tuple(found)


def path_of(name: str) -> tuple[str, Path]:
    """``batch['x'][0]`` → (``batch``, (``x``, 0))."""
    root, bracket, _ = name.partition("[")
    try:
        steps = tuple(ast.literal_eval(step) for step in _STEP.findall(name)) if bracket else ()
    except (ValueError, SyntaxError) as error:
        raise EngineError(f"{name!r} names no argument.", "Write x, states[0] or batch['x'].") from error
    return root.strip(), steps


def argument_at(program: Program, name: str) -> Any:
    """The argument of that name: ``x``, ``batch['x'][0]``; what ``*rest`` and ``**more`` take is ``rest[0]`` and ``more['x']``,
    as in the program's frame, or ``x``. Raises EngineError, and LookupError or TypeError where there is none.
    """
    at, path = _place_of(program, name)
    value = program.args[at] if isinstance(at, int) else program.kwargs[at]
    for step in path:
        value = value[step]
    return value


def with_argument(program: Program, name: str, new: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """(args, kwargs) with something else there. Raises as `argument_at`."""
    at, path = _place_of(program, name)
    if isinstance(at, int):
        args = list(program.args)
        args[at] = replaced(args[at], path, new)
        return tuple(args), program.kwargs
    return program.args, {**program.kwargs, at: replaced(program.kwargs[at], path, new)}


def _place_of(program: Program, name: str) -> tuple[int | str, Path]:
    """The position or the keyword of an argument, and the path within it."""
    root, path = path_of(name)
    names, rest, more = parameter_names(program)
    if root in names[: len(program.args)]:
        return names.index(root), path
    if root in program.kwargs:
        return root, path
    if path and root == rest and isinstance(path[0], int):
        return len(names) + path[0], path[1:]
    if path and root == more:
        return str(path[0]), path[1:]
    if root.isdecimal():  # where nothing says its parameters
        return int(root), path
    raise KeyError(name)


def evaluate(text: str, name: str) -> Any:
    """A value from Python text. Raises EngineError."""
    try:
        return eval(compile(text, f"<{name}>", "eval"), {"torch": torch})
    except Exception as error:
        raise EngineError(
            f"{text!r} for {name} could not be evaluated: {type(error).__name__}: {said(error)}.",
            "Write Python, such as 3, True or torch.zeros(4).",
        ) from error


def changed_argument(value: Any, path: Path, change: TensorChange) -> torch.Tensor:
    """Another tensor for the one at a path, as the change wants it. Raises EngineError."""
    try:
        for step in path:
            value = value[step]
    except (LookupError, TypeError) as error:
        raise EngineError(f"There is no {change.argument} ({error}).", "Check its path.") from error
    if not isinstance(value, torch.Tensor):
        raise EngineError(
            f"{change.argument} is a {type(value).__name__}, not a tensor.", "Change it as a value instead."
        )
    try:
        return _made(value, change)
    except (RuntimeError, AttributeError, TypeError, ValueError) as error:
        first = str(error).split("\n")[0].rstrip(".")
        raise EngineError(
            f"No tensor can be made for {change.argument}: {first}.", "Correct the form."
        ) from error


def _made(old: torch.Tensor, change: TensorChange) -> torch.Tensor:
    dtype = old.dtype if change.dtype is None else _dtype(change.dtype)
    shape = tuple(old.shape) if change.shape is None else change.shape
    device = old.device if change.device is None else torch.device(change.device)
    wanted = old.requires_grad if change.requires_grad is None else change.requires_grad
    stride = change.stride
    if stride is None:
        stride = old.stride() if change.shape is None else _contiguous(shape)
    if len(stride) != len(shape):
        raise ValueError(f"{len(stride)} strides for {len(shape)} dimensions")
    size = 1 + sum((length - 1) * step for length, step in zip(shape, stride, strict=True))
    if size * dtype.itemsize > _LARGEST:
        raise ValueError(f"it would take {size * dtype.itemsize} bytes")
    new = torch.empty_strided(shape, stride, dtype=dtype, device=device)
    new.requires_grad_(wanted)
    if isinstance(old, torch.nn.Parameter):
        new = torch.nn.Parameter(new, wanted)
    vars(new).update({key: kept for key, kept in vars(old).items() if key.startswith("_dynamo")})
    return new


def _dtype(name: str) -> torch.dtype:
    found = getattr(torch, name.removeprefix("torch."), None)
    if not isinstance(found, torch.dtype):
        raise TypeError(f"there is no dtype {name}")
    return found


def _contiguous(shape: tuple[int, ...]) -> tuple[int, ...]:
    stride: list[int] = []
    step = 1
    for length in reversed(shape):
        stride.insert(0, step)
        step *= max(length, 1)
    return tuple(stride)


def replaced(value: Any, path: Path, new: Any) -> Any:
    """A copy of nested lists, tuples and dicts with something else at a path. Raises EngineError."""
    if not path:
        return new
    step, rest = path[0], path[1:]
    try:
        inner = replaced(value[step], rest, new)
    except (LookupError, TypeError) as error:
        raise EngineError(f"There is no {step!r} in a {type(value).__name__}.", "Check its path.") from error
    if isinstance(value, dict):
        return type(value)({**value, step: inner})
    if not isinstance(value, list | tuple):
        raise EngineError(f"An element of a {type(value).__name__} cannot be changed.", "Change all of it.")
    items = [inner if index == step % len(value) else item for index, item in enumerate(value)]
    return value._make(items) if hasattr(value, "_make") else type(value)(items)
