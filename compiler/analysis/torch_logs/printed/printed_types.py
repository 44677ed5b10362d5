"""Types as torch prints them in readable graphs: ``f32[4, s77][s77, 1]cuda:0``, ``Sym(s77)``."""

import functools
import math
import re

from compiler.model.ir.tensor_types import OtherValue, ScalarValue, TensorValue, Value

_DTYPES = {
    "f64": ("float64", 8),
    "f32": ("float32", 4),
    "f16": ("float16", 2),
    "bf16": ("bfloat16", 2),
    "i64": ("int64", 8),
    "i32": ("int32", 4),
    "i16": ("int16", 2),
    "i8": ("int8", 1),
    "u64": ("uint64", 8),
    "u32": ("uint32", 4),
    "u16": ("uint16", 2),
    "u8": ("uint8", 1),
    "b8": ("bool", 1),
    "c32": ("complex32", 4),
    "c64": ("complex64", 8),
    "c128": ("complex128", 16),
    "f8e4m3fn": ("float8_e4m3fn", 1),
    "f8e5m2": ("float8_e5m2", 1),
    "f8e4m3fnuz": ("float8_e4m3fnuz", 1),
    "f8e5m2fnuz": ("float8_e5m2fnuz", 1),
    "f8e8m0fnu": ("float8_e8m0fnu", 1),
    "f4e2m1fnx2": ("float4_e2m1fn_x2", 1),
}
_TENSOR = re.compile(r"(\w+)\[([^\[\]]*)\](?:\[([^\[\]]*)\])?([a-z][\w:]*)?")
_SYMBOL = re.compile(r"Sym\((.*)\)", re.DOTALL)
_MOST = 4000
"""Letters of a type that are read; torch's own are far shorter."""


@functools.lru_cache(maxsize=8192)
def read_type(text: str) -> Value | None:
    """What an annotation says; None for no annotation."""
    if not text:
        return None
    symbol = _SYMBOL.fullmatch(text) if len(text) < _MOST else None
    if symbol is not None:
        return ScalarValue("SymInt", symbol[1])
    found = _TENSOR.fullmatch(text) if len(text) < _MOST else None
    if found is None:
        return OtherValue(text[:80])
    dtype, item = _DTYPES.get(found[1], (found[1], None))
    shape = split_sizes(found[2])
    return TensorValue(
        shape=shape,
        dtype=dtype,
        device=found[4] or "cpu",
        stride=split_sizes(found[3]) if found[3] is not None else None,
        bytes=_bytes(shape, item),
    )


def _bytes(shape: tuple[str, ...], item: int | None) -> int | None:
    if item is None or not all(size.isascii() and size.isdigit() and len(size) < 19 for size in shape):
        return None
    return math.prod(int(size) for size in shape) * item


def split_sizes(text: str) -> tuple[str, ...]:
    """Sizes between commas, of which those in brackets separate nothing."""
    if not text.strip():
        return ()
    parts, depth, begin = [], 0, 0
    for index, letter in enumerate(text):
        if letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
        elif letter == "," and not depth:
            parts.append(text[begin:index].strip())
            begin = index + 1
    last = text[begin:].strip()
    return (*parts, last) if last else tuple(parts)
