"""Hook: what ``torch.compiler.precompile`` makes on its way: the graph it traces, the graph Inductor gets, the Python it writes.

GIVES: a program as generated Python (torch 2.14 and later).
NEEDS: ``torch._precompile``'s ``_capture`` and ``make_fx``, ``torch._inductor.compile_to_python``. Public in two forms: torch
2.14 has ``precompile(fn, *inputs)``, torch 2.15 ``precompile.capture``, which writes files.
"""

import contextlib
import dataclasses
import importlib
import logging
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
import torch.fx

from compiler.engine.quiet_logs import logging_only
from compiler.engine.torch_internals.patch.patching import around, is_there
from compiler.processes.private_folder import scratch_place

_TRACED = "torch._precompile:_capture"
_MAKE_FX = "torch._precompile:make_fx"
_LOWERED = "torch._inductor:compile_to_python"
FORMS = ("inductor", "eager")
"""What the graph is realized by."""
Keep = Callable[[torch.fx.GraphModule], None]


@dataclasses.dataclass
class Precompiled:
    """What came of it."""

    python: str
    call: Callable[..., Any]
    """Takes what the function took."""
    seconds: float


def is_available() -> bool:
    """Whether this torch has it."""
    return is_there(_TRACED)


def precompiled(
    function: Callable[..., Any], inputs: tuple[Any, ...], form: str, traced: Keep, lowered: Keep
) -> Precompiled:
    """Precompile and load again. `traced` and `lowered` get the graphs while they are alive. Raises what torch raises."""
    api: Any = importlib.import_module("torch.compiler").precompile
    with (
        _quiet(),
        _graphs_kept(traced, lowered),
        tempfile.TemporaryDirectory(dir=scratch_place()) as folder,
    ):
        started = time.perf_counter()
        if hasattr(api, "capture"):
            text, cache = Path(folder) / "program.py", Path(folder) / "program.cache"
            with api.capture(function, artifact_path=text, cache_path=cache, backend=form) as taken:
                taken(*inputs)
            seconds = time.perf_counter() - started
            return Precompiled(text.read_text(encoding="utf-8"), api.load(text, cache), seconds)
        python, packed = api(function, *inputs, backend=form)
        seconds = time.perf_counter() - started
        return Precompiled(python, api.load(python, packed), seconds)


@contextlib.contextmanager
def _graphs_kept(traced: Keep, lowered: Keep) -> Iterator[None]:
    def with_lines(function: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        return original(function, *args, **{**kwargs, "record_stack_traces": True})

    def tracing(*args: Any, original: Any, **kwargs: Any) -> Any:
        result = original(*args, **kwargs)
        traced(result.gm)
        for node in result.gm.graph.nodes:  # Inductor would write the lines into the program as comments
            node.meta.pop("stack_trace", None)
        return result

    def lowering(module: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        lowered(module)
        return original(module, *args, **kwargs)

    with around(_MAKE_FX, with_lines), around(_TRACED, tracing), around(_LOWERED, lowering):
        yield


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Without torch's warning that it runs what it has just written."""
    with logging_only(logging.ERROR, "torch._precompile"), warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        yield
