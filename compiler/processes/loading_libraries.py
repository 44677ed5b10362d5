"""While a process of ours loads torch: no warning of torch's ends it, it says nothing of a missing GPU, and Python's cycle
collector waits.

What is loaded stays, and is looked through again and again, which takes a seventh of the time that torch and what captures
need are loaded in. ``PYTHONWARNINGS=error`` is meant for the person's program; torch warns while it is only being imported.
"""

import contextlib
import gc
import logging
import warnings
from collections.abc import Iterator

_THEIRS = r"(torch|torchgen|torchvision|functorch|triton|sympy|mpmath|numpy|networkx|jinja2|filelock|compiler|app)(\.|$)"


def do_not_raise() -> None:
    """Warnings of torch, of what it needs, and ours stay warnings; those of the program become what was asked for."""
    if any(action == "error" for action, *_ in warnings.filters):
        warnings.filterwarnings("default", module=_THEIRS)
        warnings.filterwarnings("ignore", category=ResourceWarning, module=_THEIRS)


def _is_news(record: logging.LogRecord) -> bool:
    """A CUDA build of torch on a machine without a GPU says so at each start; `loupe doctor` lists the devices."""
    return not str(record.msg).startswith("No CUDA runtime is found")


@contextlib.contextmanager
def loading() -> Iterator[None]:
    """No cycle is collected meanwhile, and no later collection looks at what is there at the end. Who turned the collector off
    keeps it off.
    """
    logging.getLogger("torch.utils.cpp_extension").addFilter(_is_news)
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_on:
            gc.enable()
