"""When torch compiles again as a size changes, measured: each stance, and each way to say what is dynamic, from cold."""

import contextlib
import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import torch
from torch.utils import _pytree as pytree

from compiler.engine.accuracy.differential_test import DifferentialTest
from compiler.engine.accuracy.side_effect_diff import differing
from compiler.engine.accuracy.side_effects import Effects, Side
from compiler.engine.errors import EngineError, problem_from
from compiler.engine.experiments.ab_trial import fitting_arguments
from compiler.engine.records.recorder import Recorder
from compiler.engine.torch_internals.dynamo import frames
from compiler.engine.torch_internals.dynamo.counting_backend import counting_backend
from compiler.engine.torch_internals.patch import changed_settings, settings
from compiler.engine.user_program.alternate_inputs import OtherCall, own_copy
from compiler.engine.user_program.applied_changes import AppliedChanges, resolve_changes
from compiler.engine.user_program.checked_loading import load_on_device
from compiler.engine.user_program.input_overrides import argument_at
from compiler.engine.user_program.loading import Program, argument_names
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions
from compiler.model.experiments.dynamic_shape_trial import (
    COMPILED,
    EAGER,
    FAILED,
    REUSED,
    StanceCall,
    StanceRow,
    StancesMeasured,
)
from compiler.model.experiments.trials import DimensionTrial
from compiler.model.front_end_comparison.front_end_matrix import Outcome

ReportProgress = Callable[[str], None]
_RANDOM = (
    "Random numbers: all calls were compiled with fallback_random=True, so that eager and compiled draw the same ones "
    "and results can be compared."
)
_LIMIT = "torch._dynamo.config.recompile_limit"


def measure_stances(
    spec: CaptureSpec,
    dimension: DimensionTrial | None,
    stances: tuple[str, ...],
    report_progress: ReportProgress,
) -> StancesMeasured:
    """Call the program with the sizes under each stance, forward only. Raises EngineError where it cannot be called so."""
    report_progress(f"Loading {spec.target.name}")
    changes = resolve_changes(spec)
    program, spec, *_ = load_on_device(spec, changes.texts)
    wanted = dimension or _first_dimension(program)
    fitting = {size: fitting_arguments(program, wanted, size) for size in wanted.sizes}
    if sum(found is not None for found in fitting.values()) < 2:
        what = f"The program itself cannot be called with other sizes of dimension {wanted.dimension} of {wanted.argument}."
        raise EngineError(what, "Name another argument and dimension, such as x:0=3,4,5.")
    options = changes.options
    series = _Series(program, spec, wanted, changes.on(program), report_progress)
    random = series.random
    with settings.eager_random() if random else contextlib.nullcontext():
        rows = [series.under_stance(name, options) for name in stances]
        for dynamic in (True, False):
            asked = msgspec.structs.replace(options, dynamic=dynamic)
            rows.append(series.run(f"dynamic={dynamic}", asked, contextlib.nullcontext, marked=False))
        mark = f"mark_dynamic({wanted.argument}, {wanted.dimension})"
        rows.append(series.run(mark, options, contextlib.nullcontext, marked=True))
        limited = msgspec.structs.replace(options, dynamic=False)
        rows.append(series.run("dynamic=False, recompile_limit=2", limited, _limit, marked=False))
    settings.forget_compiled_code()
    return StancesMeasured(spec, wanted, tuple(rows), (_RANDOM,) if random else ())


def _first_dimension(program: Program) -> DimensionTrial:
    for name, value in (*zip(argument_names(program), program.args, strict=False), *program.kwargs.items()):
        if isinstance(value, torch.Tensor) and value.dim():
            size = int(value.shape[0])
            return DimensionTrial(name, 0, (size, size + 1, size + 2, size + 3))
    raise EngineError(
        "The program is called with no tensor that has a dimension.", "Name one, such as x:0=3,4,5."
    )


def _stance(name: str) -> Callable[[], contextlib.AbstractContextManager[None]]:
    @contextlib.contextmanager
    def entered() -> Iterator[None]:
        with torch.compiler.set_stance(name):
            yield

    return entered


def _limit() -> contextlib.AbstractContextManager[None]:
    return changed_settings.setting(_LIMIT, 2)


class _Series:
    """Calls of one program with one size after another."""

    def __init__(
        self,
        program: Program,
        spec: CaptureSpec,
        wanted: DimensionTrial,
        changes: AppliedChanges,
        report_progress: ReportProgress,
    ) -> None:
        self._program = program
        self._spec = spec
        self._wanted = wanted
        self._changes = changes
        self._report_progress = report_progress
        self._eager = Side(program)
        self._judge = DifferentialTest(self._eager, self._eager, spec.run)
        self._results: dict[int, Effects] = {}
        """What the program itself does, by size."""

    def under_stance(self, name: str, options: CompileOptions) -> StanceRow:
        """A stance on compiling again is taken after the first call, or it would forbid that one too."""
        later = name.endswith("_on_recompile")
        way = f'set_stance("{name}")'
        return self.run(f"{way} after one call" if later else way, options, _stance(name), False, later)

    def run(
        self,
        way: str,
        options: CompileOptions,
        around: Callable[[], contextlib.AbstractContextManager[None]],
        marked: bool,
        later: bool = False,
    ) -> StanceRow:
        """From cold. `marked`: mark the dimension of what is passed as dynamic. `later`: enter `around` after one call."""
        self._report_progress(way)
        settings.forget_compiled_code()
        ran: list[int] = []
        compiled = torch.compile(
            self._program.callable,
            fullgraph=options.fullgraph,
            dynamic=options.dynamic,
            backend=counting_backend(options, ran),
            disable=options.disable,
        )
        first = self._wanted.sizes[: int(later)]
        with self._changes.active():
            calls = [self._call(compiled, size, ran, marked) for size in first]
            with around():
                rest = self._wanted.sizes[len(first) :]
                calls += [self._call(compiled, size, ran, marked) for size in rest]
        return StanceRow(way, tuple(calls))

    def _call(self, compiled: Callable[..., Any], size: int, ran: list[int], marked: bool) -> StanceCall:
        made = fitting_arguments(self._program, self._wanted, size)
        if made is None:
            return StanceCall(size, FAILED, problem="The program itself fails with this size.")
        other = OtherCall(str(size), lambda: own_copy(made))
        args, kwargs = other.make()
        if marked:
            self._mark(args, kwargs, size)
        expected = self._expected(size, other)
        ran.clear()
        recorder = Recorder()
        side = Side(self._program, compiled)
        with frames.listen(recorder):
            found = side.effects((args, kwargs), self._spec.run, self._spec.run.seed, backward=False)
        problem = "" if found.error is None else problem_from(found.error, "It fails", "").what
        count = sum(frame.rewritten is not None for frame in recorder.frames)
        happened = FAILED if problem else COMPILED if count else REUSED if ran else EAGER
        parts = (
            []
            if problem or expected.error
            else [part for part in differing(found, expected, side.initial) if not part.attribute]
        )
        outcome, words = self._judge.beyond_rounding(other, self._spec.run.seed, parts)
        return StanceCall(size, happened, count, problem, words if outcome is Outcome.WRONG else "")

    @property
    def random(self) -> bool:
        """Whether the program draws random numbers on its own arguments."""
        call = self._program.args, self._program.kwargs
        return self._judge.draws_random_numbers(OtherCall("", lambda: own_copy(call)))

    def _expected(self, size: int, call: OtherCall) -> Effects:
        if size not in self._results:
            run = self._spec.run
            self._results[size] = self._eager.effects(call.make(), run, run.seed, backward=False)
        return self._results[size]

    def _mark(self, args: tuple[Any, ...], kwargs: dict[str, Any], size: int) -> None:
        value = argument_at(
            dataclasses.replace(self._program, args=args, kwargs=kwargs), self._wanted.argument
        )
        for tensor in pytree.tree_leaves(value):
            at = self._wanted.dimension
            if isinstance(tensor, torch.Tensor) and tensor.dim() > at and tensor.shape[at] == size:
                changed_settings.mark_dynamic(tensor, at)
