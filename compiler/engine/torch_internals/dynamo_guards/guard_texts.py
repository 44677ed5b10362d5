"""Reader: a failing guard in words: what it expects, and what came."""

import re
import sys
from typing import Any

import torch

_TENSOR = re.compile(
    r"check_tensor\(.*?, (?P<type>\w+), DispatchKeySet\((?P<keys>.*?)\), (?P<dtype>torch\.\w+), "
    r"device=(?P<device>\w+), requires_grad=(?P<grad>\w+), size=\[(?P<size>.*?)\], stride=\[(?P<stride>.*?)\]\)"
)
_NUMBER = re.compile(r", (\d+)\), type=")
_TYPE = re.compile(r"type=<class '(.*)'>")
_LONGEST = 120


def describe(leaf: Any, kind: str, code: str, value: Any) -> str:
    """Why a leaf does not hold for a value; its code where no more can be said."""
    if kind == "TENSOR_MATCH":
        return _tensor(code, value) or code
    if kind == "GLOBAL_STATE":
        return _global_state(leaf) or code
    if kind in ("TYPE_MATCH", "ID_MATCH") and (match := _TYPE.search(code)):
        words = _another_type if kind == "TYPE_MATCH" else _another_object
        return f"{words(match.group(1), code, value)}: {code}"
    if kind == "ID_MATCH" and _NUMBER.search(
        code
    ):  # before 2.13 torch writes the object, not of what type it is
        now = f"the class {_full_name(value)}" if isinstance(value, type) else _name(value)
        return f"another object than before, now {now or f'a {_full_name(type(value))}'}: {code}"
    if kind in ("EQUALS_MATCH", "TRUE_MATCH", "FALSE_MATCH", "NONE_MATCH", "LENGTH_CHECK", "DICT_LENGTH"):
        shown = (
            repr(value) if isinstance(value, bool | int | float | str | type(None)) else type(value).__name__
        )
        shown = f"length {len(value)}" if kind in ("LENGTH_CHECK", "DICT_LENGTH") and _sized(value) else shown
        return f"{code}, but now {shown[:_LONGEST]}"
    return code


def _another_type(wanted: str, _: str, value: Any) -> str:
    now = _full_name(type(value))
    return f"expected a {wanted}, got {f'a {now}' if now != wanted else 'one of another class of that name'}"


def _another_object(wanted: str, code: str, value: Any) -> str:
    """Of a class torch writes its own name, not its type's: of which kind the object was, its number tells."""
    number = int(match.group(1)) if (match := _NUMBER.search(code)) else 0
    was_class = _is_class(number, wanted)
    if isinstance(value, type):
        now = _full_name(value)
        if was_class:
            got = f"the class {now}" if now != wanted else "another class of that name"
            return f"expected the class {wanted}, got {got}"
        return f"another object than before, now the class {now}"
    now = _full_name(type(value))
    if was_class:
        return f"expected the class {wanted}, got a {now}"
    if now != wanted:
        return f"expected a {wanted}, got a {now}"
    named = _name(value)
    return f"another {now} than before{f', now {named}' if named else ''}"


def _name(value: Any) -> str:
    named = getattr(value, "__qualname__", getattr(value, "co_qualname", getattr(value, "__name__", "")))
    return named if isinstance(named, str) else ""


def _is_class(number: int, name: str) -> bool:
    """Whether an address is that of a class of that name; one that a function made is in no module, and is looked for among all."""
    if "<locals>" not in name:
        found = _in_modules(name)
        return id(found) == number and isinstance(found, type)
    seen, rest = set[int](), [object]
    while rest:
        kind = rest.pop()
        if id(kind) == number:
            return True
        if id(kind) not in seen:
            seen.add(id(kind))
            rest += type.__subclasses__(kind)
    return False


def _in_modules(name: str) -> Any:
    """The object of that full name, as far as modules that are loaded have it; else None."""
    module, parts = name, list[str]()
    while module and module not in sys.modules:
        module, _, part = module.rpartition(".")
        parts.insert(0, part)
    found: Any = sys.modules.get(module or "builtins")
    for part in parts:
        found = vars(found).get(part) if hasattr(found, "__dict__") else None
    return found


def _full_name(of: type) -> str:
    return f"{of.__module__}.{of.__qualname__}".removeprefix("builtins.")


def _sized(value: Any) -> bool:
    return hasattr(value, "__len__")


def _global_state(leaf: Any) -> str:
    info = leaf.check_verbose(None) if hasattr(leaf, "check_verbose") else None
    parts = getattr(info, "verbose_code_parts", None) or ()
    return "; ".join(str(part).strip() for part in parts)


def _tensor(code: str, value: Any) -> str:
    """Everything in which a tensor differs from what is expected, not only the first thing."""
    match = _TENSOR.search(code)
    if match is None:
        return ""
    if not isinstance(value, torch.Tensor):
        return f"expected a {match['type']}, got a {type(value).__name__}"
    found: list[str] = []
    if type(value).__name__ != match["type"]:
        found.append(f"type: expected {match['type']}, got {type(value).__name__}")
    pairs = (
        ("dtype", match["dtype"], str(value.dtype)),
        ("requires_grad", match["grad"], str(value.requires_grad)),
        ("device", match["device"], str(value.device.index)),
    )
    found += [f"{what}: expected {wanted}, got {got}" for what, wanted, got in pairs if wanted != got]
    sizes, strides = _numbers(match["size"]), _numbers(match["stride"])
    if len(sizes) != value.dim():
        found.append(f"rank: expected {len(sizes)}, got {value.dim()}")
    else:
        found += _by_dimension("size", sizes, value.shape)
        if value.layout == torch.strided:
            found += _by_dimension("stride", strides, value.stride())
    return "; ".join(found) or "its kind (dispatch keys) differs: " + match["keys"]


def _numbers(text: str) -> list[int | None]:
    return [None if part.strip() == "None" else int(part) for part in text.split(",") if part.strip()]


def _by_dimension(what: str, wanted: list[int | None], got: Any) -> list[str]:
    return [
        f"{what} of dimension {index}: expected {expected}, got {actual}"
        for index, (expected, actual) in enumerate(zip(wanted, got, strict=False))
        if expected is not None and expected != actual
    ]
