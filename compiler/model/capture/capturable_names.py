"""What may be captured in a Python file, read from its text: nothing of it runs."""

import ast
from pathlib import Path

_MAKING_CALLABLES = {"compile", "load", "vmap"}
"""Functions of torch itself that may give what can be called."""


def capturable_names(tree: ast.Module) -> tuple[str, ...]:
    """Names of a file that may be captured, the likeliest first.

    Modules (classes whose base's name ends in Module) before functions; the last defined of each first, since
    parts come before the whole; then names that are assigned, but for what is plainly data (``x = torch.randn(2)``).
    """
    modules, functions, values = [], [], []
    for item in tree.body:
        if isinstance(item, ast.ClassDef) and any(last_name(base).endswith("Module") for base in item.bases):
            modules.append(item.name)
        elif (
            isinstance(item, ast.FunctionDef)
            and item.name != "example_inputs"
            and not item.name.startswith("_")
        ):
            functions.append(item.name)
        elif isinstance(item, ast.Assign) and not _is_data(item.value):
            values += [
                target.id for target in item.targets if isinstance(target, ast.Name) and target.id.islower()
            ]
    return (*reversed(modules), *reversed(functions), *reversed(values))


def names_in_file(path: Path) -> tuple[str, ...]:
    """What may be captured in a file; nothing if it cannot be read."""
    try:
        return capturable_names(ast.parse(path.read_text(encoding="utf-8")))
    except (OSError, SyntaxError, UnicodeDecodeError, ValueError):
        return ()


def _is_data(value: ast.expr) -> bool:
    """Whether it is a literal, arithmetic on one, what a function of torch itself makes, or an optimizer."""
    if not isinstance(value, ast.Call):
        return not isinstance(value, ast.Name | ast.Attribute | ast.Subscript | ast.Lambda | ast.Await)
    match ast.unparse(value.func).split("."):
        case ["torch", name]:
            return name.islower() and name not in _MAKING_CALLABLES
        case ["torch", "optim", *_] | ["optim", _]:
            return True
    return False


def last_name(base: ast.expr) -> str:
    """``Module`` of ``torch.nn.Module``; empty where it is neither a name nor an attribute."""
    if isinstance(base, ast.Attribute):
        return base.attr
    return base.id if isinstance(base, ast.Name) else ""
