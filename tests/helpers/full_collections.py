"""Full collections of Python's collector, as they happen."""

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def full_collections() -> Iterator[list[int]]:
    """A number for each one while this is entered: how many objects it took away."""
    seen: list[int] = []

    def see(phase: str, info: dict[str, int]) -> None:
        if phase == "stop" and info["generation"] == 2:
            seen.append(info["collected"])

    gc.callbacks.append(see)
    try:
        yield seen
    finally:
        gc.callbacks.remove(see)
