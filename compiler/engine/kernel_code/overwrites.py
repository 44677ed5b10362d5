"""Finds memory that a generated wrapper's kernels write though it is still needed: a kernel that writes what it should only
read, or a buffer whose memory is used again too early.
"""

import ast
import re
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

import torch

from compiler.engine.equal_tensors import same_numbers
from compiler.engine.torch_internals.inductor_kernels.wrapper_modules import load_wrapper

_BEFORE, _AFTER = "_loupe_before", "_loupe_after"
_NAME = re.compile(r"(buf\d+|arg\d+_\d+|primals_\d+|tangents_\d+)$")
_CPP = re.compile(r"^(\w+) = async_compile\.cpp_pybinding\(\[([^\]]*)\]", re.MULTILINE)
_TRITON = re.compile(r"^def (triton_\w+)\(([^)]*)\)", re.MULTILINE)
_RETURN = "return"


class Overwrite(NamedTuple):
    """Memory that is written and still needed."""

    name: str
    """Of the buffer or the input, in the wrapper."""
    by: str
    """The kernel that writes it; empty where it is not known."""
    reads_only: bool
    """Whether that kernel was handed it to read; else its memory was used for something else."""


def overwriting_wrapper(text: str, like: ModuleType, found: list[Overwrite]) -> Callable[..., Any]:
    """The function of the wrapper; a call fills `found`, the first of each name."""
    tree = ast.parse(text)
    read_only = _read_only(text)
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        if function.name == "call":
            _look_in(function, read_only)
    module = load_wrapper(ast.unparse(ast.fix_missing_locations(tree)), like)
    watch = _Watch(found)
    setattr(module, _BEFORE, watch.before)
    setattr(module, _AFTER, watch.after)
    call: Callable[..., Any] = module.call
    return call


class _Watch:
    def __init__(self, found: list[Overwrite]) -> None:
        self._found = found
        self._known: dict[str, tuple[torch.Tensor, torch.Tensor]] = {}
        self._changed_by: dict[str, str] = {}

    def before(self, kernel: str, given: dict[str, Any], reads: tuple[str, ...]) -> None:
        """A call is about to be made."""
        for name, value in given.items():
            if not isinstance(value, torch.Tensor):
                continue
            if name in self._known and name in self._changed_by and (name in reads or kernel == _RETURN):
                self._note(Overwrite(name, self._changed_by[name], False))
            elif name not in self._known:
                self._known[name] = value, value.detach().clone()

    def after(self, kernel: str, given: dict[str, Any], reads: tuple[str, ...]) -> None:
        """A call was made: what it was handed to write has other values now, and nothing else may have."""
        memory = {_memory(value) for value in given.values() if isinstance(value, torch.Tensor)}
        for name, (value, was) in list(self._known.items()):
            if _memory(value) not in memory or same_numbers(value, was):
                continue
            if name in given and name not in reads:
                self._known[name] = value, value.detach().clone()
                self._changed_by.pop(name, None)
            elif name in given:
                self._note(Overwrite(name, kernel, True))
            else:
                self._changed_by.setdefault(name, kernel)

    def _note(self, row: Overwrite) -> None:
        if all(other.name != row.name for other in self._found):
            self._found.append(row)


def _memory(value: torch.Tensor) -> int:
    return int(value.untyped_storage().data_ptr())


def _read_only(text: str) -> dict[str, set[int]]:
    """The positions of what a kernel is handed to read, by its name."""
    found = {}
    for name, types in _CPP.findall(text):
        found[name] = {index for index, kind in enumerate(types.split(",")) if "const " in kind}
    for name, arguments in _TRITON.findall(text):
        names = [argument.strip() for argument in arguments.split(",")]
        found[name] = {index for index, argument in enumerate(names) if argument.startswith("in_ptr")}
    return found


def _look_in(block: ast.AST, read_only: dict[str, set[int]]) -> None:
    for name in ("body", "orelse", "finalbody"):
        statements = getattr(block, name, None)
        if not isinstance(statements, list):
            continue
        looked: list[ast.stmt] = []
        for statement in statements:
            _look_in(statement, read_only)
            kernel, given, reads = _call(statement, read_only)
            notes = [_note(row, kernel, given, reads) for row in (_BEFORE, _AFTER)] if given else []
            looked += [*notes[:1], statement, *([] if kernel == _RETURN else notes[1:])]
        setattr(block, name, looked)


def _call(
    statement: ast.stmt, read_only: dict[str, set[int]]
) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """(kernel, all that it is handed, what it may only read)."""
    match statement:
        case ast.Return(value=ast.expr() as value):
            return _RETURN, _names(value), ()
        case ast.Expr(value=ast.Call(func=ast.Name(id=name)) as call):
            kernel = name
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr)) as call):
            kernel = name if attr == "run" else f"{name}.{attr}"
        case _:
            return "", (), ()
    given = _names(call)
    if kernel.startswith("extern_kernels."):
        written = {name for row in call.keywords if row.arg == "out" for name in _names(row.value)}
        return kernel, given, tuple(name for name in given if name not in written)
    positions = read_only.get(kernel)
    if positions is None:
        return "", (), ()
    reads = {
        name for index, value in enumerate(call.args) if index in positions for name in _names(value)
    } - {name for index, value in enumerate(call.args) if index not in positions for name in _names(value)}
    return kernel, given, tuple(sorted(reads))


def _names(node: ast.expr) -> tuple[str, ...]:
    names = (row.id for row in ast.walk(node) if isinstance(row, ast.Name))
    return tuple(dict.fromkeys(name for name in names if _NAME.match(name)))


def _note(function: str, kernel: str, given: tuple[str, ...], reads: tuple[str, ...]) -> ast.stmt:
    values = ast.Dict([ast.Constant(name) for name in given], [ast.Name(name, ast.Load()) for name in given])
    names = ast.Tuple([ast.Constant(name) for name in reads], ast.Load())
    return ast.Expr(ast.Call(ast.Name(function, ast.Load()), [ast.Constant(kernel), values, names], []))
