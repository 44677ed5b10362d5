"""``PYTHONWARNINGS=error`` is meant for the person's program. torch warns while it is only being imported."""

import warnings

_THEIRS = r"(torch|torchgen|torchvision|functorch|triton|sympy|mpmath|numpy|networkx|jinja2|filelock|compiler|app)(\.|$)"


def do_not_raise() -> None:
    """Warnings of torch, of what it needs, and ours stay warnings; those of the program become what was asked for."""
    if any(action == "error" for action, *_ in warnings.filters):
        warnings.filterwarnings("default", module=_THEIRS)
        warnings.filterwarnings("ignore", category=ResourceWarning, module=_THEIRS)
