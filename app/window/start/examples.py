"""The example programs that come with Torch Loupe, with one line each. They are read, never imported."""

import ast
from dataclasses import dataclass
from pathlib import Path

from app.translation.texts import tr
from compiler.installation import RESOURCES
from compiler.model.capture.capturable_names import capturable_names


@dataclass(frozen=True)
class Example:
    """One example."""

    path: Path
    target: str
    """What to capture in it."""
    text: str
    """The first line of its docstring."""


def examples_folder() -> Path:
    """Where the examples are."""
    return RESOURCES / "examples"


def find_examples() -> tuple[Example, ...]:
    """All examples, by name."""
    found = (
        read_example(path) for path in sorted(examples_folder().glob("*.py")) if not path.name.startswith("_")
    )
    return tuple(example for example in found if example is not None)


def read_example(path: Path) -> Example | None:
    """One example, or None for a file that cannot be read or defines nothing to capture."""
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except (OSError, SyntaxError, UnicodeDecodeError):
        return None
    names = capturable_names(tree)
    text = (ast.get_docstring(tree) or "").strip().partition("\n")[0]
    return Example(path, names[0], text) if names else None


def why_no_names(path: Path) -> str:
    """What keeps a file from offering names, with its line and what to do."""
    try:
        if capturable_names(ast.parse(path.read_text(encoding="utf-8"))):
            return ""
    except FileNotFoundError:
        return tr("There is no file {path}.").format(path=path)
    except SyntaxError as error:
        return tr(
            "{name}, line {line}: {error}. Correct it first: nothing of the file can be captured."
        ).format(name=path.name, line=error.lineno or 1, error=error.msg)
    except (OSError, ValueError) as error:
        return tr("{name} cannot be read: {error}.").format(name=path.name, error=error)
    return tr(
        "{name} defines no nn.Module and no function at its top. Type the name of what it makes otherwise."
    ).format(name=path.name)


def brings_inputs(path: Path) -> bool:
    """Whether a file defines ``example_inputs``; True if it cannot be read, since then nothing is known."""
    try:
        return "example_inputs" in path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return True
