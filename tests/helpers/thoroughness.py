"""How much of what can be tried is tried: a share of it by `make test`, other examples each time, and all of it by `make sweep`."""

import os
from collections.abc import Container, Iterable

import pytest

ALL = "LOUPE_SWEEP" in os.environ


def examples(most: int) -> int:
    """Of a property, how many are tried."""
    return most if ALL else max(10, most // 5)


def some(
    values: Iterable[object], kept: Container[object] = (), first: int = 1, one: bool = False
) -> list[object]:
    """For ``parametrize``: `make test` tries those that are `kept`, or else the `first` few; `make sweep` and `make matrix` all.
    `one`: a tuple is the value of one argument.
    """
    rows = list(values)
    kept = kept or rows[:first]
    return [
        row
        if row in kept
        else pytest.param(
            *(row if isinstance(row, tuple) and not one else (row,)), marks=pytest.mark.thorough
        )
        for row in rows
    ]
