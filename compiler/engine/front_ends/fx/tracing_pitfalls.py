"""What torch.fx.symbolic_trace takes without a word and gets wrong: watched while it traces, reported with the user's line."""

import builtins
import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

import torch
import torch.fx

from compiler.engine.file_ownership import innermost, is_mine
from compiler.engine.fx.graph_import import read_stack
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.graph import SourceLine

_CONSTANT = "_tensor_constant"


class TrapWatch:
    """Notes calls of the user's that a tracer cannot see."""

    def __init__(self) -> None:
        self._prints: dict[tuple[str, int], None] = {}
        self._checks: dict[tuple[str, int], str] = {}

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """While this is entered, ``print`` and ``isinstance`` called from the user's lines are noted."""
        own_print, own_isinstance = builtins.print, builtins.isinstance

        def noted_print(*values: Any, **settings: Any) -> None:
            place = _users_caller()
            if place is not None:
                self._prints[place] = None
            own_print(*values, **settings)

        def noted_isinstance(value: Any, kinds: Any) -> bool:
            found = own_isinstance(value, kinds)
            if type(value) is torch.fx.Proxy and not found and (place := _users_caller()) is not None:
                self._checks[place] = _format_kinds(kinds)
            return found

        builtins.print, builtins.isinstance = noted_print, noted_isinstance
        try:
            yield
        finally:
            builtins.print, builtins.isinstance = own_print, own_isinstance

    def problems(self) -> list[Problem]:
        """What was noted."""
        lost = [
            _trap(
                "print ran once, while tracing, and is not in the graph",
                "Use torch.fx.wrap on a function that prints.",
                place,
            )
            for place in self._prints
        ]
        took = [
            _trap(
                f"isinstance(…, {kinds}) is False while tracing, since a Proxy stands in for the tensor: "
                "that branch is what was captured",
                "Decide before the traced function, or mark the module as a leaf.",
                place,
            )
            for place, kinds in self._checks.items()
        ]
        return [*lost, *took]


def baked_constants(module: torch.fx.GraphModule, again: Callable[[], torch.fx.GraphModule]) -> list[Problem]:
    """Tensors that the program made while it was traced; which of them are random is seen by tracing `again`."""
    found = _constants(module)
    if not found:
        return []
    other = again()
    problems = []
    # in order, since the tracer leaves them on the module, where a second trace finds their names taken
    for (name, node), second_name in zip(found.items(), _constants(other), strict=False):
        tensor, second = getattr(module, name), getattr(other, second_name)
        random = tensor.shape != second.shape or not torch.equal(tensor, second)
        line = _users_line(node)
        kind = "Random numbers are" if random else "A tensor is"
        what = f"{kind} baked in as {name} {list(tensor.shape)}"
        remedy = (
            "Every run gives the same numbers; make them from an input (torch.rand_like), or pass them in."
            if random
            else "Its size and device stay those of the example; make it from an input (x.new_zeros), or a buffer."
        )
        problems.append(_trap(what, remedy, (line.path, line.line) if line is not None else ("", 0), random))
    return problems


def _constants(module: torch.fx.GraphModule) -> dict[str, torch.fx.Node]:
    return {
        str(node.target): node
        for node in module.graph.nodes
        if node.op == "get_attr" and str(node.target).startswith(_CONSTANT)
    }


def _trap(what: str, remedy: str, place: tuple[str, int], wrong: bool = True) -> Problem:
    severity = Severity.WARNING if wrong else Severity.NOTE
    return Problem(f"{what}.", remedy, place[0], place[1] or None, severity)


def _users_line(node: torch.fx.Node) -> SourceLine | None:
    """Of the node, or of the first that uses it: a constant has no line of its own."""
    for candidate in (node, *node.users):
        stack = read_stack(candidate.stack_trace or "")
        line = innermost(stack, lambda item: item.path)
        if line is not None:
            return line
    return None


def _users_caller() -> tuple[str, int] | None:
    """The line that called, if it is the user's own and not a library's on its behalf."""
    frame = sys._getframe(2)  # noqa: SLF001  the caller of the function that was put in
    path = frame.f_code.co_filename
    return (path, frame.f_lineno) if is_mine(path) else None


def _format_kinds(kinds: Any) -> str:
    names = kinds if type(kinds) is tuple else (kinds,)
    return " | ".join(getattr(kind, "__name__", str(kind)) for kind in names)
