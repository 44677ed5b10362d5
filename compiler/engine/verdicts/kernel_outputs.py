"""Kernels with another text beside the ones before, on the same inputs: a step may not show what one of them writes, since it is
multiplied by 0, overwritten, or kept for a backward that nobody takes.
"""

import contextlib
import dataclasses
import re
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import msgspec
import torch

from compiler.engine.accuracy.tolerance import difference, near_eager, shows
from compiler.engine.equal_tensors import same_numbers
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.records.wrapper_kernels import kernel_sources, path_of, text_at
from compiler.engine.rng.rounding_noise import unit_of
from compiler.engine.verdicts.called_kernels import CalledThrough, Which
from compiler.model.capture.counted import first_of
from compiler.model.edits.edits import Edit, ReplaceKernel, single_edits
from compiler.model.timing.verdicts import Difference

_MOST_CALLS = 4
"""Of each kernel: a loop calls it often."""
_MOST_BYTES = 1 << 31
"""What is copied for one call."""
_MOST_NAMED = 3
_CPP = re.compile(r"\bvoid\s+kernel\s*\(([^)]*)\)")
_SCRATCH = ("ws_ptr", "sem_ptr")
"""Memory that blocks of a kernel tell each other through, in an order that is never the same."""
_READ = "in_ptr"
"""What Inductor's kernels only read."""
_NUMBERED = re.compile(r"_\d+$")
_NAME = re.compile(r"(\w+)\s*(?::.*|=.*)?$", re.S)


@dataclasses.dataclass
class Written:
    """What a kernel with another text wrote, beside what the one before it writes from the same inputs."""

    kernel: str
    calls: int = 0
    unknown: bool = False
    """Of some call: the one before failed, or what it takes is too large to copy."""
    same: bool = True
    """Bit for bit, and some number of each output would be another one were there a fault."""
    otherwise: dict[str, Difference] = dataclasses.field(default_factory=dict)
    """What is farther off than rounding takes it, by the parameter's name."""


@dataclasses.dataclass(frozen=True)
class KernelOutputs:
    """Of all kernels that edits give another text and that a step called."""

    written: tuple[Written, ...]
    of_all: bool
    """Whether there are no other edits, and every such kernel was called, and compared in each call that was looked at."""

    @property
    def same(self) -> bool:
        """Whether all of them write what the ones before write, bit for bit."""
        return self.of_all and all(row.same for row in self.written)

    @property
    def nothing_otherwise(self) -> tuple[Difference, ...]:
        """A row for each kernel, where all are the same."""
        return tuple(Difference(row.kernel, 0.0, 0.0, 0.0) for row in self.written)

    @property
    def otherwise(self) -> tuple[Difference, ...]:
        """The worst parameter of each kernel that writes other values."""
        rows = (row for row in self.written if row.otherwise)
        worst = (
            (row.kernel, max(row.otherwise.values(), key=lambda item: item.max_relative)) for row in rows
        )
        return tuple(
            msgspec.structs.replace(item, tensor=f"{item.tensor} of {kernel}") for kernel, item in worst
        )

    @property
    def said(self) -> str:
        """Which write other values, as a clause."""
        rows = [row.sentence for row in self.otherwise]
        return f"other values are written than before the edit, from the same inputs ({first_of(rows, _MOST_NAMED)})"


def kernel_outputs(
    program: EditedProgram, edits: tuple[Edit, ...], step: Callable[[], object]
) -> KernelOutputs | None:
    """What kernels with another text write; None without edits of such. `step` runs one with the edits."""
    every = tuple(single_edits(edits))
    edited = {(edit.stage, edit.kernel) for edit in every if isinstance(edit, ReplaceKernel)}
    if not edited:
        return None
    with _comparing(program) as found:
        step()
    called = tuple(row for row in found if row.calls)
    of_all = all(isinstance(edit, ReplaceKernel) for edit in every) and len(called) == len(edited)
    return KernelOutputs(called, of_all and not any(row.unknown for row in called))


@contextlib.contextmanager
def _comparing(program: EditedProgram) -> Iterator[list[Written]]:
    found: list[Written] = []
    with contextlib.ExitStack() as stack:
        for module, before in program.wrappers_with_other_texts():
            for name, names in _comparable(module, before).items():
                own = vars(module)[name]
                found.append(Written(name))
                stack.callback(setattr, module, name, own)
                setattr(module, name, _ComparedCall(own, vars(before)[name], names, found[-1]))
        yield found


def _comparable(module: ModuleType, before: ModuleType) -> dict[str, tuple[str, ...]]:
    """The parameters of each kernel that has another text and takes the same: with others, the one before can't be called."""
    texts, others = (kernel_sources(text_at(path_of(each))) for each in (module, before))
    return {
        name: parameters
        for name, text in texts.items()
        if text != others.get(name, text) and name in vars(module) and name in vars(before)
        if (parameters := _parameters(name, text)) and parameters == _parameters(name, others[name])
    }


def _parameters(kernel: str, source: str) -> tuple[str, ...]:
    """Those that a call gives, in its order; it may give a grid behind them. Empty where the text has no such function; one of Triton
    may have helpers before it.
    """
    of_program = re.escape(_NUMBERED.sub("", kernel))  # Inductor numbers the kernels that a program brings
    found = _CPP.search(source) or re.search(
        rf"^def (?:{re.escape(kernel)}|{of_program})\(([^)]*)\)", source, re.M
    )
    written = (row.strip() for row in (found[1].split(",") if found else ()))
    rows = (_NAME.search(row) for row in written if row and "constexpr" not in row)
    return tuple(row[1] for row in rows if row is not None)


class _ComparedCall(CalledThrough):
    """A kernel that is called together with the one before it, which works on copies."""

    def __init__(self, own: Any, before: Any, names: tuple[str, ...], written: Written) -> None:
        super().__init__(own, self._called)
        self._before, self._names, self._written = before, names, written

    def _called(self, which: Which, *args: Any, **keywords: Any) -> Any:
        self._written.calls += 1
        looked_at = self._written.calls <= _MOST_CALLS
        copies = _written_before(which(self._before), args, keywords) if looked_at else None
        result = which(self._own)(*args, **keywords)
        if copies is not None:
            self._note(args, copies)
        elif looked_at:
            self._written.unknown = True
        return result

    def _note(self, args: tuple[Any, ...], copies: tuple[Any, ...]) -> None:
        try:
            unit = unit_of(args)  # doubles may be made of floats
            for name, mine, other in zip(self._names, args, copies, strict=False):
                if isinstance(mine, torch.Tensor) and not name.startswith(_SCRATCH):
                    self._compare(name, mine, other, unit)
        except NotImplementedError:  # torch compares no float4
            self._written.unknown = True

    def _compare(self, name: str, mine: torch.Tensor, other: torch.Tensor, unit: float) -> None:
        same = same_numbers(mine, other)
        self._written.same &= same and (name.startswith(_READ) or not mine.numel() or shows(mine))
        if not same and not near_eager(mine, other, unit):
            self._written.otherwise[name] = difference(name, mine, other)


def _written_before(
    kernel: Callable[..., Any], args: tuple[Any, ...], keywords: dict[str, Any]
) -> tuple[Any, ...] | None:
    """Copies of the arguments after a kernel; None of one that fails, and where there is no memory for copies."""
    with contextlib.suppress(Exception):
        copies = _copies(args)
        if copies is not None:
            kernel(*copies, **keywords)
        return copies
    return None


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
