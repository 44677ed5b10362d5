"""A failure that is no fault of an edit: the program fails so without it."""

import re

import msgspec

from compiler.model.ir.diagnostics import Problem

_REMEDY = "Correct the program and capture it again."
_ADDRESS = re.compile(r"0x[0-9a-fA-F]+|\d{6,}")
"""Another one each time (*storage data ptrs are not allocated in pool (0, 1) but should be: {652188224}*)."""


def blamed(found: Problem, before: tuple[Problem, ...]) -> Problem:
    """What an edit failed with, reported as the program's own where the capture, whose problems are `before`, failed so too."""
    if not any(_same(found, item) for item in before):
        return found
    what = f"The program fails without the edit too: {found.said}"
    return msgspec.structs.replace(found, what=what, remedy=_REMEDY)


def _same(first: Problem, second: Problem) -> bool:
    """Torch wraps one error in others, by what it was doing."""
    if not first.said or not second.said:
        return False
    lasts = (_ADDRESS.sub("", item.said).rpartition(": ")[2] for item in (first, second))
    return (first.path, first.line) == (second.path, second.line) and len(set(lasts)) == 1
