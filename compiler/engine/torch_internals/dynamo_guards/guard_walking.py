"""Reader: torch's guard managers one by one, in the order of the checks."""

import re
from collections.abc import Iterator
from typing import Any

COMMENT = re.compile(r"  # (?:(.*?)  # )?([^\s(]\S*?):(\d+) in (\S+)")
"""What torch writes behind a guard's code: the line that made it and where that is. In brackets it is a place in torch, no line of a program."""


def walk(root: Any) -> Iterator[tuple[int, str, Any]]:
    """(index of the parent, step from it, manager), each parent before its children, in the order of the checks."""
    stack: list[tuple[int, str, Any]] = [(-1, "", root)]
    count = 0
    while stack:
        parent, accessor, manager = stack.pop()
        yield parent, accessor, manager
        stack += [(count, step, child) for step, child in reversed(_children(manager))]
        count += 1


def _children(manager: Any) -> list[tuple[str, Any]]:
    """Attributes first, then keys and values, as torch checks them: a subclass of dict has both."""
    steps = [accessor.repr() for accessor in manager.get_accessors()]
    found = list(zip(steps, manager.get_child_managers(), strict=True))
    if hasattr(manager, "get_key_value_managers"):
        found += [
            (f"{name}[{index}]", child)
            for index, pair in sorted(manager.get_key_value_managers().items())
            for name, child in zip(("key", "value"), pair, strict=True)
            if child is not None
        ]
    return found


def leaves_of(manager: Any, parent: int) -> list[Any]:
    """The checks of one manager; those that torch runs last belong to the root."""
    return [*manager.get_leaf_guards(), *(manager.get_epilogue_lambda_guards() if parent < 0 else ())]


def checks_of(leaf: Any) -> tuple[str, ...]:
    """What a leaf checks; torch writes a check of a symbol twice where two lines of the program made it."""
    return tuple(dict.fromkeys(strip_comment(part) for part in leaf.verbose_code_parts()))


def strip_comment(part: str) -> str:
    """A guard's code without the place that torch writes behind it."""
    end = part.find("  # ")
    return (part if end < 0 else part[:end]).strip()
