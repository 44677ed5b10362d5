"""Every text that is filled by name gets the names that stand in it: a name changed on one side fails when it is shown."""

import ast
import string
from collections.abc import Iterator

from tests.helpers.our_sources import ROOT, trees


def fills(tree: ast.Module) -> Iterator[tuple[int, str, ast.Call]]:
    """Line, text and call of each ``text.format(…)``, the text written there, translated, or a constant of the module."""
    constants = {
        target.id: item.value
        for item in tree.body
        if isinstance(item, ast.Assign)
        for target in item.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
            for text in texts(node.func.value, constants):
                yield node.lineno, text, node


def texts(value: ast.expr, constants: dict[str, ast.expr]) -> Iterator[str]:
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        yield value.value
    elif isinstance(value, ast.Name) and value.id in constants:
        yield from texts(constants[value.id], {})
    elif isinstance(value, ast.IfExp):
        yield from texts(value.body, constants)
        yield from texts(value.orelse, constants)
    elif (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Name)
        and value.func.id in ("tr", "tr_noop")
    ):
        yield from texts(value.args[0], constants)


def names_in(text: str) -> set[str]:
    found = set()
    for _, field, spec, _ in string.Formatter().parse(text):
        if field is not None:
            found |= {field.partition(".")[0].partition("[")[0]} | names_in(spec or "")
    return found


def test_texts_are_given_what_they_name() -> None:
    missing = []
    for path, tree in trees(("app", "compiler", "torch_loupe"), ".format("):
        for line, text, call in fills(tree):
            given = {word.arg for word in call.keywords}
            if None in given or any(isinstance(arg, ast.Starred) for arg in call.args):
                continue  # given a whole table of names
            named = {name for name in names_in(text) if name and not name.isdecimal()}
            missing += [f"{path.relative_to(ROOT)}:{line}: {name}" for name in sorted(named - given)]
    assert missing == []
