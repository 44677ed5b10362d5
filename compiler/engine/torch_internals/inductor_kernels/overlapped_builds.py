"""Building the kernels of all graphs of a recompile side by side.

A generated wrapper waits for its kernels when it is loaded, so torch builds the forward's kernels, waits, and only then
begins on the backward. Within this context the waiting is put off to the end; what is built is the same.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

from compiler.engine.torch_internals.patch.patching import around, is_there

GIVES = "kernels of forward and backward built side by side in a recompile"
NEEDS = ("torch._inductor.async_compile:AsyncCompile.wait",)


@contextlib.contextmanager
def overlapping() -> Iterator[None]:
    """Wait for all kernels at the end; an error of the C++ compiler is raised there. Without the hook: torch's order."""
    if not is_there(NEEDS[0]):
        yield
        return
    waiting: list[tuple[Any, Any, dict[str, Any]]] = []

    def wait(builder: Any, scope: dict[str, Any], *, original: Any) -> None:
        waiting.append((original, builder, scope))

    with around(NEEDS[0], wait):
        yield
    for original, builder, scope in waiting:
        original(builder, scope)
