"""The verbs the worker calls. One engine holds the captures of one process."""

import contextlib
import functools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import torch
import torch.fx

from compiler.engine.capture.capture import make_capture
from compiler.engine.capture.hook_trial import try_hooks
from compiler.engine.capture.partial_results import Emit
from compiler.engine.causes.shrink import shrink
from compiler.engine.cross_compile.absent_gpu_kernel_edits import (
    only_kernels,
    with_edited_kernels,
    with_these_lowered,
)
from compiler.engine.errors import EngineError, failure_from, problem_from
from compiler.engine.experiments.ab_trial import try_changes
from compiler.engine.experiments.compile_option_trials import measure_choices
from compiler.engine.experiments.dynamic_shape_trials import measure_stances
from compiler.engine.failures.unedited_failures import blamed
from compiler.engine.fx.probe_ops import collecting
from compiler.engine.guards.frame_inputs import frame_inputs
from compiler.engine.guards.guard_tester import first_not_held, measure_guards, test_guards
from compiler.engine.guards.later_steps import repeat_steps
from compiler.engine.guards.settled_capture import settled_capture
from compiler.engine.kernel_code.wrapper_errors import wrapper_error_in
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.recompile.graph_questions import answer_about
from compiler.engine.recompile.other_compiles import forget_other_compiles
from compiler.engine.recompile.ran_graphs import failed_guards
from compiler.engine.timing.cpu_timing import TimingRun
from compiler.engine.timing.edit_state_timing import time_states
from compiler.engine.timing.gpu_timing import GpuTimingRun, runs_on_gpu
from compiler.engine.timing.graph_break_cost import measure_breaks
from compiler.engine.timing.machine_peaks import ceilings
from compiler.engine.timing.memory_budget_timing import measure_budgets
from compiler.engine.torch_internals.patch.compile_settings import compile_interface
from compiler.engine.torch_internals.patch.wrapped_tensors import levels_left
from compiler.engine.user_program.environment import find_environment
from compiler.engine.user_program.loading import describe_program, load_program
from compiler.engine.user_program.stepper import unchanged_state
from compiler.engine.verbs.searches import Answer, Search, search
from compiler.engine.verdicts.first_divergence import first_differences
from compiler.engine.verdicts.judge_edits import judge_edits
from compiler.engine.verdicts.node_values import measure_values
from compiler.model.capture.capture import Capture, Environment
from compiler.model.capture.capture_spec import (
    CaptureSpec,
    TargetDescription,
    TargetSpec,
    with_torch_compile,
)
from compiler.model.capture.front_ends import DYNAMO, find_front_end
from compiler.model.capture.guards import MeasuredGuards
from compiler.model.capture.probe_readings import report
from compiler.model.capture.program_changes import Change
from compiler.model.edits.edits import Edit
from compiler.model.edits.kernel_knobs import KernelKnobs
from compiler.model.experiments.compile_choices import ChoicesMeasured, CompileChoice
from compiler.model.experiments.dynamic_shape_trial import StancesMeasured
from compiler.model.experiments.least_programs import LeastProgram, ShrinkProgram
from compiler.model.experiments.node_values import ValuesMeasured
from compiler.model.experiments.torch_compile_api import CompileInterface
from compiler.model.experiments.trials import DimensionTrial, Trial
from compiler.model.guard_testing.guard_tests import FrameInputs, GuardChange, GuardTestResult
from compiler.model.guard_testing.later_steps import LaterSteps
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import CaptureId, NodeId, StageId
from compiler.model.ir.lowered_kernel import KernelsLowered, LowerKernels
from compiler.model.ir.memory_budget_curve import PartitionCurve
from compiler.model.protocol.front_end_requests import EditAnswer, EditQuestion
from compiler.model.protocol.messages import Preview, PreviewEdits
from compiler.model.protocol.progress import prefixed
from compiler.model.session_file.capture_file import read_kept
from compiler.model.timing.graph_break_cost import BreakCosts
from compiler.model.timing.machine_peaks import MachineCeilings
from compiler.model.timing.state_timing import StateTimes
from compiler.model.timing.timings import TimingBatch, TimingReport, TimingSettings, TimingStarted
from compiler.model.timing.verdicts import Verdict

ReportProgress = Callable[[str], None]
RunInChild = Callable[[CaptureSpec, CaptureId, ReportProgress], Capture]
LowerInChild = Callable[[LowerKernels, ReportProgress], KernelsLowered]
_FURTHER_STEPS = 3
"""One that warms up, one that is recorded and one that is replayed, under CUDA graphs."""
EditInChild = Callable[[CaptureSpec, CaptureId, tuple[Edit, ...], CaptureId, ReportProgress], Capture]


class Engine:
    """Loads, captures, edits, recompiles, judges and times. Raises EngineError for all that a person can mend."""

    def __init__(
        self,
        capture: RunInChild | None = None,
        lower: LowerInChild | None = None,
        edit: EditInChild | None = None,
    ) -> None:
        """`elsewhere` makes captures for absent GPUs and with other front ends, in a process of its own; so
        does `lower` with Triton kernels, and `edit` with captures for such GPUs and edits of them.
        """
        self._edit = edit
        self._capture_in_child = capture
        self._lower = lower
        self._cross_compiled: dict[CaptureId, Capture] = {}
        self._programs: dict[CaptureId, EditedProgram] = {}
        self._made_in_child: dict[CaptureId, CaptureSpec] = {}
        self._threads = torch.get_num_threads()

    def environment(
        self, hook_trial: Path | None = None, report_progress: Callable[[str], None] = lambda text: None
    ) -> Environment:
        """What this machine and this torch offer; with the program of a trial, which hooks torch really calls."""
        found = find_environment()
        return (
            found
            if hook_trial is None
            else msgspec.structs.replace(found, hooks=try_hooks(hook_trial, report_progress))
        )

    def describe(self, target: TargetSpec) -> TargetDescription:
        """Load a target and say what it takes; where it brings no inputs, what it may take."""
        return describe_program(load_program(target, guess=True))

    def capture(
        self,
        spec: CaptureSpec,
        capture_id: CaptureId,
        report_progress: ReportProgress,
        emit: Emit | None = None,
        kept: str = "",
    ) -> Capture:
        """Run the whole pipeline. Torch's compiled code is global, so earlier captures can no longer be run. What was
        generated is reported before it is built. `kept` is a file that may have this capture of another front end.
        """
        spec = with_torch_compile(spec)
        if spec.is_only_compiled or spec.front_end != DYNAMO:
            return self._captured_in_child(spec, capture_id, report_progress, kept)
        self._programs.clear()
        self._made_in_child.pop(capture_id, None)
        torch.set_num_threads(self._threads)
        live = settled_capture(spec, capture_id, report_progress, emit)
        self._programs[capture_id] = EditedProgram(live)
        return live.capture

    def answer(self, question: EditQuestion) -> EditAnswer:
        """What is asked about the graphs of a capture with edits."""
        if question.capture in self._cross_compiled and isinstance(question, PreviewEdits):
            return Preview(
                (), ()
            )  # its live graphs are in no process; the edit is judged when it is compiled
        with self._live_program(question.capture) as program:
            return answer_about(program, question)

    def recompile(
        self,
        capture_id: CaptureId,
        edits: tuple[Edit, ...],
        new_id: CaptureId,
        judge: bool,
        report_progress: ReportProgress,
        emit: Emit | None = None,
    ) -> tuple[Capture, Verdict | None]:
        """Apply edits, compile from the edited stage on, swap in, run and judge. What was generated is reported before it is
        built.
        """
        if capture_id in self._cross_compiled:
            return self._edited_in_child(
                self._cross_compiled[capture_id], edits, new_id, report_progress
            ), None
        with self._live_program(capture_id) as program:
            capture, verdict = _recompiled(program, edits, capture_id, new_id, judge, report_progress, emit)
        self._programs[new_id] = program
        return capture, verdict

    def knobs(
        self,
        capture_id: CaptureId,
        stage: StageId,
        nodes: tuple[NodeId, ...],
        edits: tuple[Edit, ...],
        report_progress: ReportProgress,
    ) -> KernelKnobs:
        """What Inductor's knobs do to the kernels that run some nodes; nothing is built."""
        with self._live_program(capture_id) as program:
            return program.try_knobs(stage, nodes, edits, report_progress)

    def explore_partition(
        self, capture_id: CaptureId, stage: StageId, edits: tuple[Edit, ...], report_progress: ReportProgress
    ) -> PartitionCurve:
        """What torch's partitioner would keep and repeat at each memory budget. Compiles nothing."""
        with self._live_program(capture_id) as program:
            return PartitionCurve(stage, program.explore(stage, edits, report_progress))

    def measure_partition(
        self,
        capture_id: CaptureId,
        stage: StageId,
        budgets: tuple[float, ...],
        edits: tuple[Edit, ...],
        report_progress: ReportProgress,
    ) -> PartitionCurve:
        """Compile each budget and time it; what ran before runs again at the end."""
        with self._live_program(capture_id) as program:
            return PartitionCurve(
                stage, measured=measure_budgets(program, stage, budgets, edits, report_progress)
            )

    def test_guards(
        self, capture_id: CaptureId, change: GuardChange, compile_id: str = ""
    ) -> GuardTestResult:
        """Which compiled code would run with changed inputs; the model is not run."""
        with self._live_program(capture_id) as program:
            return test_guards(program.base, change, compile_id)

    def describe_frame(self, capture_id: CaptureId, compile_id: str) -> FrameInputs:
        """What a compiled frame is called with; for a frame further in the program is run once."""
        with self._live_program(capture_id) as program:
            return frame_inputs(program.base, compile_id)

    def measure_guards(self, capture_id: CaptureId, compile_id: str) -> MeasuredGuards:
        """What checking the guards of one compile costs."""
        with self._live_program(capture_id) as program:
            return measure_guards(program.base, compile_id)

    def measure_values(self, capture_id: CaptureId, edits: tuple[Edit, ...]) -> ValuesMeasured:
        """Every value of one step, with the edits that are compiled. Raises EngineError."""
        with self._live_program(capture_id) as program:
            try:
                return measure_values(program, edits)
            except Exception as error:
                raise failure_from(
                    error, "The values of a step could not be looked at", "Capture again."
                ) from error

    def search(self, request: Search, report_progress: ReportProgress, emit: Callable[[Any], None]) -> Answer:
        """What makes a capture's results wrong, its step slow, or what it costs, with the edits that are compiled. Raises
        EngineError.
        """
        with self._live_program(request.capture) as program:
            return search(program, request, report_progress, emit)

    def shrink(self, request: ShrinkProgram, report_progress: ReportProgress) -> LeastProgram:
        """The least program that is wrong as the graph of a cause is. Raises EngineError."""
        with self._live_program(request.capture) as program:
            return shrink(program, request.edits, request.found, report_progress)

    def measure_breaks(self, capture_id: CaptureId) -> BreakCosts:
        """What a step spends outside compiled graphs, and where."""
        with self._live_program(capture_id) as program:
            return measure_breaks(program.base)

    def repeat_steps(self, capture_id: CaptureId) -> LaterSteps:
        """What further steps with the same arguments compile again."""
        with self._live_program(capture_id) as program:
            return repeat_steps(program.base)

    def try_changes(
        self,
        spec: CaptureSpec,
        changes: tuple[Change, ...],
        dimension: DimensionTrial | None,
        report_progress: ReportProgress,
    ) -> Trial:
        """The program with and without changes, side by side; captures made before can no longer be run."""
        self._programs.clear()
        torch.set_num_threads(self._threads)
        return try_changes(spec, changes, dimension, report_progress)

    def compile_interface(self) -> CompileInterface:
        """What torch.compile can be told in this torch."""
        return compile_interface()

    def measure_stances(
        self, spec: CaptureSpec, dimension: DimensionTrial | None, report_progress: ReportProgress
    ) -> StancesMeasured:
        """When torch compiles again as sizes change; captures made before can no longer be run."""
        self._programs.clear()
        stances = tuple(row.name for row in compile_interface().stances)
        return measure_stances(spec, dimension, stances, report_progress)

    def measure_choices(
        self, spec: CaptureSpec, choices: tuple[CompileChoice, ...], report_progress: ReportProgress
    ) -> ChoicesMeasured:
        """Ways to call torch.compile side by side; captures made before can no longer be run."""
        self._programs.clear()
        torch.set_num_threads(self._threads)
        return measure_choices(spec, choices, report_progress)

    def time(
        self,
        capture_id: CaptureId,
        settings: TimingSettings,
        emit: Callable[[TimingStarted | TimingBatch], None],
        stop: Callable[[], bool],
        report_progress: ReportProgress,
    ) -> TimingReport:
        """Time the program as last recompiled.

        Dynamo guards on the number of threads and Inductor generates code for it, so timing with another number means
        capturing again with that number; the edits are carried over.
        """
        program = self._program(capture_id)
        wanted = settings.threads or self._threads
        if wanted != torch.get_num_threads():
            program = self._with_threads(program, wanted, report_progress)
        with program.base.changes.active():
            kind = GpuTimingRun if runs_on_gpu(program.base) else TimingRun
            report = kind(program.base, settings, capture_id).run(emit, stop)
            names = report.unrun_graphs
            if report.is_of_other_code:
                names = tuple(graph.record.compile_id for graph in program.base.live.dynamo_graphs)
            if names:
                guards = failed_guards(program, None, lambda: first_not_held(program.base, names))
                report = msgspec.structs.replace(report, failed_guards=guards)
            return report

    def ceilings(self, threads: int, again: bool, report_progress: ReportProgress) -> MachineCeilings:
        """What the machine reaches with so many threads; 0: as many as torch uses now."""
        return ceilings(threads, again, report_progress)

    def time_states(
        self,
        capture_id: CaptureId,
        first: tuple[Edit, ...],
        second: tuple[Edit, ...],
        seconds: float,
        report_progress: ReportProgress,
    ) -> StateTimes:
        """Two states of the edited program interleaved; what ran before runs again."""
        with self._live_program(capture_id) as program:
            return time_states(program, first, second, seconds, report_progress)

    def _with_threads(
        self, program: EditedProgram, threads: int, report_progress: ReportProgress
    ) -> EditedProgram:
        before = torch.get_num_threads()
        torch.set_num_threads(threads)
        base, edits = program.base.capture, program.edits
        why = f"Compiling again for {threads} thread{'s' if threads != 1 else ''}"

        def emit(text: str) -> None:
            report_progress(prefixed(why, text))

        try:
            fresh = EditedProgram(make_capture(base.spec, base.id, emit))
            fresh.recompile(edits, base.id, emit)
        except BaseException:
            torch.set_num_threads(before)
            self._programs.clear()
            raise
        self._programs = dict.fromkeys(self._programs, fresh)
        return fresh

    @contextlib.contextmanager
    def _live_program(self, capture_id: CaptureId) -> Iterator[EditedProgram]:
        """The program of a capture, with its changes active."""
        program = self._program(capture_id)
        with levels_left(), program.base.changes.active():
            yield program

    def _captured_in_child(
        self, spec: CaptureSpec, capture_id: CaptureId, report_progress: ReportProgress, kept: str
    ) -> Capture:
        if self._capture_in_child is None:
            raise EngineError("This engine captures with torch.compile for what is here only.", "Capture so.")
        self._programs.clear()
        self._made_in_child[capture_id] = spec
        self._cross_compiled.clear()
        found = read_kept(kept, spec)
        if found is not None:
            return msgspec.structs.replace(found, id=capture_id)
        capture = self._capture_in_child(spec, capture_id, report_progress)
        if spec.is_only_compiled:
            self._cross_compiled[capture_id] = capture
        return capture

    def _edited_in_child(
        self, base: Capture, edits: tuple[Edit, ...], new_id: CaptureId, report_progress: ReportProgress
    ) -> Capture:
        """For an absent GPU or without values: edited kernels are lowered again, edited graphs compiled again first."""
        self._made_in_child[new_id] = base.spec
        edit, lower = self._edit, self._lower
        if edit is None or lower is None:
            raise EngineError(_only_to_look_at(base.spec))
        if only_kernels(edits):
            return with_edited_kernels(base, edits, new_id, lambda request: lower(request, report_progress))
        edited = edit(base.spec, base.id, edits, new_id, report_progress)
        return with_these_lowered(edited, edits, lambda request: lower(request, report_progress))

    def front_end_of(self, capture_id: CaptureId) -> CaptureSpec | None:
        """What a capture was made by, if another front end than torch.compile made it in a process of its own."""
        spec = self._made_in_child.get(capture_id)
        return spec if spec is not None and not spec.is_only_compiled else None

    def note_edited_in_child(self, capture_id: CaptureId, spec: CaptureSpec) -> None:
        """A process of its own made this of a capture by another front end."""
        self._made_in_child[capture_id] = spec

    def _program(self, capture_id: CaptureId) -> EditedProgram:
        if capture_id in self._made_in_child:
            raise EngineError(_only_to_look_at(self._made_in_child[capture_id]))
        try:
            return self._programs[capture_id]
        except KeyError:
            raise EngineError(
                f"The engine does not hold {capture_id} (it was restarted).", "Capture again."
            ) from None


@functools.cache
def torch_version() -> str:
    """The torch in use."""
    return str(torch.__version__)


def _recompiled(
    program: EditedProgram,
    edits: tuple[Edit, ...],
    capture_id: CaptureId,
    new_id: CaptureId,
    judge: bool,
    report_progress: ReportProgress,
    emit: Emit | None,
) -> tuple[Capture, Verdict | None]:
    """The edits compiled, run and judged; where that fails, what ran before runs again."""
    before, failures = program.edits, program.base.capture.problems
    forget_other_compiles(program.base)
    try:
        capture = program.recompile(edits, new_id, report_progress, emit)
    except EngineError as error:
        raise EngineError(blamed(error.problem, failures)) from error
    try:
        with collecting() as readings, unchanged_state(program.base.program):
            program.base.stepper.step(program.base.compiled)
        if readings:
            capture = msgspec.structs.replace(capture, readings=tuple(readings))
            print(report(capture.readings), flush=True)  # noqa: T201  it goes where the program's own output goes
        verdict = judge_edits(program, edits, capture.seconds, report_progress) if judge else None
        if verdict is not None and any(row.agrees is False for row in verdict.comparisons):
            report_progress("Looking for the first result that differs")
            capture = msgspec.structs.replace(
                capture, problems=(*capture.problems, *first_differences(program, edits))
            )
    except EngineError:
        program.recompile(before, capture_id, report_progress)
        raise
    except Exception as error:
        program.recompile(before, capture_id, report_progress)
        if (fault := wrapper_error_in(error, capture, edits)) is not None:
            raise fault from error
        remedy = "Undo the edit or change it; the version before it is running again."
        problem = problem_from(error, "The edited program compiles but fails when run", remedy)
        raise EngineError(blamed(problem, (*failures, *_fails_again(program)))) from error
    return capture, verdict


def _fails_again(program: EditedProgram) -> tuple[Problem, ...]:
    """What further steps of the code before the edit fail with."""
    try:
        for _ in range(_FURTHER_STEPS):
            with unchanged_state(program.base.program):
                program.base.stepper.step(program.base.compiled)
    except Exception as error:  # noqa: BLE001  reported, whatever it is
        return (problem_from(error, "A further step fails", ""),)
    return ()


def _only_to_look_at(spec: CaptureSpec) -> Problem:
    """Why a capture of another process can't be run, edited or timed here."""
    if spec.is_only_compiled:
        why = "for an absent GPU" if spec.device is not None else "without values"
        return Problem(
            f"This was compiled {why}: it can be edited and compiled again, but not run or timed, and "
            "what would fit in a graph is not known.",
            "Capture on the CPU with values for that, or on a machine with the GPU.",
        )
    title = find_front_end(spec.front_end).title
    return Problem(
        f"This was captured with {title}, in a process of its own: it runs only while an edit of it is judged.",
        "Capture with torch.compile for this.",
    )
