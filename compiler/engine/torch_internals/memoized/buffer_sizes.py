"""How large a buffer of a fixed size is, reckoned and spelt once.

Before each fusion torch asks which buffers could be another's memory, and reckons the size of every one again: 4 % of compiling
eighty layers.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

import sympy  # type: ignore[import-untyped]

from compiler.engine.torch_internals.patch.patching import around

GIVES = "sizes of buffers reckoned once"
NEEDS = (
    "torch._inductor.graph:compute_required_storage_length",
    "torch._inductor.codegen.wrapper:sympy_str",
)


@contextlib.contextmanager
def memoized() -> Iterator[None]:
    """While this is entered, the same whole numbers give what they gave. Sizes that are symbols are torch's own matter."""
    with around(NEEDS[0], _lengths_once, known={}), around(NEEDS[1], _texts_once, known={}):
        yield


def _lengths_once(
    shape: Any, strides: Any, storage_offset: Any, *, original: Any, known: dict[Any, Any]
) -> Any:
    if not all(isinstance(size, sympy.Integer) for size in (*shape, *strides)):
        return original(shape, strides, storage_offset)
    if type(storage_offset) is not int and not isinstance(storage_offset, sympy.Integer):
        return original(shape, strides, storage_offset)
    # 1 and Integer(1) are equal and not the same
    key = tuple(shape), tuple(strides), storage_offset, type(storage_offset)
    if key not in known:
        known[key] = original(shape, strides, storage_offset)
    return known[key]


def _texts_once(expression: Any, *, original: Any, known: dict[sympy.Integer, str]) -> Any:
    if not isinstance(expression, sympy.Integer):
        return original(expression)
    if expression not in known:
        known[expression] = original(expression)
    return known[expression]
