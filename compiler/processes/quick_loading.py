"""While a process of ours loads modules, Python's cycle collector waits: what is loaded stays, and is looked through again and
again, which takes a seventh of the time that torch and what captures need are loaded in.
"""

import contextlib
import gc
from collections.abc import Iterator


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
