"""A generated wrapper that shows the buffers its kernels fill while it runs: the same text with notes between its lines."""

import ast
import re
from collections.abc import Callable
from types import ModuleType
from typing import Any

import torch

from compiler.engine.torch_internals.inductor_kernels.wrapper_modules import load_wrapper

_NOTE = "_loupe_note"
_BUFFER = re.compile(r"buf\d+$")


def with_notes(text: str) -> str:
    """The wrapper's text with ``_loupe_note("buf0", buf0)`` behind each call that is given a buffer, or that gives one.

    Allocations are no calls of that kind: what they give is not filled yet.
    """
    tree = ast.parse(text)
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        if function.name == "call":
            _note_in(function)
    return ast.unparse(ast.fix_missing_locations(tree))


def _note_in(block: ast.AST) -> None:
    for name in ("body", "orelse", "finalbody"):
        statements = getattr(block, name, None)
        if isinstance(statements, list):
            noted: list[ast.stmt] = []
            for statement in statements:
                _note_in(statement)
                noted.append(statement)
                noted += [_note(buffer) for buffer in _filled(statement)]
            setattr(block, name, noted)


def _filled(statement: ast.stmt) -> list[str]:
    match statement:
        case ast.Expr(value=ast.Call() as call):
            names = [node.id for node in ast.walk(call) if isinstance(node, ast.Name)]
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Attribute())):
            names = [name]  # torch.ops.aten…: a call that gives a buffer; allocations are plain functions
        case _:
            return []
    return [name for name in dict.fromkeys(names) if _BUFFER.match(name)]


def _note(name: str) -> ast.stmt:
    loaded = ast.Name(name, ast.Load())
    return ast.Expr(ast.Call(ast.Name(_NOTE, ast.Load()), [ast.Constant(name), loaded], []))


def noting_wrapper(text: str, like: ModuleType, values: dict[str, torch.Tensor]) -> Callable[..., Any]:
    """The function of the wrapper that fills `values` with what each buffer was when it was first made."""

    def note(name: str, value: Any) -> None:
        if isinstance(value, torch.Tensor) and name not in values:
            values[name] = value.detach().clone()

    module = load_wrapper(with_notes(text), like)
    setattr(module, _NOTE, note)
    call: Callable[..., Any] = module.call
    return call
