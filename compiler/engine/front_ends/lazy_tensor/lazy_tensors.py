"""LazyTensor: the program run on tensors that keep what is to be done until a value is asked for."""

import time
from typing import Any

import torch
from torch.utils import _pytree as pytree

from compiler.engine.front_ends.interface.result import FrontEndResult
from compiler.engine.front_ends.interface.stage_builders import operations_in, text_stage
from compiler.engine.front_ends.lazy_tensor.backward import LazyBackward
from compiler.engine.front_ends.lazy_tensor.incremental_graph import Growth, growth
from compiler.engine.front_ends.lazy_tensor.ir_import import IrReader
from compiler.engine.front_ends.lazy_tensor.lazy_modules import Filled, filled_modules, filled_table
from compiler.engine.front_ends.lazy_tensor.sync_tracing import (
    END,
    Noting,
    Reading,
    Sync,
    SyncedGraph,
    noted_run,
)
from compiler.engine.torch_internals.lazy_tensor.lazy_backend import DEVICE, mark_step, report, start
from compiler.engine.torch_internals.patch.copied_programs import copied_program
from compiler.engine.user_program.alternate_inputs import longer
from compiler.engine.user_program.device_placement import device_of
from compiler.engine.user_program.held_state.copied_functions import copied_function
from compiler.engine.user_program.held_state.functional_call import FunctionAsModule
from compiler.engine.user_program.loading import Program, argument_names
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.links import LinkTable
from compiler.model.ir.stage import FxStage, Stage, StageKind

NAME = "lazy"

_Inputs = tuple[tuple[Any, ...], dict[str, Any]]


def capture(program: Program, spec: CaptureSpec) -> FrontEndResult:
    """Run on the lazy device: as it is, again, and with one row more, for the cache; then once more to read the IR.

    Raises what torch or the program raises.
    """
    filled = filled_modules(program, spec)
    home = device_of(program)
    start(home.type == "cuda")
    example = (program.args, program.kwargs)
    started = time.perf_counter()
    backward = LazyBackward(spec.run.gradients and spec.run.training is True)  # evaluating is forward only
    first = _run(program, spec, backward, example)
    if backward.problem is not None:  # once more without, since what it began is pending
        first = _run(program, spec, backward, example)
    seconds = time.perf_counter() - started
    runs: list[tuple[str, Noting | None]] = [
        ("first", first),
        ("same again", _run(program, spec, backward, example)),
    ]
    metrics = report()
    try:
        runs.append(("one row more", _run(program, spec, backward, pytree.tree_map(longer, example))))
    except Exception:  # noqa: BLE001  a program may refuse other sizes, and torch a graph of them
        runs.append(("one row more: refused", None))
    reading = _read(program, spec, backward, first)
    stages, links, problems, growths = _stages(first, reading)
    made = tuple(stage.id for stage in stages if stage.graph is not None)
    stages += [
        text_stage(
            NAME,
            "cache",
            "Syncs and cache",
            _cache_table(runs, reading.graphs),
            "plain",
            "torch._lazy.metrics",
            made,
        ),
        text_stage(NAME, "metrics", "Metrics", metrics, "plain", "torch._lazy.metrics.metrics_report", made),
    ]
    if filled:
        table = filled_table(filled)
        stages.append(text_stage(NAME, "modules", "Lazy modules", table, "plain", "torch.nn.modules.lazy"))
    last = next((stage for stage in reversed(stages) if stage.graph is not None), None)

    function = _lazy(program)

    def call(*args: Any, **kwargs: Any) -> Any:
        """In the program's mode and with its buffers as they are now, since they may have been put back since."""
        own = _as_module(program)
        for ours, theirs in zip(function.modules(), own.modules(), strict=True):
            ours.training = theirs.training
        with torch.no_grad():
            for kept, now in zip(function.buffers(), own.buffers(), strict=True):
                kept.copy_(now)
        return _called(function, (args, kwargs), home)

    return FrontEndResult(
        tuple(stages),
        call,
        sum(sync.hits + sync.misses for sync in first.syncs),
        operations_in(last) if last is not None else 0,
        seconds,
        tuple(links),
        (*problems, *map(_filled_problem, filled), *filter(None, (backward.problem,))),
        holds=function,
        copies=True,
        passes=tuple(run for _, runs in growths for run in runs),
        pass_starts=tuple(start for start, _ in growths),
    )


def _called(function: Any, call: _Inputs, home: torch.device) -> Any:
    """On the lazy device and back `home`, with gradients; what the program writes to its arguments is written to those given."""
    leaves, shape = pytree.tree_flatten(call)
    moved = [value.to(DEVICE) if isinstance(value, torch.Tensor) else value for value in leaves]
    versions = [_writes(value) for value in moved]
    args, kwargs = pytree.tree_unflatten(moved, shape)
    result = function(*args, **kwargs)
    mark_step()  # all at once: what is drawn for the result is then what its gradients are of
    with torch.no_grad():
        for given, lazy, version in zip(leaves, moved, versions, strict=True):
            if isinstance(lazy, torch.Tensor) and _writes(lazy) != version:
                given.copy_(lazy.cpu())
    return pytree.tree_map(lambda value: value.to(home) if isinstance(value, torch.Tensor) else value, result)


def _writes(value: Any) -> int:
    """How often a tensor was written to."""
    return int(value._version) if isinstance(value, torch.Tensor) else 0  # noqa: SLF001  torch has no other name for it


def _lazy(program: Program) -> torch.nn.Module:
    """The program with its parameters on the lazy device; its own stay where they are."""
    if program.module is not None:
        return copied_program(program.module).to(DEVICE)
    copied = copied_function(program.callable)
    with copied.in_place():
        return FunctionAsModule(copied.function, copied.in_place).to(DEVICE)


def _as_module(program: Program) -> torch.nn.Module:
    return program.module if program.module is not None else FunctionAsModule(program.callable)


def _to_lazy(values: Any) -> Any:
    def moved(value: Any) -> Any:
        if not isinstance(value, torch.Tensor):
            return value
        return value.detach().to(DEVICE).requires_grad_(value.requires_grad)

    return pytree.tree_map(moved, values)


def _run(program: Program, spec: CaptureSpec, backward: LazyBackward, inputs: _Inputs) -> Noting:
    torch.manual_seed(spec.run.seed)
    args, kwargs = _to_lazy(inputs)
    with torch.set_grad_enabled(spec.run.gradients):
        noting, _ = noted_run(backward.stepped(_lazy(program)), args, kwargs)
    return noting


def _read(program: Program, spec: CaptureSpec, backward: LazyBackward, first: Noting) -> Reading:
    """Once more, with the IR read before every sync."""
    torch.manual_seed(spec.run.seed)
    args, kwargs = _to_lazy((program.args, program.kwargs))
    function = _lazy(program)
    own: dict[str, torch.Tensor] = dict(function.named_parameters()) | dict(function.named_buffers())
    named = {
        function.name_of(name) if isinstance(function, FunctionAsModule) else name: value
        for name, value in own.items()
    }
    for name, given in (*zip(argument_names(program), args, strict=True), *kwargs.items()):
        leaves = [value for value in pytree.tree_leaves(given) if isinstance(value, torch.Tensor)]
        named |= {f"%{name}{f'.{index}' if index else ''}": value for index, value in enumerate(leaves)}
    mark_step()
    at = frozenset(sync.call for sync in first.syncs if sync.cause != END)
    with torch.set_grad_enabled(spec.run.gradients):
        reading = Reading(at, named)
        with reading:
            result = backward.stepped(function)(*args, **kwargs)
        reading.read_end()
    mark_step()
    del result
    return reading


def _stages(
    first: Noting, reading: Reading
) -> tuple[list[Stage], list[LinkTable], list[Problem], list[Growth]]:
    stages: list[Stage] = []
    links: list[LinkTable] = []
    problems: list[Problem] = []
    growths: list[Growth] = []
    reader = IrReader()
    read = {id(synced): reader.read(synced) for synced in reading.read_in_order}
    for index, sync in enumerate(first.syncs, 1):
        if sync.call not in reading.graphs:
            continue
        found = read[id(reading.graphs[sync.call])]
        line = f"line {sync.stack[-1].line}, " if sync.stack else ""
        title = f"{index}: {line}{_cause(sync)}"
        before = tuple(stage.id for stage in stages if stage.graph is not None)[-1:]
        stage = Stage(
            f"{NAME}:sync{index}",
            StageKind.FRONT_END_GRAPH,
            title,
            FxStage(found.graph),
            NAME,
            "",
            "torch._lazy",
            before,
            sync.seconds,
        )
        ir = text_stage(
            NAME,
            f"sync{index}_ir",
            f"{index}: IR",
            found.text,
            "torchscript",
            "torch._lazy.debug.dump_ir",
            (stage.id,),
        )
        stages += [stage, ir]
        links.append(LinkTable(stage.id, ir.id, "same", "torch", found.lines))
        growths.append(growth(stage, found.when))
        if sync.stack:
            problems.append(_sync_problem(sync, operations_in(stage)))
    return stages, links, problems, growths


_CAUSES = {
    "__bool__": "bool()",
    "item": ".item()",
    "__repr__": "repr()",
    "cpu": ".cpu()",
    "tolist": ".tolist()",
    END: "end, mark_step",
}


def _cause(sync: Sync) -> str:
    return f"{sync.cause}, not lazy" if _falls_back(sync) else _CAUSES.get(sync.cause, sync.cause)


def _falls_back(sync: Sync) -> bool:
    return bool(sync.fallbacks) and sync.cause not in _CAUSES


def _sync_problem(sync: Sync, operations: int) -> Problem:
    why = f", since {', '.join(sync.fallbacks)} has no lazy kernel," if _falls_back(sync) else ""
    cause = sync.cause if _falls_back(sync) else _cause(sync)
    so_far = "the 1 operation so far is" if operations == 1 else f"the {operations} operations so far are"
    return Problem(
        f"{cause}{why} needs a value here: {so_far} compiled and run.",
        "Do it after the loop, or less often.",
        sync.stack[-1].path,
        sync.stack[-1].line,
        Severity.NOTE,
    )


def _filled_problem(row: Filled) -> Problem:
    shapes = ", ".join(f"{name} {list(shape)}" for name, shape in row.shapes)
    place = row.stack[-1] if row.stack else None
    return Problem(
        f"{row.name} was a {row.before} and became a {row.after} at its first call: {shapes}.",
        "Before that it has no shapes, and no optimizer can be made of its parameters.",
        place.path if place is not None else "",
        place.line if place is not None else None,
        Severity.NOTE,
    )


def _cache_table(runs: list[tuple[str, Noting | None]], graphs: dict[int, SyncedGraph]) -> str:
    lines = [
        "Every point where a value was needed: the pending graph is looked up by its hash; a miss compiles it.",
        "",
        f"{'run':<14}{'cache':<7}{'line':>4}  {'sync':<20}{'ms':>9}  graph hash",
    ]
    for words, noting in runs:
        if noting is None:
            lines.append(words)
            continue
        for sync in noting.syncs:
            line = str(sync.stack[-1].line) if sync.stack else "–"
            cache = "miss" if sync.misses else "hit"
            known = graphs.get(sync.call) if words != "one row more" else None
            lines.append(
                f"{words:<14}{cache:<7}{line:>4}  {_cause(sync):<20}{sync.seconds * 1e3:>9.2f}  {known.hash if known else ''}"
            )
    return "\n".join(lines)
