"""While a process of ours loads torch: no warning of torch's ends it, and Python's cycle collector waits.

What is loaded stays, and is looked through again and again, which takes a seventh of the time that torch and what captures
need are loaded in. ``PYTHONWARNINGS=error`` is meant for the person's program; torch warns while it is only being imported.
"""

import contextlib
import gc
import warnings
from collections.abc import Iterator

_THEIRS = r"(torch|torchgen|torchvision|functorch|triton|sympy|mpmath|numpy|networkx|jinja2|filelock|compiler|app)(\.|$)"


def do_not_raise() -> None:
    """Warnings of torch, of what it needs, and ours stay warnings; those of the program become what was asked for."""
    if any(action == "error" for action, *_ in warnings.filters):
        warnings.filterwarnings("default", module=_THEIRS)
        warnings.filterwarnings("ignore", category=ResourceWarning, module=_THEIRS)


@contextlib.contextmanager
def loading() -> Iterator[None]:
    """No cycle is collected meanwhile, and no later collection looks at what is there at the end. Who turned the collector off
    keeps it off.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_on:
            gc.enable()
