"""Whether what a captured program gave is what the program gives: tensors within rounding, everything else alike."""

import math
import re
from typing import Any

import torch
from torch.utils import _pytree as pytree

from compiler.engine.accuracy.tolerance import near_eager, near_number
from compiler.model.capture.counted import counted

_SHOWN = 3


def what_differs(found: Any, expected: Any) -> str:
    """How a result differs from eager's, in one line; empty where it does not."""
    ours, theirs = pytree.tree_leaves(found), pytree.tree_leaves(expected)
    if len(ours) != len(theirs):
        return f"{counted(len(ours), 'result')}, eager gives {len(theirs)}"
    for index, (one, other) in enumerate(zip(ours, theirs, strict=True)):
        words = _leaf_differs(one, other)
        if words:
            return words if len(theirs) == 1 else f"result {index}: {words}"
    return ""


def _leaf_differs(found: Any, expected: Any) -> str:
    if isinstance(expected, torch.Tensor) and isinstance(found, torch.Tensor):
        return _tensor_differs(found.detach().cpu(), expected.detach().cpu())
    if isinstance(expected, torch.Tensor) or isinstance(found, torch.Tensor):
        single = [value.item() if isinstance(value, torch.Tensor) and value.numel() == 1 else value for value in (found, expected)]  # fmt: skip
        return "" if _alike(*single) else f"{_short(found)}, eager gives {_short(expected)}"
    return "" if _alike(found, expected) else f"{_short(found)}, eager gives {_short(expected)}"


def _tensor_differs(found: torch.Tensor, expected: torch.Tensor) -> str:
    if found.shape != expected.shape:
        return f"shape {list(found.shape)}, eager gives {list(expected.shape)}"
    if found.dtype != expected.dtype:
        return f"{found.dtype}, eager gives {expected.dtype}"
    if near_eager(found, expected):
        return ""
    wrong = (found != expected) & ~((found != found) & (expected != expected))  # NaN is not itself
    kind = torch.complex128 if found.is_complex() else torch.float64
    distance = (found.to(kind) - expected.to(kind)).abs().nan_to_num(nan=math.inf, posinf=math.inf)
    distance = distance.where(wrong, -1).reshape(-1)
    at = (
        distance.topk(min(_SHOWN, int(wrong.sum()))).indices.sort().values
    )  # the others may be equal as far as is shown
    return f"{_numbers(found, at)}, eager gives {_numbers(expected, at)}"


def _numbers(value: torch.Tensor, at: torch.Tensor) -> str:
    shown = value.reshape(-1)[at].tolist()
    return ", ".join(f"{number:.4g}" if isinstance(number, float) else str(number) for number in shown)


def _alike(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, int | float):
        return near_number(one, other)
    try:
        return bool(one == other)
    except Exception:  # noqa: BLE001  objects of the user's may not compare
        return type(one) is type(other)


def _short(value: Any) -> str:
    text = str(value).replace("\n", " ")
    return text if len(text) <= 60 else text[:57] + "…"


_NUMBER = re.compile(r"-?\d+(\.\d+)?(e[-+]?\d+)?")


def prints_differ(found: str, expected: str) -> bool:
    """Whether what was printed is another text; numbers may be rounded otherwise."""
    return _NUMBER.sub("#", found).split() != _NUMBER.sub("#", expected).split()
