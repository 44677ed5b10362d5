"""Hook: every aten operation that an eager step dispatches, below autograd, with its time and the line that asked for it."""

import contextlib
import dataclasses
import linecache
import sys
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import torch
from torch.nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook

from compiler.engine.file_ownership import within_program
from compiler.engine.torch_internals.dispatcher.dispatch_modes import WatchingMode
from compiler.engine.torch_internals.dispatcher.dispatcher import next_sequence
from compiler.engine.torch_internals.patch.nothing_compiled import nothing_compiled
from compiler.model.ir.graph import SourceLine

GIVES = "operations that an eager step dispatches, forward and backward"
NEEDS = ("torch._C:_current_autograd_node",)


@dataclasses.dataclass
class Dispatched:
    """One operation as it ran."""

    function: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    result: Any
    nanoseconds: int
    """In the operation itself, this hook not included."""
    stack: tuple[SourceLine, ...]
    """The user's lines, innermost last; of a backward operation those of the forward operation it is the gradient of."""
    module: torch.nn.Module | None
    """The innermost module whose forward ran."""
    backward: bool
    sequence: int

    @property
    def name(self) -> str:
        """``aten::addmm``, as the profiler has it."""
        return str(self.function._schema.name)


class DispatchLog(WatchingMode):
    """Notes every operation while it is entered. Tensors are kept alive, so that each has an identity of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.operations: list[Dispatched] = []
        self._modules: list[torch.nn.Module] = []
        self._inside = False
        self._forward: dict[int, tuple[tuple[SourceLine, ...], torch.nn.Module | None]] = {}

    def operator(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        node: Any = torch._C._current_autograd_node()  # None in the forward, whatever the stub says
        if node is None and not self._inside:
            return func(*args, **kwargs)
        module = self._modules[-1] if self._modules else None
        if node is None:
            # the autograd node of this operation was made just before, above us
            sequence, stack = next_sequence() - 1, _users_stack()
            self._forward.setdefault(sequence, (stack, module))
        else:
            sequence = node._sequence_nr()
            stack, module = self._forward.get(sequence, ((), None))
        started = time.perf_counter_ns()
        result = func(*args, **kwargs)
        spent = time.perf_counter_ns() - started
        self.operations.append(
            Dispatched(func, args, kwargs, result, spent, stack, module, node is not None, sequence)
        )
        return result

    def only(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function; of what is not its backward only what it does itself is noted."""

        def run(*args: Any, **kwargs: Any) -> Any:
            self._inside = True
            try:
                return function(*args, **kwargs)
            finally:
                self._inside = False

        return run

    @contextlib.contextmanager
    def following_modules(self) -> Iterator[None]:
        """While this is entered, operations know which module's forward they are in."""

        def enter(module: torch.nn.Module, _inputs: Any) -> None:
            self._modules.append(module)

        def leave(module: torch.nn.Module, _inputs: Any, _output: Any) -> None:
            if self._modules and self._modules[-1] is module:
                self._modules.pop()

        hooks = (register_module_forward_pre_hook(enter), register_module_forward_hook(leave))
        try:
            yield
        finally:
            for hook in hooks:
                hook.remove()


def dispatched(
    step: Callable[[Callable[..., Any]], object], function: Callable[..., Any]
) -> list[Dispatched]:
    """The operations of one step of a function, its backward included, in order."""
    log = DispatchLog()
    with nothing_compiled(), log.following_modules(), log:
        step(log.only(function))
    return log.operations


def _users_stack() -> tuple[SourceLine, ...]:
    frames: list[FrameType] = []
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        frames.append(frame)
        frame = frame.f_back
    return tuple(
        SourceLine(
            item.f_code.co_filename,
            item.f_lineno,
            item.f_code.co_name,
            linecache.getline(item.f_code.co_filename, item.f_lineno).strip(),
        )
        for item in within_program(reversed(frames), lambda item: item.f_code.co_filename)
    )
