"""The bodies of operators that were made from parts of graphs, by what a graph calls them."""

from compiler.model.ir.graph import Node

_bodies: dict[str, tuple[Node, ...]] = {}


def note_body(target: str, body: tuple[Node, ...]) -> None:
    """An operator was made."""
    _bodies[target] = body


def operator_body(target: str) -> tuple[Node, ...]:
    """What it calls; empty for any other operator."""
    return _bodies.get(target, ())
