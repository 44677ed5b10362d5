"""``torch.compile(model, backend="loupe")``: as with the backend that would have been there, and recorded.

Torch loads this by its entry point when the name is first used, which is before anything is compiled.
"""

import os
from collections.abc import Callable, Mapping
from typing import Any

from compiler.engine.torch_internals.live.passing_on import compile_with
from compiler.processes.recorded_program import OUTPUT, PLACE
from compiler.recorder import attaching

DEFAULT_OUTPUT = "run.loupe"


def loupe(
    module: object, inputs: object, *, mode: str | None = None, options: Mapping[str, Any] | None = None
) -> Callable[..., Any]:
    """Hand the graph on to ``options["backend"]``, Inductor where there is none, with the other options and the mode."""
    rest = dict(options or {})
    return compile_with(rest.pop("backend", "inductor"), module, inputs, mode, rest)


def _record() -> None:
    """Record this process from now on, into ``LOUPE`` or `DEFAULT_OUTPUT`, unless somebody records it already."""
    if not os.environ.get(PLACE):
        os.environ.setdefault(OUTPUT, DEFAULT_OUTPUT)
        attaching.begin()


_record()
