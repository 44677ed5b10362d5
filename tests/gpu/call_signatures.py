"""What models and their classes ask to be called with."""

import inspect
from typing import Any


def needed(called: Any) -> list[str]:
    """The parameters without a default, by name."""
    rows = inspect.signature(called).parameters.values()
    free = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    return [row.name for row in rows if row.default is row.empty and row.kind not in free]


def accepted(model: Any) -> list[str]:
    """All that a model takes, in order."""
    return list(inspect.signature(model.forward).parameters)
