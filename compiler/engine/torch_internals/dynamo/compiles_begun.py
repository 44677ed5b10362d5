"""Counts compiles that begin while something is measured: what is measured then is not what was captured."""

import contextlib
from collections.abc import Iterator
from typing import Any

from compiler.engine.torch_internals.patch.patching import around

GIVES = "whether anything is compiled again while it is timed"
NEEDS = ("torch._dynamo.convert_frame:_compile",)


class CompilesBegun:
    """How often Dynamo began to compile a frame, refusals at the recompile limit included."""

    def __init__(self) -> None:
        self.count = 0


@contextlib.contextmanager
def compiles_begun() -> Iterator[CompilesBegun]:
    """While this is entered, each compile is counted as it begins."""
    begun = CompilesBegun()

    def counted(*args: Any, original: Any, **kwargs: Any) -> Any:
        begun.count += 1
        return original(*args, **kwargs)

    with around(NEEDS[0], counted):
        yield begun
