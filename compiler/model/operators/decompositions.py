"""What an operator is made of: its tree down to prims, and the operations at each level."""

from collections.abc import Iterator

import msgspec

from compiler.model.operators.dispatching import NO_PLACE, CodePlace


class DecomposedOperator(msgspec.Struct, frozen=True):
    """One operator with the calls that its decomposition makes."""

    operator: str
    """``aten.softmax.int``."""
    how: str = ""
    """``python`` (a function in torch's tables), ``C++`` (CompositeImplicitAutograd), or empty: taken apart no further."""
    place: CodePlace = NO_PLACE
    """The decomposition's."""
    core: bool = False
    """Torch counts it to core aten."""
    to_core: bool = False
    """Taken apart on the way to core aten."""
    parts: tuple["DecomposedOperator", ...] = ()
    declined: bool = False
    """There is a decomposition, and it did not want these arguments (NotImplemented)."""


class Decomposition(msgspec.Struct, frozen=True, tag="decomposition"):
    """Reply to `DecomposeOperator`."""

    name: str
    """``aten::softmax.int``."""
    schema: str
    root: DecomposedOperator
    arguments: str = ""
    """What it was called with, shapes and numbers only."""
    counts: tuple[tuple[str, int], ...] = ()
    """Operators of this build: what, how many."""
    commit: str = ""
    refused: str = ""
    """Torch's words, most of all tried, where it could not be called here: then the tree is the operator alone."""


class DecomposeOperator(msgspec.Struct, frozen=True, tag="decompose_operator"):
    """Replies with `Decomposition`. Fails for a name that is not registered."""

    name: str
    """``aten::softmax.int``, as graphs write it, or without its overload: ``softmax``."""


LEVELS = ("aten", "core aten", "prims")


def at_level(root: DecomposedOperator, level: str) -> Iterator[DecomposedOperator]:
    """The operators that are left of a tree at one of `LEVELS`, in the order they run. What turned out to be nothing to do,
    such as a cast to the type that a tensor has, is left out.
    """
    stops = {
        "aten": root.how != "C++",
        "core aten": not (root.to_core or root.how == "C++"),
        "prims": not root.how,
    }[level]
    if stops:
        yield root
        return
    for part in root.parts:
        yield from at_level(part, level)
