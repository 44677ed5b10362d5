"""All of it together.

GIVES: repeated work of torch done once while a person waits for a recompile.
NEEDS: nothing beside what the others need.
"""

import contextlib
from collections.abc import Iterator

from compiler.engine.torch_internals.memoized import dtype_rules, static_partitions


@contextlib.contextmanager
def memoized() -> Iterator[None]:
    """While this is entered, torch does none of that again. What it compiles is the same."""
    with dtype_rules.memoized(), static_partitions.memoized():
        yield
