"""What is run in a dispatch mode of ours is not compiled, not even what compiles itself: eager `torch.cond` does.

Under a mode Dynamo skips each frame that it meets, and remembers that for good: the next call of `torch.cond` outside the
mode then ends in "Unsupported: torch.* op returned non-Tensor", and so does every later one.
"""

import contextlib
from collections.abc import Iterator

import torch


@contextlib.contextmanager
def nothing_compiled() -> Iterator[None]:
    """Enter before a mode."""
    with torch.compiler.set_stance("force_eager"):
        yield
