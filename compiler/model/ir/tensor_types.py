"""What flows along an edge: the type of a node's result, as text and numbers."""

from functools import lru_cache
from typing import TypeAlias

import msgspec


class TensorValue(msgspec.Struct, frozen=True, gc=False, tag="tensor"):
    """A tensor's type. Sizes are text since they may be symbolic (``"s27"``)."""

    shape: tuple[str, ...]
    dtype: str
    """Without the ``torch.`` prefix: ``"float32"``."""
    device: str = "cpu"
    stride: tuple[str, ...] | None = None
    requires_grad: bool = False
    bytes: int | None = None
    """Size of the elements; None where a size is symbolic."""


class ScalarValue(msgspec.Struct, frozen=True, gc=False, tag="scalar"):
    """A number or a symbolic number."""

    type_name: str
    text: str


class TupleValue(msgspec.Struct, frozen=True, gc=False, tag="tuple"):
    """Several results, ``getitem`` of which follows."""

    items: tuple["Value", ...]


class OtherValue(msgspec.Struct, frozen=True, gc=False, tag="other"):
    """Anything else, by the name of its type."""

    type_name: str


Value: TypeAlias = TensorValue | ScalarValue | TupleValue | OtherValue


@lru_cache(maxsize=2048)
def describe(value: Value | None) -> str:
    """Short text of a type, such as ``f32[32, 128]``; empty for None."""
    match value:
        case None:
            return ""
        case TensorValue():
            return f"{short_dtype(value.dtype)}[{', '.join(value.shape)}]"
        case ScalarValue():
            return f"{value.type_name}({value.text})"
        case TupleValue():
            return "(" + ", ".join(describe(item) for item in value.items) + ")"
        case OtherValue():
            return value.type_name


_SHORT = {
    "float64": "f64",
    "float32": "f32",
    "float16": "f16",
    "bfloat16": "bf16",
    "int64": "i64",
    "int32": "i32",
    "int16": "i16",
    "int8": "i8",
    "uint8": "u8",
    "bool": "b8",
    "complex64": "c64",
    "complex128": "c128",
}


def short_dtype(dtype: str) -> str:
    """``float32`` as ``f32``: the spelling torch itself uses in readable graphs."""
    return _SHORT.get(dtype, dtype)


def byte_size(value: Value | None) -> int | None:
    """Bytes of all tensors in a value, or None if one of them has a symbolic size."""
    match value:
        case TensorValue():
            return value.bytes
        case TupleValue():
            sizes = [byte_size(item) for item in value.items]
            return None if None in sizes else sum(size or 0 for size in sizes)
        case _:
            return 0


def describe_bytes(count: int | None) -> str:
    """``16384`` as ``16.0 KiB``."""
    if count is None:
        return "unknown"
    size = float(count)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024 or unit == "GiB":
            return f"{int(size)} B" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1024
    raise AssertionError
