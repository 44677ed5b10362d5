"""Edits of a user's file that put a choice among several cases into the graph with ``torch._higher_order_ops.switch``."""

import ast

from compiler.analysis.remedies.source_edits import names_at_top
from compiler.analysis.remedies.statements import Location, dotted, names_in

_SWITCH = "torch._higher_order_ops.switch"


def branches_as_switch(location: Location) -> str | None:
    """``if k == 0: y = a elif k == 1: y = b else: y = c`` (or ``match k``) as one call; None where it does not fit.

    The index is chosen by the conditions themselves, in their order, so that any conditions on tensors will do.
    """
    statement = location.statement
    if "torch" not in names_at_top(location) or not location.alone_on_its_lines:
        return None
    if location.lines[statement.lineno - 1].lstrip().startswith("elif"):
        return None
    cases = _of_if(location, statement) if isinstance(statement, ast.If) else _of_match(location, statement)
    if cases is None or len(cases) < 3 or cases[-1][0]:
        return None
    chosen = [_value(location, body) for _, body in cases]
    first = chosen[0]
    if first is None or any(one is None or one[0] != first[0] for one in chosen):
        return None
    index = str(len(cases) - 1)
    for number, (condition, _) in reversed(list(enumerate(cases[:-1]))):
        index = f"torch.where({condition}, {number}, {index})"
    indent = location.indent
    rows = [f"{indent}    lambda: {_own(one[1])},\n" for one in chosen if one is not None]
    head = f"{indent}{first[0]}{_SWITCH}(\n{indent}    {index},\n{indent}    (\n"
    body = "".join(f"    {row}" for row in rows)
    return location.replaced(f"{head}{body}{indent}    ),\n{indent})\n")


def index_as_switch(location: Location) -> str | None:
    """``self.experts[k](x)`` with a tensor ``k`` (or ``k.item()``, ``int(k)``) as one call; None where it does not fit."""
    if "torch" not in names_at_top(location):
        return None
    found = [
        node
        for node in ast.walk(location.statement)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Subscript)
        and not node.keywords
        and not any(isinstance(given, ast.Starred) for given in node.args)
    ]
    if len(found) != 1:
        return None
    call = found[0]
    subscript = call.func
    assert isinstance(subscript, ast.Subscript)
    index = _plain_index(subscript.slice)
    if not dotted(subscript.value) or index is None:
        return None
    given = "".join(f"{location.source(argument)}, " for argument in call.args)
    new = f"{_SWITCH}({location.source(index)}, tuple({location.source(subscript.value)}), ({given.rstrip() if len(call.args) == 1 else given.rstrip(', ')}))"
    lines = [line.encode() for line in location.lines]
    if call.end_lineno is None or call.end_col_offset is None:
        return None
    before = lines[call.lineno - 1][: call.col_offset]
    after = lines[call.end_lineno - 1][call.end_col_offset :]
    lines[call.lineno - 1 : call.end_lineno] = [before + new.encode() + after]
    return b"".join(lines).decode()


def _of_if(location: Location, statement: ast.If) -> list[tuple[str, list[ast.stmt]]] | None:
    """(condition, what is done) of every case, the last without a condition. None: a condition asks for truth by itself."""
    cases: list[tuple[str, list[ast.stmt]]] = []
    while True:
        if any(map(_asks_for_truth, ast.walk(statement.test))):
            return None
        cases.append((location.source(statement.test), statement.body))
        if len(statement.orelse) == 1 and isinstance(statement.orelse[0], ast.If):
            statement = statement.orelse[0]
            continue
        if statement.orelse:
            cases.append(("", statement.orelse))
        return cases


def _asks_for_truth(node: ast.AST) -> bool:
    """``and``, ``or``, ``not`` and ``0 < k < 3`` are branches too."""
    return (
        isinstance(node, ast.BoolOp | ast.IfExp)
        or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))
        or (isinstance(node, ast.Compare) and len(node.ops) > 1)
    )


def _of_match(location: Location, statement: ast.stmt) -> list[tuple[str, list[ast.stmt]]] | None:
    """The same of ``match k`` with numbers and a last ``case _``."""
    if not isinstance(statement, ast.Match) or not dotted(statement.subject):
        return None
    cases: list[tuple[str, list[ast.stmt]]] = []
    for case in statement.cases:
        if case.guard is not None:
            return None
        match case.pattern:
            case ast.MatchValue(value=ast.Constant(value=int() as number)):
                cases.append((f"{location.source(statement.subject)} == {number}", case.body))
            case ast.MatchAs(pattern=None, name=None):
                cases.append(("", case.body))
            case _:
                return None
    return cases if cases and all(condition for condition, _ in cases[:-1]) else None


def _value(location: Location, body: list[ast.stmt]) -> tuple[str, str] | None:
    """(what comes before the value, the value) of a case that is one assignment to a name, or a return."""
    if len(body) != 1:
        return None
    statement = body[0]
    if isinstance(statement, ast.Return) and statement.value is not None:
        return "return ", _in_line(location, statement.value)
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
        return (
            (f"{target.id} = ", _in_line(location, statement.value)) if isinstance(target, ast.Name) else None
        )
    if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
        name = statement.target.id
        return f"{name} = ", ast.unparse(ast.BinOp(ast.Name(name, ast.Load()), statement.op, statement.value))
    return None


def _in_line(location: Location, value: ast.expr) -> str:
    return location.source(value) if value.lineno == value.end_lineno else ast.unparse(value)


def _own(value: str) -> str:
    """A case that gives its operand back gives a copy: switch lets no result be an input."""
    return f"{value}.clone()" if value.isidentifier() else value


def _plain_index(index: ast.expr) -> ast.expr | None:
    """The tensor of ``k``, ``k.item()`` and ``int(k)``."""
    if isinstance(index, ast.Call):
        if isinstance(index.func, ast.Attribute) and index.func.attr == "item" and not index.args:
            return index.func.value
        if dotted(index.func) == "int" and len(index.args) == 1:
            return index.args[0]
    return index if isinstance(index, ast.Name | ast.Attribute) and names_in(index) else None
