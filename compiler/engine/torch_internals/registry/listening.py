"""All hooks together, and what each needs of this torch."""

import contextlib
import importlib
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import torch

from compiler.engine.errors import EngineError
from compiler.engine.records.recorder import Recorder
from compiler.engine.torch_internals.aot_autograd import (
    backend_graphs,
    lazy_backwards,
    missing_marks,
    other_backends,
    partition_choices,
    runtime_wrappers,
    tensorified_scalars,
    tracing_results,
)
from compiler.engine.torch_internals.dynamo import (
    compile_phases,
    dynamo_graphs,
    escaped_errors,
    frames,
    graph_breaks,
    graph_parts,
    inlined_calls,
    node_creation,
    resume_functions,
    traced_steps,
)
from compiler.engine.torch_internals.dynamo_guards import guard_trees
from compiler.engine.torch_internals.inductor import (
    autotuning,
    cuda_graphs,
    cudagraph_skips,
    fusions,
    graph_passes,
    inductor_graphs,
    loop_origins,
    pattern_rewrites,
    retraced_bodies,
    scattered_writes,
    scheduler,
    stage_edits,
)
from compiler.engine.torch_internals.inductor_kernels import (
    build_times,
    instantiated_headers,
    kernel_builds,
    kernels,
    lighter_linking,
    triton_bodies,
    whole_builds,
)
from compiler.engine.torch_internals.patch.patching import is_there
from compiler.engine.torch_internals.patch.without_guards import without_guards
from compiler.model.capture.capture import Hook

_PACKAGE = __name__.rpartition(".registry.")[0]
_HOOKS: tuple[ModuleType, ...] = (
    frames,
    guard_trees,
    node_creation,
    traced_steps,
    inlined_calls,
    graph_breaks,
    escaped_errors,
    resume_functions,
    dynamo_graphs,
    backend_graphs,
    other_backends,
    partition_choices,
    inductor_graphs,
    graph_passes,
    pattern_rewrites,
    retraced_bodies,
    scattered_writes,
    scheduler,
    fusions,
    loop_origins,
    triton_bodies,
    kernels,
    kernel_builds,
    cudagraph_skips,
    compile_phases,
    build_times,
    autotuning,
    cuda_graphs,
    whole_builds,
    lighter_linking,
    instantiated_headers,
    tensorified_scalars,
    tracing_results,
    runtime_wrappers,
    stage_edits,
    graph_parts,
    missing_marks,
    lazy_backwards,
)


_listener: threading.Lock = vars(torch).setdefault("_loupe_listens", threading.Lock())
"""Held while somebody listens: hooks change torch for the whole process, and two of one kind undo each other. It is torch's,
since a program that `loupe run` records may load our modules a second time.
"""


@contextlib.contextmanager
def listening(recorder: Recorder) -> Iterator[None]:
    """While this is entered, everything torch compiles is written into the recorder. Raises EngineError where another listens."""
    if not _listener.acquire(blocking=False):
        raise _other_listens()
    try:
        recorder.quietly = without_guards
        with contextlib.ExitStack() as stack:
            for hook in _HOOKS:
                stack.enter_context(hook.listen(recorder))
            yield
    finally:
        _listener.release()


def require_nobody_listens() -> None:
    """For what changes torch before it listens. Raises EngineError."""
    if _listener.locked():
        raise _other_listens()


def _other_listens() -> EngineError:
    what = "What torch compiles in this process is being captured or recorded already."
    remedy = (
        'Leave the block of torch_loupe.record first, or join the thread; what `loupe run` or backend="loupe" records, it '
        "records to its end."
    )
    return EngineError(what, remedy)


def found_hooks(dead: frozenset[str] = frozenset()) -> tuple[Hook, ...]:
    """Every file here that needs something of this torch, and what is missing. `dead` are paths that are there and that torch
    does not call.
    """
    rows = []
    for module in _MODULES:
        name = module.__name__.rpartition(".")[2]
        missing = [path for path in module.NEEDS if not is_there(path)]
        unused = [path for path in module.NEEDS if path in dead]
        remedy = f"This torch has no {', '.join(missing)}; use torch 2.11 to 2.15." if missing else ""
        if unused:
            remedy = (
                f"{remedy} This torch never calls {', '.join(unused)}: that is missing in captures.".strip()
            )
        rows.append(Hook(name, module.GIVES, not missing and not unused, remedy))
    return tuple(rows)


def _all_modules() -> tuple[ModuleType, ...]:
    """Hooks in their order, then all others that say what they need: found in the folder, so that none is forgotten."""
    hooks = [module.__name__ for module in _HOOKS]
    others = [
        f"{_PACKAGE}.{path.parent.name}.{path.stem}"
        for path in sorted(Path(__file__).parents[1].rglob("*.py"))
        if re.search(r"^NEEDS = ", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    return tuple(importlib.import_module(name) for name in dict.fromkeys((*hooks, *others)))


_MODULES = _all_modules()
"""Loaded along with this one: later the worker hides our packages from the program's imports."""
