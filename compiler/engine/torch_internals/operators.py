"""Schemas of torch's operators."""

from typing import Any

GIVES = "operator schemas"
NEEDS = ("torch._ops:OpOverload",)


def schema_of(target: Any) -> Any:
    """The schema of an operator, or None for a Python function."""
    return getattr(target, "_schema", None)
