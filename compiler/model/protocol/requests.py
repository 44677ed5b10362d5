"""Every request, once: what answers it, where it is done, how it is stopped, what a newer one replaces, and whether it executes
code.

Worker, window and command line all follow this table; a request without a row here cannot be asked, and one without a
function in `compiler.worker.handlers` keeps the worker from starting.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import TypeAlias, TypeVar, cast, get_args

from compiler.model.capture.front_ends import front_end_named
from compiler.model.capture.guards import MeasuredGuards
from compiler.model.capture.translating import Translate, in_english
from compiler.model.edits.kernel_knobs import KernelKnobs
from compiler.model.edits.patterns import PatternMatches
from compiler.model.experiments import torch_compile_api
from compiler.model.experiments.causes import CauseFound, FindCause
from compiler.model.experiments.compile_choices import ChoicesMeasured, MeasureChoices
from compiler.model.experiments.costs import CostFound, FindCost
from compiler.model.experiments.dynamic_shape_trial import MeasureStances, StancesMeasured
from compiler.model.experiments.failures import FailureFound, FindFailure, ShrinkBreak
from compiler.model.experiments.least_programs import LeastProgram, ShrinkProgram
from compiler.model.experiments.node_values import MeasureValues, ValuesMeasured
from compiler.model.experiments.slowness import FindSlowness, SlownessFound
from compiler.model.experiments.trials import Trial
from compiler.model.front_end_comparison.front_end_matrix import FrontEndCell, JudgeFrontEnd
from compiler.model.front_end_comparison.script_texts import RunScript, ScriptRun
from compiler.model.gpu.disassembly import AssemblyListing
from compiler.model.gpu.kernel_checks import CheckKernels, KernelsChecked
from compiler.model.guard_testing.guard_tests import FrameInputs, GuardTestResult
from compiler.model.guard_testing.later_steps import LaterSteps, RepeatSteps
from compiler.model.ir.lowered_kernel import KernelsLowered, LowerKernels
from compiler.model.ir.memory_budget_curve import PartitionCurve
from compiler.model.operators import decompositions, dispatching, lessons
from compiler.model.operators.op_candidates import OpChoices
from compiler.model.operators.op_schemas import NodeSignatures
from compiler.model.protocol import messages
from compiler.model.protocol.absent_gpu import CrossCompilationTested, TestCrossCompilation
from compiler.model.protocol.messages import ReplyBody, RequestBody
from compiler.model.timing.graph_break_cost import BreakCosts
from compiler.model.timing.machine_peaks import MachineCeilings
from compiler.model.timing.state_timing import StateTimes
from compiler.model.timing.timings import TimingReport

RequestType: TypeAlias = type[RequestBody]


class RunsIn(Enum):
    """Where the worker does it."""

    MAIN_THREAD = "the worker's main thread, one after another"
    CHILD_PROCESS = "a process of its own, which the main thread waits for"
    CONNECTION_THREAD = "the worker's connection thread, at once, while the main thread works"


class Executes(Enum):
    """Whether doing it executes what a program, or a file that somebody sent, brought along."""

    NOTHING = "torch's and our own code only"
    PROGRAM = "the program, or text of kernels, edits and changes that came with it"


class Replaces(Enum):
    """Which older requests that are not answered yet a newer one replaces: their answers are dropped."""

    SAME_KIND = "those of its type"
    SAME_QUESTION = "those that ask exactly the same"
    NOTHING = "none"


class Stopped(Enum):
    """How it is cancelled."""

    INTERRUPTED = "the main thread raises KeyboardInterrupt; the worker is killed where that does not help"
    CHILD_ENDED = "so is the main thread, which ends the process that it waits for"
    NOT = "it is done before a cancel could come"


_STOPPED = {
    RunsIn.MAIN_THREAD: Stopped.INTERRUPTED,
    RunsIn.CHILD_PROCESS: Stopped.CHILD_ENDED,
    RunsIn.CONNECTION_THREAD: Stopped.NOT,
}


class Needs(Enum):
    """What the worker must have before it can be asked."""

    NOTHING = "nothing that lives there"
    LIVE_CAPTURE = "the live objects of the capture that it names"
    RUNNING_CAPTURE = "the program, running as in the capture that it names"


@dataclass(frozen=True)
class RequestRow:
    """What there is to know of one request."""

    request: RequestType
    reply: type[ReplyBody] | None
    """None: it has no answer of its own."""
    runs_in: RunsIn
    executes: Executes
    status: Callable[[RequestBody, Translate], str]
    """For the status bar, until the engine says more."""
    replaces: Replaces
    needs: Needs

    @property
    def stopped(self) -> Stopped:
        """How it is cancelled, which follows from where it is done."""
        return _STOPPED[self.runs_in]

    @property
    def cancellable(self) -> bool:
        """Whether Cancel can reach it."""
        return self.stopped is not Stopped.NOT

    @property
    def is_live(self) -> bool:
        """Whether it is about objects that live in the worker, or in the program that runs by itself."""
        return self.needs is not Needs.NOTHING

    @property
    def executes_program(self) -> bool:
        """Whether it may be sent only for a program that is trusted."""
        return self.executes is Executes.PROGRAM


_Request = TypeVar("_Request", bound=RequestBody)
_MAIN, _CHILD, _AT_ONCE = RunsIn.MAIN_THREAD, RunsIn.CHILD_PROCESS, RunsIn.CONNECTION_THREAD
_OURS, _PROGRAM = Executes.NOTHING, Executes.PROGRAM


def _row(
    request: type[_Request],
    reply: type[ReplyBody] | None,
    runs_in: RunsIn,
    executes: Executes,
    status: str | Callable[[_Request, Translate], str],
    replaces: Replaces = Replaces.SAME_KIND,
    needs: Needs | None = None,
) -> RequestRow:
    """Without `needs`, one that names a capture needs its live objects."""
    reported = (
        status if not isinstance(status, str) else (lambda _body, translate, text=status: translate(text))
    )
    names_capture = "capture" in request.__struct_fields__
    return RequestRow(
        cast("RequestType", request),
        reply,
        runs_in,
        executes,
        cast("Callable[[RequestBody, Translate], str]", reported),
        replaces,
        needs or (Needs.LIVE_CAPTURE if names_capture else Needs.NOTHING),
    )


def _front_end_title(request: JudgeFrontEnd | RunScript) -> str:
    return front_end_named(request.spec.front_end).title


_ROWS = (
    # What is captured, edited and compiled. An edit names what is called and a guard what is read, so all of it runs code.
    _row(
        messages.DescribeTarget,
        messages.TargetDescribed,
        _MAIN,
        _PROGRAM,
        lambda request, translate: translate("Looking at {name}", name=request.target.name),
    ),
    _row(
        messages.MakeCapture,
        messages.CaptureMade,
        _MAIN,
        _PROGRAM,
        lambda request, translate: translate("Capturing {name}", name=request.spec.target.name),
    ),
    _row(messages.PreviewEdits, messages.Preview, _MAIN, _PROGRAM, "Checking the edits"),
    _row(messages.Recompile, messages.Recompiled, _MAIN, _PROGRAM, "Compiling the edits"),
    _row(
        messages.ListOps,
        OpChoices,
        _MAIN,
        _PROGRAM,
        lambda request, translate: translate("Looking for operations that fit {node}", node=request.node),
    ),
    _row(
        messages.ListSignatures,
        NodeSignatures,
        _MAIN,
        _PROGRAM,
        lambda request, translate: translate("Looking up what {node} takes", node=request.node),
    ),
    _row(messages.ListKnobs, KernelKnobs, _MAIN, _PROGRAM, "Trying Inductor's knobs for this kernel"),
    _row(messages.FindMatches, PatternMatches, _MAIN, _PROGRAM, "Looking for matches of the pattern"),
    _row(messages.ListEditedGraphs, messages.EditedGraphs, _MAIN, _PROGRAM, "Reading the edited graphs"),
    _row(messages.ExplorePartition, PartitionCurve, _MAIN, _PROGRAM, "Asking the partitioner"),
    _row(
        messages.MeasurePartition,
        PartitionCurve,
        _MAIN,
        _PROGRAM,
        "Compiling and timing partitions",
    ),
    _row(messages.TestGuards, GuardTestResult, _MAIN, _PROGRAM, "Checking guards"),
    _row(
        messages.DescribeFrame,
        FrameInputs,
        _MAIN,
        _PROGRAM,
        lambda request, translate: translate(
            "Looking at what {compile} is called with", compile=request.compile_id
        ),
    ),
    _row(
        messages.MeasureGuards,
        MeasuredGuards,
        _MAIN,
        _PROGRAM,
        lambda request, translate: translate("Timing the guards of {compile}", compile=request.compile_id),
    ),
    _row(
        messages.MeasureBreaks,
        BreakCosts,
        _MAIN,
        _PROGRAM,
        "Timing what runs outside compiled graphs",
    ),
    _row(RepeatSteps, LaterSteps, _MAIN, _PROGRAM, "Calling it again with the same arguments"),
    _row(messages.RunTimings, TimingReport, _MAIN, _PROGRAM, "Timing", needs=Needs.RUNNING_CAPTURE),
    _row(messages.TimeStates, StateTimes, _MAIN, _PROGRAM, "Timing two states interleaved"),
    # Trials of a program, in a worker of their own.
    _row(
        messages.TryChanges,
        Trial,
        _MAIN,
        _PROGRAM,
        lambda request, translate: translate(
            "Trying a change of {name} on a copy", name=request.spec.target.name
        ),
    ),
    _row(MeasureChoices, ChoicesMeasured, _MAIN, _PROGRAM, "Measuring ways to call torch.compile"),
    _row(MeasureStances, StancesMeasured, _MAIN, _PROGRAM, "Calling with other sizes"),
    _row(
        JudgeFrontEnd,
        FrontEndCell,
        _CHILD,
        _PROGRAM,
        lambda request, translate: translate("Capturing with {way}", way=_front_end_title(request)),
    ),
    _row(
        RunScript,
        ScriptRun,
        _CHILD,
        _PROGRAM,
        lambda request, translate: translate(
            "Running {way} of {name}", way=_front_end_title(request), name=request.spec.target.name
        ),
    ),
    _row(dispatching.TraceDispatch, dispatching.DispatchTrace, _CHILD, _PROGRAM, "Tracing the dispatcher"),
    # Text of kernels. A C++ compiler runs none of it, but reads any file that the text includes.
    _row(
        messages.AssembleKernel,
        AssemblyListing,
        _MAIN,
        _PROGRAM,
        "Listing the instructions of a kernel",
    ),
    _row(MeasureValues, ValuesMeasured, _MAIN, _PROGRAM, "Looking at the values of a step"),
    _row(ShrinkProgram, LeastProgram, _MAIN, _PROGRAM, "Making the program smaller"),
    _row(FindFailure, FailureFound, _CHILD, _PROGRAM, "Looking for what fails"),
    _row(ShrinkBreak, LeastProgram, _CHILD, _PROGRAM, "Making the program smaller"),
    _row(FindCause, CauseFound, _MAIN, _PROGRAM, "Looking for the cause"),
    _row(FindSlowness, SlownessFound, _MAIN, _PROGRAM, "Looking for what is slow"),
    _row(FindCost, CostFound, _MAIN, _PROGRAM, "Looking for what it costs"),
    _row(LowerKernels, KernelsLowered, _CHILD, _PROGRAM, "Lowering a kernel"),
    _row(CheckKernels, KernelsChecked, _CHILD, _PROGRAM, "Interpreting kernels"),
    # Torch and this machine. What runs is ours, or what the person typed into a lesson.
    _row(
        TestCrossCompilation,
        CrossCompilationTested,
        _CHILD,
        _OURS,
        "Trying whether GPUs can be compiled for",
    ),
    _row(
        torch_compile_api.AskCompileInterface,
        torch_compile_api.CompileInterface,
        _MAIN,
        _OURS,
        "Reading torch.compile's options",
    ),
    _row(
        torch_compile_api.TryBackend,
        torch_compile_api.BackendTried,
        _CHILD,
        _OURS,
        lambda request, translate: translate("Trying backend {name}", name=request.backend),
    ),
    _row(
        messages.MeasureMachine,
        MachineCeilings,
        _MAIN,
        _OURS,
        "Measuring what this machine reaches",
    ),
    _row(messages.AskEnvironment, messages.EnvironmentFound, _MAIN, _OURS, "Looking at this computer"),
    _row(dispatching.ListOperators, dispatching.OperatorNames, _MAIN, _OURS, "Listing torch's operators"),
    _row(
        dispatching.ListKeySets,
        dispatching.TensorKeySets,
        _MAIN,
        _OURS,
        "Looking at the dispatch keys of tensors",
    ),
    _row(
        dispatching.ShowOperator,
        dispatching.OperatorTable,
        _MAIN,
        _OURS,
        "Reading a dispatch table",
        Replaces.SAME_QUESTION,
    ),
    _row(
        decompositions.DecomposeOperator,
        decompositions.Decomposition,
        _CHILD,
        _OURS,
        "Taking an operator apart",
        Replaces.SAME_QUESTION,
    ),
    _row(lessons.RunLesson, lessons.LessonRun, _CHILD, _OURS, "Running a lesson"),
    # What is heard while the worker works.
    _row(messages.StopTimings, messages.Done, _AT_ONCE, _OURS, "Stopping", Replaces.NOTHING),
    _row(messages.CancelRequest, None, _AT_ONCE, _OURS, "Stopping", Replaces.NOTHING),
    _row(messages.ShutDown, None, _AT_ONCE, _OURS, "Stopping", Replaces.NOTHING),
)

REQUEST_TYPES: tuple[RequestType, ...] = get_args(RequestBody)
REQUESTS: Mapping[RequestType, RequestRow] = MappingProxyType({row.request: row for row in _ROWS})


def row_of(body: RequestBody) -> RequestRow:
    """What there is to know of a request."""
    return REQUESTS[type(body)]


def status_of(body: RequestBody, translate: Translate = in_english) -> str:
    """What the engine does for a request, in words, until it says so itself. `translate` fills the fields of a sentence, in another
    language where it is given.
    """
    return row_of(body).status(body, translate)


def replacement_key(body: RequestBody, purpose: str = "") -> Hashable:
    """Of two requests with the same key and purpose the newer one replaces the older one; None: nothing replaces it."""
    match row_of(body).replaces:
        case Replaces.SAME_KIND:
            return type(body), purpose
        case Replaces.SAME_QUESTION:
            return body, purpose
        case Replaces.NOTHING:
            return None
