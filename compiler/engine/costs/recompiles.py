"""What makes torch compile a frame again, by guard and line, and what makes it do so less often."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import torch

from compiler.engine.capture.capture import LiveCapture
from compiler.engine.costs.copies import Copies, Emit, Wanted
from compiler.engine.experiments.ab_trial import fitting_arguments
from compiler.engine.guards.later_steps import StepCompiles, repeated, watched
from compiler.engine.records.recorder import Recorder
from compiler.engine.torch_internals.patch.changed_settings import can_be_set
from compiler.engine.user_program.stepper import unchanged_state
from compiler.model.capture.counted import counted
from compiler.model.capture.guards import RecompileRecord
from compiler.model.capture.program_changes import Change, MarkDynamic, SetCompileArgument, SetConfig
from compiler.model.experiments.costs import RECOMPILES, CostFound, CostRow
from compiler.model.experiments.trials import DimensionTrial

_CONFIG = "torch._dynamo.config"
_SWITCHES: tuple[tuple[str, bool, str], ...] = (
    (f"{_CONFIG}.allow_unspec_int_on_nn_module", True, "whole numbers of modules not taken as constants"),
    (f"{_CONFIG}.specialize_int", False, "whole numbers not taken as constants"),
    (f"{_CONFIG}.specialize_float", False, "floats not taken as constants"),
    (f"{_CONFIG}.assume_static_by_default", False, "sizes symbolic from the first call on"),
    (f"{_CONFIG}.force_parameter_static_shapes", False, "parameters' sizes may change"),
)
_NONE = (
    "Nothing was compiled twice in one step, nor in further steps with the same arguments. Say with which sizes it is "
    "called, such as --sizes x:0=3,4,5: then each is called in turn."
)


class _Compiles(NamedTuple):
    compiles: int
    seconds: float
    again: tuple[tuple[RecompileRecord, float], ...]


def recompiles(copies: Copies, sizes: DimensionTrial | None, emit: Emit) -> CostFound:
    """Raises EngineError where the program does not compile any more."""
    copies.report_progress("Counting compiles from cold")
    plain, _ = _compiles(copies, (), sizes)
    rows = sorted(_rows(plain), key=lambda row: -row.amount)
    again = len(plain.again)
    if not again:
        sentence = (
            _NONE if sizes is None else f"None of the {len(sizes.sizes)} sizes compiled anything again."
        )
        return CostFound(RECOMPILES, sentence, plain.compiles)

    def measured(changes: tuple[Change, ...]) -> tuple[float, LiveCapture]:
        found, live = _compiles(copies, changes, sizes)
        return float(found.compiles), live

    trials = copies.tried(list(_wanted(plain, sizes)), measured, emit, 1)
    worst = rows[0]
    where = f" ({worst.name})" if worst.line is not None else ""
    sentence = (
        f"{counted(plain.compiles, 'compile')}, {again} of them of something that had been compiled before; these took "
        f"{sum(seconds for _, seconds in plain.again):.1f} s. "
        f"What makes most of them: {worst.detail}{where}."
    )
    helped = next((trial for trial in trials if trial.helps and trial.right is not False), None)
    if helped is not None:
        sentence += f" With {helped.what} there are {helped.after[0]:g}."
    return CostFound(RECOMPILES, sentence, plain.compiles, tuple(rows), (), tuple(trials))


def _compiles(
    copies: Copies, changes: tuple[Change, ...], sizes: DimensionTrial | None
) -> tuple[_Compiles, LiveCapture]:
    """Of one step from cold, of further ones, and of a call with each size after it."""
    live = copies.capture(changes)
    known = {frame.id: frame.seconds or 0.0 for frame in live.capture.frames}
    count = sum(not frame.skip_reason for frame in live.capture.frames)
    again = [(row, known.get(row.compile_id, 0.0)) for row in live.capture.recompiles]
    steps = [*repeated(live), *(_of_sizes(live, sizes) if sizes is not None else ())]
    for step in steps:
        count += step.frames
        again += [(row, step.nanoseconds / 1e9 / step.frames) for row in step.recompiles]
    return _Compiles(count, sum(seconds for _, seconds in again), tuple(again)), live


def _of_sizes(live: LiveCapture, sizes: DimensionTrial) -> Iterator[StepCompiles]:
    """Of a call with each size that the program takes."""
    for size in sizes.sizes:
        if (made := fitting_arguments(live.program, sizes, size)) is not None:
            args, kwargs = made
            with (
                live.changes.active(),
                unchanged_state(live.program),
                torch.set_grad_enabled(live.stepper.options.gradients),
            ):
                step = watched(Recorder(), partial(live.compiled, *args, **kwargs))
            yield step


def _rows(found: _Compiles) -> Iterator[CostRow]:
    """By the guard that failed first against the code compiled last, which is what would have been used."""
    reasons: dict[tuple[str, int | None, str], list[tuple[str, float]]] = {}
    for row, seconds in found.again:
        entry = row.entries[-1] if row.entries else None
        guard = entry.failed[0] if entry is not None and entry.failed else None
        line = guard.line if guard is not None else None
        why = f"the guard on {guard.source or guard.code}" if guard is not None else row.note or row.name
        place = (line.path, line.line) if line is not None else ("", None)
        reasons.setdefault((*place, why), []).append((guard.reason if guard is not None else "", seconds))
    for (path, number, why), times in reasons.items():
        name = f"{Path(path).name}:{number}" if number is not None else "of no single line"
        first = f" ({times[0][0]})" if times[0][0] else ""
        seconds = sum(row[1] for row in times)
        yield CostRow(name, float(len(times)), (("seconds", seconds),), path, number, f"{why}{first}")


def _wanted(found: _Compiles, sizes: DimensionTrial | None) -> Iterator[Wanted]:
    yield Wanted("dynamic=True", (SetCompileArgument("dynamic", True),))
    if sizes is not None:
        what = f"mark_dynamic({sizes.argument}, {sizes.dimension})"
        yield Wanted(what, (MarkDynamic(sizes.argument, sizes.dimension),))
    for name, value, words in _SWITCHES:
        key = name.rpartition(".")[2]
        if can_be_set(name, value):
            yield Wanted(f"{words} ({key} = {value})", (SetConfig(name, value),))
