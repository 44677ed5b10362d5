"""What a front end makes of a program, before it is a capture."""

import dataclasses
from collections.abc import Callable
from typing import Any

import torch
from torch.utils import _pytree as pytree

from compiler.engine.user_program.loading import Program
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.links import LinkTable
from compiler.model.ir.passes import PassRun, PassStart
from compiler.model.ir.stage import Stage


@dataclasses.dataclass
class TextAlone:
    """A text that stands for a program by itself."""

    program: Program
    """What it stands for, in eval mode."""
    call: Callable[..., Any]
    """Runs the text, called as the program is."""


@dataclasses.dataclass
class FrontEndResult:
    """The stages that a front end made, and what runs in place of the program."""

    stages: tuple[Stage, ...]
    call: Callable[..., Any]
    """The captured program: called as the program is."""
    graphs: int
    operations: int
    """Calls in its graphs (placeholders, attributes, constants and outputs are none)."""
    seconds: float
    """Wall time of the capture itself, the eager run before it not included."""
    links: tuple[LinkTable, ...] = ()
    """Between its own stages. Links from source lines are made of the stacks of the nodes."""
    problems: tuple[Problem, ...] = ()
    passes: tuple[PassRun, ...] = ()
    """The steps in which its graphs grew, where it knows them, and what each began with."""
    pass_starts: tuple[PassStart, ...] = ()
    holds: torch.nn.Module | None = None
    """The module whose parameters and buffers the captured program uses, where it is not the program's and not `call`."""
    copies: bool = False
    """Whether arguments and results are copied to another device and back, so that shared memory is not kept."""
    alone: TextAlone | None = None
    """The text that can be edited, where it is not made of a graph that can."""
    interpreted: Callable[[bool], Callable[..., Any]] | None = None
    """The graph that can be edited, run op by op, with True in float64: called as the program is. What an edit is judged by."""
    set_training: Callable[[bool], None] | None = None
    """Switches the captured program between train and eval; raises where it cannot. None: by the program's own module."""


def taking_first(run: Callable[..., Any], count: int) -> Callable[..., Any]:
    """Called as the program is, with the first leaves of its arguments: others a trace does not know of, as they were baked in."""

    def call(*args: Any, **kwargs: Any) -> Any:
        given, _ = pytree.tree_flatten((args, kwargs))
        return run(*given[:count])

    return call
