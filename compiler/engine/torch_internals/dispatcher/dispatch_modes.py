"""Computing beside a program while its operations are watched."""

import contextlib
from collections.abc import Iterator

import torch.utils._python_dispatch as python_dispatch

GIVES = "directions of gradients that are not taken for numbers which the program drew"
NEEDS = ("torch.utils._python_dispatch:_disable_current_modes",)


@contextlib.contextmanager
def unwatched() -> Iterator[None]:
    """While this is entered, no mode sees what is computed."""
    with python_dispatch._disable_current_modes():
        yield
