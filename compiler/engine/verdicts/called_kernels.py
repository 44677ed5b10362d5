"""Which kernels a step calls. Those of a branch that its inputs do not choose (`torch.cond`), or of a loop that makes no turn
(`while_loop`), it does not, and what it gives says nothing of these.
"""

import contextlib
import functools
import operator
import re
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.records.wrapper_kernels import kernel_sources, path_of, text_at
from compiler.model.capture.counted import first_of

_MOST = 3
_CALL = re.compile(r"^\s+(\w+)(?:\.run)?\(", re.MULTILINE)


Which = Callable[[Any], Callable[..., Any]]
"""What of a kernel is called: itself, or its ``run``."""
_RUN: Which = operator.attrgetter("run")


class CalledKernels:
    """Of the generated code that an edited program runs, what a step called."""

    def __init__(self, known: frozenset[str]) -> None:
        """`known`: sources as they were before the edits."""
        self._known = known
        self._called: dict[ModuleType, set[str]] = {}

    def note(self, module: ModuleType, kernel: str) -> None:
        """A kernel was called."""
        self._called.setdefault(module, set()).add(kernel)

    def changed(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """(changed kernels that were called, that were not); of code that called none it is not known what runs in its place."""
        called, idle = list[str](), list[str]()
        for module, names in self._called.items():
            path = path_of(module)
            for name, source in kernel_sources(text_at(path)).items():
                if name in _kernels(path) and source not in self._known:
                    (called if name in names else idle).append(name)
        return tuple(called), tuple(idle)


@contextlib.contextmanager
def noting_kernels(program: EditedProgram) -> Iterator[CalledKernels]:
    """Of what the program runs meanwhile."""
    kernels = (kernel for stage in program.base.capture.stages for kernel in stage.kernels)
    found = CalledKernels(frozenset(kernel.source for kernel in kernels))
    with contextlib.ExitStack() as stack:
        for dynamo_graph in program.base.live.dynamo_graphs:
            for module in {
                graph.module for graph in dynamo_graph.inductor_graphs if graph.module is not None
            }:
                for name in _kernels(path_of(module)):
                    if (own := vars(module).get(name)) is not None:
                        stack.callback(setattr, module, name, own)
                        noted = functools.partial(_noted, own, functools.partial(found.note, module, name))
                        setattr(module, name, CalledThrough(own, noted))
        yield found


def why_idle(kernels: tuple[str, ...]) -> str:
    """Why a step says nothing of kernels."""
    return (
        f"no step calls {first_of(kernels, _MOST)}: its inputs choose another branch, or give a loop no turn. Give the program "
        "other inputs"
    )


class CalledThrough:
    """Stands for a kernel, one of C++ that is called or one of Triton that is run: `through` is given which, and the arguments."""

    def __init__(self, own: Any, through: Callable[..., Any]) -> None:
        self._own, self._through = own, through

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return self._through(_itself, *args, **keywords)

    def __getattr__(self, name: str) -> Any:
        return functools.partial(self._through, _RUN) if name == "run" else getattr(self._own, name)


def _itself(kernel: Any) -> Any:
    return kernel


def _noted(own: Any, note: Callable[[], None], which: Which, *args: Any, **keywords: Any) -> Any:
    note()
    return which(own)(*args, **keywords)


@functools.lru_cache(maxsize=64)
def _kernels(path: str) -> frozenset[str]:
    """Those that a wrapper itself calls; one of several that torch chooses among is called by none of these names."""
    text = text_at(path)
    return frozenset(kernel_sources(text)) & set(_CALL.findall(text))
