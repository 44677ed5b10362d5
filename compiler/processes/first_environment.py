"""The environment that this process was started with: what a program changes of it is nothing for the processes that are
started later. One that executes the program changes it again by itself.
"""

import os
from collections.abc import Mapping

_first: dict[str, str] = {}


def remember_environment() -> None:
    """Take it as it is now, before any program runs."""
    _first.clear()
    _first.update(os.environ)


def first_environment() -> Mapping[str, str]:
    """As it was then; as it is now in a process that never remembered."""
    return dict(_first or os.environ)
