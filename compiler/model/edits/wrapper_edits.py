"""The edit of a generated wrapper: the Python module that allocates buffers and calls the kernels."""

import ast
import hashlib

import msgspec

from compiler.model.edits.validation import EditError
from compiler.model.ir.ids import StageId
from compiler.model.ir.loop_ir import WrapperCode

CPP_WRAPPER = "This wrapper is C++ (cpp_wrapper): it is built with the graph and cannot be edited."


class ReplaceWrapper(msgspec.Struct, frozen=True, tag="replace_wrapper"):
    """Give a graph's wrapper another text. What it computes is then the person's affair, and judged.

    Sources of kernels that edits of the kernel stage give are put into it.
    """

    stage: StageId
    text: str
    base: str
    """`fingerprint` of the text that Inductor generated: on another one the edit does not fit."""


def fingerprint(text: str) -> str:
    """What distinguishes generated wrappers; comments, which number the compiles, do not count."""
    lines = [line for line in text.split("\n") if not line.lstrip().startswith("#")]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def syntax_error(text: str) -> tuple[int, str] | None:
    """(line from 1, what Python says) where a text is no Python, or lacks what torch calls; else None."""
    try:
        module = ast.parse(text)
    except SyntaxError as error:
        return error.lineno or 1, str(error.msg)
    except ValueError as error:  # null bytes
        return 1, str(error)
    if not any(_defines_call(statement) for statement in module.body):
        return 1, "it defines no call, which torch runs"
    return None


def _defines_call(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return statement.name == "call"
    return isinstance(statement, ast.Assign) and any(
        isinstance(name, ast.Name) and name.id == "call"
        for target in statement.targets
        for name in ast.walk(target)
    )


def replace_wrapper(code: WrapperCode, edit: ReplaceWrapper) -> tuple[WrapperCode, ReplaceWrapper]:
    """The wrapper with another text, and the edit that takes it back. Raises EditError."""
    if code.language != "python":
        raise EditError(CPP_WRAPPER)
    if code.text == edit.text:
        raise EditError("The text is the same.")
    if found := syntax_error(edit.text):
        raise EditError(f"Line {found[0]}: {found[1]}.")
    base = code.base or fingerprint(code.text)
    if edit.base != base:
        raise EditError("Inductor generated another wrapper than the one that was edited.")
    inverse = ReplaceWrapper(edit.stage, code.text, base)
    return msgspec.structs.replace(code, text=edit.text, base=base), inverse
