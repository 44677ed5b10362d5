"""Kernels with another text beside the ones before, on the same inputs: a step may not show what one of them writes, since it is
multiplied by 0, overwritten, or kept for a backward that nobody takes.
"""

import contextlib
import functools
import re
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import torch

from compiler.engine.accuracy.tolerance import difference, near_eager
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.records.wrapper_kernels import kernel_sources, text_of
from compiler.model.capture.counted import first_of
from compiler.model.edits.edits import Edit, ReplaceKernel, single_edits
from compiler.model.timing.verdicts import Difference

_MOST_CALLS = 4
"""Of each kernel: a loop calls it often."""
_MOST_BYTES = 1 << 31
"""What is copied for one call."""
_MOST_NAMED = 3
_PARAMETERS = {
    "cpp": re.compile(r"\bvoid\s+kernel\s*\(([^)]*)\)"),
    "triton": re.compile(r"^def \w+\(([^)]*)\)", re.M),
}
_NAME = re.compile(r"(\w+)\s*(?::.*|=.*)?$", re.S)

Written = dict[str, Difference]
"""What was written to a parameter otherwise, by the parameter's name."""


def why_not_shown(program: EditedProgram, edits: tuple[Edit, ...], step: Callable[[], object]) -> str:
    """Why what a step gives does not tell whether kernels with another text are right, as a clause; empty where it may tell.
    `step` runs one with the edits.
    """
    if not any(isinstance(edit, ReplaceKernel) for edit in single_edits(edits)):
        return ""
    with _comparing(program) as found:
        step()
    if not found:
        return ""
    rows = (max(written.values(), key=lambda row: row.max_relative).sentence for written in found.values())
    said = [f"{kernel} ({row})" for kernel, row in zip(found, rows, strict=True)]
    return (
        f"from the same inputs other values are written than before the edit by {first_of(said, _MOST_NAMED)}, and nothing that a step "
        "gives shows it"
    )


@contextlib.contextmanager
def _comparing(program: EditedProgram) -> Iterator[dict[str, Written]]:
    """The kernels that wrote something else than the ones before would have, of those that are called meanwhile."""
    found: dict[str, Written] = {}
    with contextlib.ExitStack() as stack:
        for module, before in program.wrappers_with_other_texts():
            for name, names in _comparable(module, before).items():
                own = vars(module)[name]
                stack.callback(setattr, module, name, own)
                noted = functools.partial(found.setdefault, name)
                setattr(module, name, _Beside(own, vars(before)[name], names, noted))
        yield found


def _comparable(module: ModuleType, before: ModuleType) -> dict[str, tuple[str, ...]]:
    """The parameters of each kernel that has another text and takes the same: with others, the one before can't be called."""
    texts, others = kernel_sources(text_of(module)), kernel_sources(text_of(before))
    return {
        name: parameters
        for name, text in texts.items()
        if text != others.get(name, text) and name in vars(module) and name in vars(before)
        if (parameters := _parameters(text)) and parameters == _parameters(others[name])
    }


def _parameters(source: str) -> tuple[str, ...]:
    for pattern in _PARAMETERS.values():
        if found := pattern.search(source):
            rows = (_NAME.search(row.strip()) for row in found[1].split(",") if row.strip())
            return tuple(row[1] for row in rows if row is not None)
    return ()


class _Beside:
    """A kernel that is called together with the one before it, which works on copies."""

    def __init__(
        self, own: Any, before: Any, names: tuple[str, ...], noted: Callable[[Written], Written]
    ) -> None:
        self._own, self._before, self._names, self._noted = own, before, names, noted
        self._left = _MOST_CALLS

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return self._called(self._own, self._before, args, keywords)

    def __getattr__(self, name: str) -> Any:
        own = getattr(self._own, name)
        if name != "run":
            return own
        return lambda *args, **keywords: self._called(own, self._before.run, args, keywords)

    def _called(
        self,
        own: Callable[..., Any],
        before: Callable[..., Any],
        args: tuple[Any, ...],
        keywords: dict[str, Any],
    ) -> Any:
        self._left -= 1
        copies = _copies(args) if self._left >= 0 else None
        if copies is not None and not _ran(before, copies, keywords):
            copies = None
        result = own(*args, **keywords)
        if copies is not None and (written := dict(self._otherwise(args, copies))):
            self._noted(written).update(written)
        return result

    def _otherwise(self, args: tuple[Any, ...], copies: tuple[Any, ...]) -> Iterator[tuple[str, Difference]]:
        for index, (mine, other) in enumerate(zip(args, copies, strict=True)):
            if isinstance(mine, torch.Tensor) and not near_eager(mine, other):
                name = self._names[index] if index < len(self._names) else f"argument {index}"
                yield name, difference(name, mine, other)


def _ran(kernel: Callable[..., Any], args: tuple[Any, ...], keywords: dict[str, Any]) -> bool:
    """Of one that fails nothing is known."""
    with contextlib.suppress(Exception):
        kernel(*args, **keywords)
        return True
    return False


def _copies(args: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """Arguments in memory of their own, laid out as they are, also to each other; None where that is too much."""
    memory = {
        value.untyped_storage().data_ptr(): value.untyped_storage()
        for value in args
        if isinstance(value, torch.Tensor)
    }
    if sum(storage.nbytes() for storage in memory.values()) > _MOST_BYTES:
        return None
    held = {where: storage.clone() for where, storage in memory.items()}  # type: ignore[no-untyped-call]

    def copied(value: Any) -> Any:
        if not isinstance(value, torch.Tensor):
            return value
        own = held[value.untyped_storage().data_ptr()]
        fresh = torch.empty(0, dtype=value.dtype, device=value.device)
        return fresh.set_(own, value.storage_offset(), value.shape, value.stride())

    return tuple(map(copied, args))
