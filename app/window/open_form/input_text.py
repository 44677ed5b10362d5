"""The inputs a person filled into a form, as the Python text that the engine evaluates."""

from collections.abc import Sequence

from app.translation.texts import tr
from compiler.model.capture.capture_spec import ArgumentSpec

FLOATS = ("float32", "float64", "float16", "bfloat16")
INTEGERS = ("int64", "int32", "int16", "int8", "uint8")
DTYPES = (*FLOATS, *INTEGERS, "bool", "complex64")


def inputs_text(arguments: Sequence[ArgumentSpec]) -> str:
    """The positional arguments, as they stand in a call."""
    return ", ".join(argument_text(argument) for argument in arguments if not argument.keyword)


def keyword_text(arguments: Sequence[ArgumentSpec]) -> str | None:
    """The keyword arguments, as they stand in a call; None where there are none."""
    texts = [f"{one.name}={argument_text(one)}" for one in arguments if one.keyword]
    return ", ".join(texts) or None


def argument_text(argument: ArgumentSpec) -> str:
    """One argument: a tensor of random values, or the value as it is spelled."""
    if argument.kind != "tensor":
        return argument.text
    shape = f"({', '.join(map(str, argument.shape))}{',' if len(argument.shape) == 1 else ''})"
    dtype = argument.dtype.removeprefix("torch.")
    rest = f", device={argument.device!r}" if argument.device and argument.device != "cpu" else ""
    if dtype in INTEGERS:
        return f"torch.randint(0, 10, {shape}, dtype=torch.{dtype}{rest})"
    if dtype == "bool":
        return f"torch.rand({shape}{rest}) > 0.5"
    gradient = ", requires_grad=True" if argument.requires_grad else ""
    dtype_text = "" if dtype in ("", "float32") else f", dtype=torch.{dtype}"
    return f"torch.randn({shape}{dtype_text}{rest}{gradient})"


def shape_from_text(text: str) -> tuple[int, ...]:
    """The sizes a person typed: ``8, 128`` or ``8x128``; nothing for a scalar. Raises ValueError."""
    cleaned = text.replace("x", ",").replace("×", ",").strip("()[] ")
    parts = [part.strip() for part in cleaned.split(",") if part.strip()]
    sizes = tuple(int(part) for part in parts)
    if any(size < 0 for size in sizes):
        raise ValueError(tr("a size cannot be negative"))
    return sizes
