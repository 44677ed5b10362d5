"""What a program finds where it asks a tensor for its value, or makes tensors whose sizes hang on one: found by running it.

GIVES: answers for a run on fakes, asked in the same order line by line.
NEEDS: ``torch._C._current_graph_task_id``, ``torch.Tag.data_dependent_output``, ``torch.Tag.dynamic_output_shape``.
"""

import sys
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils import _pytree as pytree

from compiler.engine.file_ownership import is_linked, is_mine
from compiler.engine.fx.running_node import program_rows
from compiler.engine.torch_internals.dispatcher.dispatch_modes import WatchingMode
from compiler.engine.torch_internals.patch.nothing_compiled import nothing_compiled
from compiler.model.capture.counted import first_of
from compiler.model.capture.gpu_assumptions import VALUE, Assumed, Value

Line = tuple[str, int]
Answer = Value | tuple[tuple[tuple[int, ...], torch.dtype], ...] | Any
"""A value, an array, or the sizes and types of the tensors that came out."""
AS_ARRAY = torch.Tensor.numpy
_ARRAYS = (AS_ARRAY, torch.Tensor.__array__)
_ATEN = torch.ops.aten
_NOWHERE: Line = ("", 0)
"""Of what is asked in a backward pass."""
_MOST_NAMED = 4


def _asking() -> Line:
    """The line that asks now. In a backward pass nobody's: it may run in another thread."""
    return _NOWHERE if torch._C._current_graph_task_id() != -1 else next(lines(), _NOWHERE)


def lines() -> Iterator[Line]:
    """The innermost line of the program, and the innermost of the person's own, also of a graph that runs. Not those that called
    them: after a graph break the line that broke is still on the stack.
    """
    met = False
    for path, number in _stack():
        if is_mine(path) or (not met and is_linked(path)):
            met = True
            yield path, number
            if is_mine(path):
                return


def _stack() -> Iterator[Line]:
    """Innermost first; of a graph the lines that it was read from."""
    for frame in callers():
        for row in reversed(program_rows(frame, frame.f_lineno)):
            yield row.filename, row.lineno or 0
        yield frame.f_code.co_filename, frame.f_lineno


def callers() -> Iterator[types.FrameType]:
    """The frames on the stack, innermost first."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        yield frame
        frame = frame.f_back


class FoundValues:
    """Answers by the line that asks and the operation, in the order in which they were found; a program that runs again finds the
    same again.
    """

    def __init__(self) -> None:
        self._rows: dict[tuple[Line, Any], list[Answer]] = {}
        self._given: dict[tuple[Line, Any], int] = {}
        self.whole = True
        """Whether the program ran to its end where they were found."""
        self.repeats = True
        """Whether a step after the last one that was run finds the same again."""
        self.missed = False
        """Whether a text went on without a value that it would have shown."""

    def __bool__(self) -> bool:
        return bool(self._rows)

    def note(self, line: Line, function: Any, answer: Answer) -> None:
        """The next answer of a line."""
        self._rows.setdefault((line, function), []).append(answer)

    def note_result(self, function: Any, result: Any) -> None:
        """The next answer of the line that asks now: what the operation gave."""
        self.note(_asking(), function, _answer_of(result))

    def next(self, function: Any) -> tuple[Answer, Assumed] | None:
        """What the line finds that asks now, and how it is reported; None where it was not met."""
        key = _asking(), function
        if key not in self._rows:  # in compiled code, which runs where its function begins
            alike = [row for row in self._rows if row[1] is function]
            if len(alike) != 1 or not self.whole:
                return None
            (key,) = alike
        rows = self._rows[key]
        given = self._given.get(key, 0)
        if given >= len(rows) and not self.repeats:
            return None
        self._given[key] = given + 1
        return rows[given % len(rows)], _assumed(key[0], rows)


def computed(result: Any) -> Assumed:
    """That the line which asks now finds what the program's own numbers give."""
    return _assumed(_asking(), [_answer_of(result)])


def _assumed(line: Line, rows: Sequence[Answer]) -> Assumed:
    path, number = line
    name = path.rpartition("/")[2]
    where = f"{name}, line {number}" if path else "The backward pass"
    distinct = list(dict.fromkeys(map(_format_answer, rows)))
    words = f"{where} finds {first_of(distinct, _MOST_NAMED)} where it asks a tensor for its value, as on the CPU."
    return Assumed(f"{VALUE}{name}:{number}", words, found=True)


def _answer_of(result: Any) -> Answer:
    tensors = [value for value in pytree.tree_leaves(result) if isinstance(value, torch.Tensor)]
    return tuple((tuple(tensor.shape), tensor.dtype) for tensor in tensors) if tensors else result


def _format_answer(answer: Answer) -> str:
    if hasattr(answer, "shape"):
        return f"an array of {'×'.join(map(str, answer.shape)) or 'one number'}"
    if not isinstance(answer, tuple):
        return repr(answer)
    # `unique` gives two more, empty where nobody wants them
    reported = [sizes for number, (sizes, _) in enumerate(answer) if not number or sizes != (0,)]
    return " and ".join(f"a tensor of {'×'.join(map(str, sizes)) or 'no sizes'}" for sizes in reported)


class Finding(WatchingMode):
    """While it is entered, what is asked of real tensors is noted."""

    def __init__(self) -> None:
        super().__init__()
        self.found = FoundValues()

    def operator(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What it gives by itself, noted where it hangs on values."""
        result = func(*args, **kwargs)
        tags = func.tags
        if torch.Tag.data_dependent_output in tags:
            if isinstance(result, bool | int | float):
                self.found.note(_asking(), func, result)
        elif func is _ATEN.index.Tensor:
            for mask in args[1]:
                if mask is not None and mask.dtype in (torch.bool, torch.uint8):
                    sizes = ((int(mask.count_nonzero()), mask.dim()), torch.int64)
                    self.found.note(_asking(), _ATEN.nonzero.default, (sizes,))
        elif torch.Tag.dynamic_output_shape in tags:
            self.found.note_result(func, result)
        return result


class _Reading(TorchFunctionMode):
    """``tolist()`` reads real tensors without an operation, and asks a fake for each number; ``numpy()`` asks it for all at once."""

    def __init__(self, found: FoundValues) -> None:
        super().__init__()
        self._found = found

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        result = func(*args, **(kwargs or {}))
        if func is torch.Tensor.tolist:
            for value in pytree.tree_leaves(result):
                self._found.note(_asking(), _ATEN._local_scalar_dense.default, value)
        elif func in _ARRAYS:
            self._found.note(_asking(), AS_ARRAY, result.copy())
        return result


def found_by(run: Callable[[], object]) -> tuple[FoundValues, Exception | None]:
    """What is asked while that runs, and what ended it before its end."""
    finding = Finding()
    try:
        with nothing_compiled(), finding, _Reading(finding.found):
            run()
    except Exception as error:  # noqa: BLE001  whatever a program raises
        finding.found.whole = False
        return finding.found, error
    return finding.found, None


def asks(func: Any) -> bool:
    """Whether what an operation gives hangs on values."""
    return (
        isinstance(func, torch._ops.OpOverload)
        and func is not _ATEN.index.Tensor
        and (torch.Tag.data_dependent_output in func.tags or torch.Tag.dynamic_output_shape in func.tags)
    )


def answered(answer: Answer, tensor: torch.Tensor) -> Any:
    """What an operation on a fake gives by it."""
    if not isinstance(answer, tuple):
        return answer
    made = [tensor.new_empty(sizes, dtype=dtype) for sizes, dtype in answer]
    return made[0] if len(made) == 1 else tuple(made)
