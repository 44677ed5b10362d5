"""Edits of a user's file that take a graph break away; each gives the whole new text, or None where it does not fit.

They change as few characters as can be, so that the diff shows what happens and comments stay.
"""

import ast

from compiler.analysis.remedies.statements import Location, assigned_in, dotted, names_in

_DISABLING = ("torch.compiler.disable", "torch._dynamo.disable", "torch._dynamo.skip", "disable")


def without_statement(location: Location) -> str | None:
    """The statement removed, where it is nothing but a call."""
    if not isinstance(location.statement, ast.Expr) or not location.alone_on_its_lines:
        return None
    return location.replaced("")


def only_eagerly(location: Location) -> str | None:
    """The call made only outside torch.compile."""
    if (
        not isinstance(location.statement, ast.Expr)
        or not location.alone_on_its_lines
        or "torch" not in names_at_top(location)
    ):
        return None
    first, last = location.statement.lineno - 1, location.statement.end_lineno or location.statement.lineno
    body = "".join("    " + line if line.strip() else line for line in location.lines[first:last])
    return location.replaced(f"{location.indent}if not torch.compiler.is_compiling():\n{_ended(body)}")


def moved_to_end(location: Location) -> str | None:
    """The call made as the function's last statement, before it returns; only where that prints the same."""
    function, statement = location.function, location.statement
    if function is None or not isinstance(statement, ast.Expr) or not location.alone_on_its_lines:
        return None
    if location.siblings is not function.body:
        return None
    later = function.body[function.body.index(statement) + 1 :]
    if not later or any(isinstance(item, ast.Return) for other in later[:-1] for item in ast.walk(other)):
        return None
    if names_in(statement) & assigned_in(*later):
        return None
    last = later[-1]
    if last is later[0] and isinstance(last, ast.Return) and not (last.value and _computes(last.value)):
        return None  # it is the last already
    lines = location.lines
    text = "".join(lines[statement.lineno - 1 : statement.end_lineno])
    if isinstance(last, ast.Return):
        if last.value is not None and not isinstance(last.value, ast.Name | ast.Constant | ast.Tuple):
            returned = f"{location.indent}result = {location.source(last.value)}\n"
            if "result" in names_in(function) | assigned_in(function):
                return None
            ending = f"{returned}{_ended(text)}{location.indent}return result\n"
        else:
            ending = _ended(text) + _ended("".join(lines[last.lineno - 1 : last.end_lineno]))
        middle = lines[statement.end_lineno : last.lineno - 1]
    else:
        if any(isinstance(item, ast.Return) for item in ast.walk(last)):
            return None
        middle, ending = lines[statement.end_lineno : last.end_lineno], _ended(text)
    return "".join((*lines[: statement.lineno - 1], *_closed(middle), ending, *lines[last.end_lineno or 0 :]))


def _computes(value: ast.expr) -> bool:
    return not all(
        isinstance(item, ast.Name | ast.Constant | ast.Tuple | ast.expr_context) for item in ast.walk(value)
    )


def branch_as_where(location: Location) -> str | None:
    """``if cond: x = a else: x = b`` as ``x = torch.where(cond, a, b)``."""
    parts = _branches(location)
    if parts is None or "torch" not in names_at_top(location):
        return None
    prefix, condition, first, second = parts
    return _with_branch(location, f"{location.indent}{prefix}torch.where({condition}, {first}, {second})\n")


def branch_as_cond(location: Location) -> str | None:
    """``if cond: x = a else: x = b`` as ``x = torch.cond(cond, lambda: a, lambda: b)``: only one side is computed."""
    parts = _branches(location)
    if parts is None or "torch" not in names_at_top(location):
        return None
    prefix, condition, first, second = parts
    sides = [f"{side}.clone()" if side.isidentifier() else side for side in (first, second)]
    return _with_branch(
        location,
        f"{location.indent}{prefix}torch.cond({condition}, lambda: {sides[0]}, lambda: {sides[1]})\n",
    )


def _with_branch(location: Location, new: str) -> str:
    """The ``if`` replaced, with the return that was its other side."""
    statement = location.statement
    assert isinstance(statement, ast.If)
    text = location.replaced(new)
    if isinstance(statement.body[-1], ast.Return) and not statement.orelse:
        following = location.siblings[location.siblings.index(statement) + 1]
        lines = location.lines
        first, last = statement.lineno - 1, following.end_lineno or following.lineno
        text = "".join((*lines[:first], new, *lines[last:]))
    return text


def _branches(location: Location) -> tuple[str, str, str, str] | None:
    """(what comes before the value, condition, value if true, value if false) of an ``if`` that chooses one value."""
    statement = location.statement
    if not isinstance(statement, ast.If) or len(statement.body) != 1 or len(statement.orelse) > 1:
        return None
    if location.lines[statement.lineno - 1].lstrip().startswith("elif"):
        return None
    condition = location.source(statement.test)
    body = statement.body[0]
    other = statement.orelse[0] if statement.orelse else None
    if isinstance(body, ast.Return):
        following = location.siblings[location.siblings.index(statement) + 1 :]
        last = other or (following[0] if following else None)
        if not isinstance(last, ast.Return) or body.value is None or last.value is None:
            return None
        return "return ", condition, location.source(body.value), location.source(last.value)
    first = _assigned(location, body)
    if first is None:
        return None
    second = _assigned(location, other) if other is not None else (first[0], first[0])
    if second is None or second[0] != first[0]:
        return None
    return f"{first[0]} = ", condition, first[1], second[1]


def _assigned(location: Location, statement: ast.stmt) -> tuple[str, str] | None:
    """(name, value) of an assignment to one name."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target, value = statement.targets[0], location.source(statement.value)
        return (target.id, value) if isinstance(target, ast.Name) else None
    if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
        name = statement.target.id
        return name, ast.unparse(ast.BinOp(ast.Name(name, ast.Load()), statement.op, statement.value))
    return None


def _asked_for_numbers(statement: ast.stmt) -> set[ast.AST]:
    """All nodes in conditions and in arguments of ``range``."""
    tops: list[ast.expr] = []
    for node in ast.walk(statement):
        if isinstance(node, ast.IfExp | ast.Assert | ast.While | ast.If):
            tops.append(node.test)
        elif isinstance(node, ast.comprehension):
            tops += node.ifs
        elif isinstance(node, ast.Call) and dotted(node.func) == "range":
            tops += node.args
    return {node for top in tops for node in ast.walk(top)}


def without_item(location: Location) -> str | None:
    """``x.item()`` and ``float(x)`` as ``x.detach()``: a tensor of no dimensions goes on as a tensor, and like a number it is no
    part of a gradient.

    Not in a condition or a ``range``: Python would ask the tensor there.
    """
    if isinstance(location.statement, ast.If | ast.While | ast.For):
        return None  # its line is a condition, or what a loop goes over
    asked = _asked_for_numbers(location.statement)
    calls = [
        node for node in ast.walk(location.statement) if isinstance(node, ast.Call) and node not in asked
    ]
    asks = any(_is_item(node) for node in calls)
    found: dict[ast.Call, ast.expr] = {}
    for node in calls:  # outer ones first
        value = _made_a_number(node)
        if value is None or any(node in ast.walk(other) for other in found):
            continue
        if asks and not _is_item(node) and isinstance(value, ast.Name | ast.Attribute):
            continue  # `float(heads) * x.item()`: a number of Python's, as likely as not
        while isinstance(value, ast.Call) and (inner := _made_a_number(value)) is not None:
            value = inner
        if any(
            isinstance(inner, ast.Call) and _made_a_number(inner) is not None for inner in ast.walk(value)
        ):
            return None
        found[node] = value
    if not found:
        return None
    lines = [line.encode() for line in location.lines]
    for node, value in sorted(
        found.items(), key=lambda pair: (pair[0].lineno, pair[0].col_offset), reverse=True
    ):
        if node.end_lineno != node.lineno or node.end_col_offset is None:
            return None
        plain = isinstance(value, ast.Name | ast.Attribute | ast.Call | ast.Subscript)
        tensor = location.source(value) if plain else f"({location.source(value)})"
        line = lines[node.lineno - 1]
        new = f"{tensor}.detach()".encode()
        lines[node.lineno - 1] = line[: node.col_offset] + new + line[node.end_col_offset :]
    return b"".join(lines).decode()


def _is_item(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Attribute) and node.func.attr == "item" and not node.args


def _made_a_number(node: ast.Call) -> ast.expr | None:
    """What ``.item()`` or ``float()`` makes a number of."""
    if isinstance(node.func, ast.Attribute) and _is_item(node):
        return node.func.value
    if dotted(node.func) == "float" and len(node.args) == 1 and not isinstance(node.args[0], ast.Constant):
        return node.args[0]
    return None


def without_disable(text: str, function: str) -> str | None:
    """The function's ``@torch.compiler.disable`` removed. `function` is its name, with or without its class."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return None
    wanted = function.rpartition(".")[2]
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef) or node.name != wanted:
            continue
        for decorator in node.decorator_list:
            called = decorator.func if isinstance(decorator, ast.Call) else decorator
            if dotted(called) in _DISABLING:
                lines = text.splitlines(keepends=True)
                return "".join((*lines[: decorator.lineno - 1], *lines[decorator.end_lineno or 0 :]))
    return None


def names_at_top(location: Location) -> set[str]:
    """Names that the file imports."""
    return {
        (alias.asname or alias.name).partition(".")[0]
        for node in ast.walk(location.tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }


def _ended(text: str) -> str:
    return text if text.endswith("\n") else text + "\n"


def _closed(lines: list[str]) -> list[str]:
    return [*lines[:-1], _ended(lines[-1])] if lines else []
