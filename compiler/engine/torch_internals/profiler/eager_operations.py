"""Torch's old profiler, which writes nothing to the terminal: which operations ran when."""

import importlib
from collections.abc import Callable
from typing import Any

GIVES = "operations outside compiled graphs"
NEEDS = ("torch.autograd.profiler_legacy:profile",)


def operations_of(run: Callable[[], object]) -> list[tuple[str, float, float, bool]]:
    """(name, begin, end, called by no other operation) of every operation and marked range while `run` runs, in microseconds;
    nothing where this torch has no such profiler.
    """
    try:
        made: Any = importlib.import_module("torch.autograd.profiler_legacy").profile
    except (ImportError, AttributeError):
        run()
        return []
    with made() as profiled:
        run()
    return [
        (event.name, event.time_range.start, event.time_range.end, not _inside_another(event))
        for event in profiled.function_events or ()
    ]


def _inside_another(event: Any) -> bool:
    parent = event.cpu_parent
    while parent is not None:
        if parent.name.startswith("aten::"):
            return True
        parent = parent.cpu_parent
    return False
