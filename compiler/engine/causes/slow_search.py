"""Finding what makes a compiled step slow: where its time goes, and what makes it shorter, tried on copies.

Everything is timed in turns with the same code compiled again and nothing changed, and what seems to help is timed a second
time: of twenty trials one helps by chance.
"""

import contextlib
import io
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from compiler.engine.capture.capture import LiveCapture, make_capture
from compiler.engine.causes.right_results import still_right
from compiler.engine.causes.speed_trials import OP_BY_OP, ReportProgress, Variant, Variants
from compiler.engine.causes.trials import bring, quiet
from compiler.engine.errors import EngineError, failing_as, problem_from
from compiler.engine.experiments.shared_values import share_values
from compiler.engine.guards.guard_tester import guards_after, measure_guards
from compiler.engine.measuring.interleaved_timing import Around, InPlace, Sampler, interleave
from compiler.engine.measuring.machine_load import MachineLoad
from compiler.engine.measuring.step_clock import step_clock
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.recompile.ran_graphs import ran_in_later_steps, unseen_graphs, why_unseen
from compiler.engine.timing.cpu_timing import TimingRun
from compiler.engine.timing.gpu_timing import GpuTimingRun, runs_on_gpu
from compiler.engine.user_program.stepper import Results, unchanged_state
from compiler.model.capture.guards import GuardTree, MeasuredGuards
from compiler.model.edits.edits import Edit
from compiler.model.experiments.slowness import (
    FindSlowness,
    GuardCost,
    SlownessFound,
    SpeedTrial,
)
from compiler.model.timing.paired_ratio import PairedRatio, format_unclear, paired_ratio
from compiler.model.timing.timings import TimingReport, TimingSettings, TimingSummary, summarise

Emit = Callable[[SpeedTrial], None]

_SECONDS = 2.0
_SECONDS_EACH = 0.7
_FEWEST, _MOST = 15, 200
_ITERATIONS = 30
_GUARDS_MATTER = 0.1
"""The share of the step from which on guards are reported first."""


def find_slowness(
    program: EditedProgram,
    request: FindSlowness,
    report_progress: ReportProgress,
    emit: Emit = lambda trial: None,
) -> SlownessFound:
    """What runs at the end is what ran before. Raises EngineError where the program cannot be run."""
    started = time.perf_counter()
    before = program.edits
    try:
        with failing_as("The program failed while it was timed"):
            bring(program, request.edits, report_progress)
            with unchanged_state(program.base.program), contextlib.redirect_stdout(io.StringIO()), quiet():
                _require_runs(program, request.edits)
                found = _Search(program, request, report_progress, emit).run()
    finally:
        bring(program, before, report_progress)
    return msgspec.structs.replace(found, seconds=time.perf_counter() - started)


def _require_runs(program: EditedProgram, edits: tuple[Edit, ...]) -> None:
    if unseen := unseen_graphs(program, edits, ran_in_later_steps(program, edits)):
        raise EngineError(f"What is slow can't be looked for: {why_unseen(unseen)}.")


class _Search:
    def __init__(
        self, program: EditedProgram, request: FindSlowness, report_progress: ReportProgress, emit: Emit
    ) -> None:
        self._program, self._request = program, request
        self._report_progress, self._emit = report_progress, emit
        self._clock = step_clock()
        self._notes: list[str] = []
        self._place = InPlace()

    def run(self) -> SlownessFound:
        """The answer."""
        self._report_progress("Looking for what is slow: timing the step")
        than, ratio, step = self._baseline()
        slower = None if ratio is None or not ratio.clear else ratio.low > 1
        if not slower and not self._request.anyway:
            after = ": nothing to look for." if slower is False else ". Ask again when less else runs."
            sentence = f"{_versus(ratio, than)}{after}"
            return SlownessFound(sentence, slower, than, ratio, step)
        report = self._report()
        guards = self._guards()
        variants = Variants(self._program, self._request.edits, report, self._report_progress)
        control = variants.control()
        trials = self._timed(control, list(variants.all()))
        trials = self._narrowed(control, variants, trials)
        trials = ranked(trials)
        sentence = _sentence(than, ratio, trials, guards, step.median if step is not None else 0.0)
        return SlownessFound(
            sentence, slower, than, ratio, step, tuple(trials), guards, report, tuple(self._notes)
        )

    def _baseline(self) -> tuple[str, PairedRatio | None, TimingSummary | None]:
        base, request = self._program.base, self._request
        compiled = self._sampler(contextlib.nullcontext, base.compiled)
        load = MachineLoad()
        if request.limit:
            with self._place:
                (times,) = interleave([compiled], _SECONDS, warm_up=5, fewest=_FEWEST, most=_MOST)
            than = f"{request.limit / 1e6:g} ms"
            first = [request.limit] * len(times)
        elif request.other is not None:
            other = make_capture(request.other, "other", self._report_progress, alone=False)
            if request.other_edits:
                EditedProgram(other).recompile(request.other_edits, "other edited", self._report_progress)
            share_values(base.program, other.program)
            with self._place:
                first, times = interleave([self._of(other), compiled], 2 * _SECONDS, 5, _FEWEST, _MOST)
            than = "the other program's"
        else:
            eager = self._sampler(contextlib.nullcontext, base.program.callable)
            with self._place:
                first, times = interleave([eager, compiled], 2 * _SECONDS, 5, _FEWEST, _MOST)
            than = "eager"
        return than, paired_ratio(first, times, load.others()), summarise(times)

    def _sampler(self, around: Around, function: Callable[..., object]) -> Sampler:
        stepper = self._program.base.stepper

        def sample() -> int:
            self._place.put(around)
            return stepper.timed(function, self._clock).nanoseconds

        return sample

    def _of(self, live: LiveCapture) -> Sampler:
        def sample() -> int:
            self._place.put(live.changes.active)
            return live.stepper.timed(live.compiled, self._clock).nanoseconds

        return sample

    def _report(self) -> TimingReport | None:
        """Kernels and parts of the step."""
        self._report_progress("Looking for what is slow: timing its kernels")
        base = self._program.base
        kind = GpuTimingRun if runs_on_gpu(base) else TimingRun
        settings = TimingSettings(iterations=_ITERATIONS, backward=base.stepper.options.gradients)
        try:
            return kind(base, settings, base.capture.id).run(lambda event: None, lambda: False)
        except EngineError as error:
            self._notes.append(f"Kernels could not be timed: {error.problem.what}")
            return None

    def _guards(self) -> tuple[GuardCost, ...]:
        base = self._program.base
        rows = []
        for frame in base.capture.frames:
            tree = base.recorder.guards.get(frame.id)
            if tree is None:
                continue
            with contextlib.suppress(EngineError):
                after = guards_after(base, frame.id, lambda: base.stepper.step(base.compiled))
                (times,) = interleave([after], _SECONDS_EACH, warm_up=3, fewest=3, most=_MOST)
                rows.append(_cost(tree, measure_guards(base, frame.id), statistics.median(times)))
        return tuple(sorted(rows, key=lambda row: -row.nanoseconds))

    def _timed(self, control: Variant, variants: list[Variant]) -> list[SpeedTrial]:
        """Each in turns with the control; what seems to help a second time, and judged."""
        found = []
        for number, variant in enumerate(variants):
            self._report_progress(
                f"Looking for what is slow: {variant.trial.what} ({number + 1} of {len(variants)})"
            )
            row = self._one(control, variant)
            found.append(row)
            self._emit(row)
        return found

    def _one(self, control: Variant, variant: Variant) -> SpeedTrial:
        trial = variant.trial
        if trial.problem:
            return trial
        try:
            ratio = self._compared(control, variant)
            trial = msgspec.structs.replace(trial, ratio=ratio)
            if ratio is None or not ratio.clear or ratio.high >= 1:
                return trial
            return msgspec.structs.replace(
                trial, again=self._compared(control, variant), right=self._right(variant)
            )
        except Exception as error:  # noqa: BLE001  what runs here was never meant to run so
            return msgspec.structs.replace(trial, problem=problem_from(error, "It could not be run", "").what)

    def _compared(self, control: Variant, variant: Variant) -> PairedRatio | None:
        base = self._program.base
        other = (
            self._of(variant.live)
            if variant.live is not None
            else self._sampler(variant.around, base.compiled)
        )
        own = self._sampler(control.around if variant.recompiled else contextlib.nullcontext, base.compiled)
        load = MachineLoad()
        with self._place:
            first, second = interleave([own, other], 2 * _SECONDS_EACH, warm_up=3, fewest=_FEWEST, most=_MOST)
        return paired_ratio(first, second, load.others())

    def _right(self, variant: Variant) -> bool | None:
        """Whether what helps still computes the same."""
        base = self._program.base

        def step() -> Results:
            if variant.live is not None:
                with variant.live.changes.active():
                    return variant.live.stepper.compared_step(variant.live.compiled)
            with variant.around():
                return base.stepper.compared_step(base.compiled)

        return still_right(self._program, self._request.edits, step)

    def _narrowed(self, control: Variant, variants: Variants, trials: list[SpeedTrial]) -> list[SpeedTrial]:
        """The setting that helps most is tried in each half alone."""
        helped = [row for row in trials if row.helps and row.setting is not None]
        best = min(helped, key=lambda row: row.ratio.ratio if row.ratio is not None else 1.0, default=None)
        if best is None or best.setting is None or len(variants.parts) < 2:
            return trials
        name, value = best.setting
        alone = [
            variant
            for part in variants.parts
            for variant in variants.with_setting(name, value, best.what, part)
        ]
        return trials + self._timed(control, alone)


def ranked(trials: Sequence[SpeedTrial]) -> list[SpeedTrial]:
    """What helps first, by how much; then the others as they were made. Running op by op is no remedy: what keeps the graph
    compiled and cannot be distinguished from it comes before it.
    """
    helped = [(row, row.ratio) for row in trials if row.helps and row.ratio is not None]

    def place(row: SpeedTrial, ratio: PairedRatio) -> tuple[float, bool]:
        if row.kind != OP_BY_OP:
            return ratio.ratio, False
        as_good = (
            other.ratio
            for trial, other in helped
            if trial.kind != OP_BY_OP and other.low <= ratio.high and ratio.low <= other.high
        )
        return max((ratio.ratio, *as_good)), True

    first = [row for row, ratio in sorted(helped, key=lambda pair: place(*pair))]
    return first + [row for row in trials if not row.helps or row.ratio is None]


def _cost(tree: GuardTree, measured: MeasuredGuards, nanoseconds: float) -> GuardCost:
    """What they take after a step, with the value whose guards cost most: a container's are counted together."""
    owners: dict[int, list[tuple[int, int, float]]] = {}
    for row in measured.leaves:
        node = tree.nodes[row[0]]
        owners.setdefault(node.parent if node.parent >= 0 else row[0], []).append(row)
    rows = max(owners.values(), key=lambda rows: sum(row[2] for row in rows), default=[])
    if not rows:
        return GuardCost(measured.compile_id, nanoseconds)
    worst = max(rows, key=lambda row: row[2])
    node = tree.nodes[worst[0]]
    leaf = node.leaves[worst[1]]
    guard = " ".join(leaf.code) or f"{node.source} {leaf.kind}"
    if len(rows) > 1:
        guard = f"{len(rows)} guards on {tree.nodes[node.parent].source if node.parent >= 0 else node.source}"
    line = tree.line_of(leaf)
    if line is not None and not Path(line.path).is_absolute():
        line = None  # torch's own, not the user's
    return GuardCost(
        measured.compile_id,
        nanoseconds,
        guard,
        line.path if line is not None else "",
        line.line if line is not None else None,
    )


def _versus(ratio: PairedRatio | None, than: str) -> str:
    """How a compiled step compares, as a clause."""
    what = {"eager": "an eager one"}.get(than, than)
    if ratio is None:
        return "The step was not timed often enough to compare"
    if why := format_unclear(ratio):
        return f"A compiled step cannot be told apart from {what}: {why}"
    return (
        f"A compiled step takes {ratio.ratio:.2f} times as long as {what} ({ratio.low:.2f}–{ratio.high:.2f})"
    )


def _sentence(
    than: str,
    ratio: PairedRatio | None,
    trials: list[SpeedTrial],
    guards: tuple[GuardCost, ...],
    step: float,
) -> str:
    reported = [f"{_versus(ratio, than)}."]
    spent = sum(row.nanoseconds for row in guards)
    if guards and step and spent > _GUARDS_MATTER * step:
        worst = guards[0]
        line = f" ({worst.path.rpartition('/')[2]}:{worst.line})" if worst.line is not None else ""
        reported.append(
            f"Checking guards takes {spent / 1e3:.1f} µs, {spent / step:.0%} of the step; most of it {worst.guard}{line}."
        )
    helped = [row for row in trials if row.helps and row.kind != "guards"]
    right = [row for row in helped if row.right is not False]
    if right and right[0].ratio is not None:
        best = right[0].ratio
        reported.append(
            f"It is {1 / best.ratio:.2f} times as fast ({1 / best.high:.2f}–{1 / best.low:.2f}) with {right[0].what}."
        )
    elif helped:
        reported.append(f"What helps ({helped[0].what}) makes the results wrong.")
    else:
        reported.append(f"None of {len(trials)} things that were tried makes it faster beyond noise.")
    return " ".join(reported)
