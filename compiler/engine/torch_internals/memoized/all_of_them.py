"""All of it together.

GIVES: repeated work of torch done once while a person waits for a recompile, and where nothing runs whose compiling is measured.
NEEDS: nothing beside what the others need.
"""

import contextlib
from collections.abc import Iterator

from compiler.engine.torch_internals.memoized import buffer_sizes, dtype_rules, static_partitions


@contextlib.contextmanager
def memoized() -> Iterator[None]:
    """While this is entered, torch does none of that again. What it compiles is the same."""
    with buffer_sizes.memoized(), dtype_rules.memoized(), static_partitions.memoized():
        yield
