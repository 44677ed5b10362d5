"""In which parts two calls came to something else: results, arguments and state afterwards, gradients."""

import dataclasses
from collections.abc import Iterator
from typing import Any

import torch

from compiler.engine.accuracy.result_equality import what_differs
from compiler.engine.accuracy.side_effects import Effects, Side

RESULT = ""
"""The name of the part that is what the call returns."""


@dataclasses.dataclass
class Part:
    """Something that differs."""

    name: str
    """``bn.running_mean after the call``, ``gradient of x``; `RESULT` for what is returned."""
    words: str
    """How, with numbers."""
    found: Any
    eager: Any
    attribute: bool = False
    """An attribute of a module that is no parameter and no buffer: Python's state, as what is printed is Python's."""

    @property
    def reported(self) -> str:
        """Name and words in one line."""
        return f"{self.name}: {self.words}" if self.name else self.words


def differing(found: Effects, eager: Effects, initial: dict[str, Any]) -> Iterator[Part]:
    """What differs, results first; gradients only where both have some. `initial` is the state of the side found."""
    attributes = {_after(name) for name in (*eager.state, *found.state) if name not in eager.tensors}
    for name, ours, theirs in _pairs(found, eager, initial):
        words = what_differs(ours, theirs)
        if words:
            yield Part(name, words, ours, theirs, name in attributes)


def part_of(name: str, effects: Effects, like: Part) -> Any:
    """The same part of another call: of the program in float64."""
    for found, ours, _ in _pairs(effects, effects, {}):
        if found == name:
            return ours
    return like.eager


def _pairs(found: Effects, eager: Effects, initial: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    yield RESULT, found.values, eager.values
    for name, value in eager.arguments.items():
        yield _argument(name), found.arguments.get(name), value
    for name, value in eager.state.items():
        yield _after(name), found.state.get(name, initial.get(name)), value
    for name, value in found.state.items():
        if name in eager.initial and name not in eager.state:
            yield _after(name), value, eager.initial[name]
    yield from _gradients(found, eager)


def _argument(name: str) -> str:
    return f"argument {name} after the call"


def _after(name: str) -> str:
    return f"{name} after the call"


def _gradients(found: Effects, eager: Effects) -> Iterator[tuple[str, Any, Any]]:
    """A gradient that is not there is one of zeros, where the other side has one. None where eager's way back fails: it has none."""
    if found.gradients is None or eager.gradient_error is not None:
        return
    theirs = eager.gradients or {}
    for name in eager.leaves:
        one, other = found.gradients.get(name), theirs.get(name)
        if one is None and other is None:
            continue
        one = torch.zeros_like(other) if one is None and other is not None else one
        other = torch.zeros_like(one) if other is None and one is not None else other
        yield f"gradient of {name}", one, other


def loses_gradients(found: Effects, eager: Effects) -> bool:
    """Whether there is no way back where the program itself has one."""
    return bool(eager.gradients) and not found.gradients


def other_memory(found: Effects, eager: Effects, side: Side) -> str:
    """Which results share memory with an argument on one side only, in words; empty where none does."""
    if side.copies or len(found.aliases) != len(eager.aliases):
        return ""
    for index, (ours, theirs) in enumerate(zip(found.aliases, eager.aliases, strict=True)):
        which = "the result" if len(eager.aliases) == 1 else f"result {index}"
        if ours and not theirs:
            return f"{which} shares its memory with {ours[0]}, in eager it is a copy"
        if theirs and not ours:
            return f"{which} is a copy, in eager it shares its memory with {theirs[0]}"
    return ""
