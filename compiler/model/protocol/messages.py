"""What passes between a client (window or command line) and the worker.

A client sends requests; the worker answers each with one `Reply` or one `Failure` of the same id, and sends events at any
time. `frames` says how they are written.
"""

from typing import TypeAlias

import msgspec

from compiler.model.capture.capture import Capture, Environment
from compiler.model.capture.capture_spec import CaptureSpec, TargetDescription, TargetSpec
from compiler.model.capture.guards import MeasuredGuards
from compiler.model.capture.program_changes import Change
from compiler.model.edits.edits import Edit
from compiler.model.edits.kernel_knobs import KernelKnobs
from compiler.model.edits.patterns import PatternMatches
from compiler.model.experiments.questions import ExperimentEvent, ExperimentReply, ExperimentRequest
from compiler.model.experiments.trials import DimensionTrial, Trial
from compiler.model.export import EditedGraph, EditedInductorGraph
from compiler.model.front_end_comparison.front_end_matrix import FrontEndCell, JudgeFrontEnd
from compiler.model.front_end_comparison.script_texts import RunScript, ScriptRun
from compiler.model.gpu.disassembly import AssemblyListing
from compiler.model.gpu.kernel_checks import CheckKernels, KernelsChecked
from compiler.model.guard_testing.guard_tests import FrameInputs, GuardChange, GuardTestResult
from compiler.model.guard_testing.later_steps import LaterSteps, RepeatSteps
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import CaptureId, NodeId, StageId
from compiler.model.ir.lowered_kernel import KernelsLowered, LowerKernels
from compiler.model.ir.memory_budget_curve import PartitionCurve
from compiler.model.operators.decompositions import DecomposeOperator, Decomposition
from compiler.model.operators.dispatching import (
    DispatchTrace,
    ListKeySets,
    ListOperators,
    OperatorNames,
    OperatorTable,
    ShowOperator,
    TensorKeySets,
    TraceDispatch,
)
from compiler.model.operators.lessons import LessonRun, RunLesson
from compiler.model.operators.op_candidates import OpChoices
from compiler.model.operators.op_schemas import NodeSignatures
from compiler.model.protocol.absent_gpu import CrossCompilationTested, TestCrossCompilation
from compiler.model.protocol.partial_results import StagesGenerated
from compiler.model.protocol.process_changes import ProcessChanged
from compiler.model.protocol.progress import Step
from compiler.model.protocol.run_events import (
    BreakAt,
    FollowRun,
    GoOn,
    RunBegan,
    RunCaptured,
    RunCounted,
    RunEdited,
    RunEnded,
    RunMissed,
    RunStopped,
    RunValuesFound,
    RunWentOn,
)
from compiler.model.timing.graph_break_cost import BreakCosts
from compiler.model.timing.machine_peaks import MachineCeilings
from compiler.model.timing.state_timing import StateTimes
from compiler.model.timing.timings import TimingBatch, TimingReport, TimingSettings, TimingStarted
from compiler.model.timing.verdicts import Verdict

# -- requests -------------------------------------------------------------------------------------------------


class DescribeTarget(msgspec.Struct, frozen=True, tag="describe_target"):
    """Load a target and say what it is and what its arguments are. Replies with `TargetDescribed`."""

    target: TargetSpec
    without_values: bool = False
    """Under fake tensors, in a process of its own."""


class MakeCapture(msgspec.Struct, frozen=True, tag="make_capture"):
    """Run torch.compile on a target with every stage listening. Replies with `CaptureMade`."""

    spec: CaptureSpec
    id: CaptureId
    kept: str = ""
    """A file with this very capture of another front end (`compiler.model.session_file.capture_file`), which is then not made again."""


class PreviewEdits(msgspec.Struct, frozen=True, tag="preview_edits"):
    """Apply edits to a copy and propagate shapes. Replies with `Preview`."""

    capture: CaptureId
    edits: tuple[Edit, ...]


class Recompile(msgspec.Struct, frozen=True, tag="recompile"):
    """Apply all edits to what was captured, compile again from the earliest edited stage on only, run, and judge.

    `edits` is the whole list since the capture, not an increment. Replies with `Recompiled`.
    """

    capture: CaptureId
    edits: tuple[Edit, ...]
    id: CaptureId
    judge: bool = True


class ListOps(msgspec.Struct, frozen=True, tag="list_ops"):
    """Which operations a node could call instead, in the graph with these edits. Replies with `OpChoices`."""

    capture: CaptureId
    stage: StageId
    node: NodeId
    edits: tuple[Edit, ...] = ()
    behind: bool = False
    """Which could stand behind the node instead, on an edge: they take its result and give one of the same type."""


class ListEditedGraphs(msgspec.Struct, frozen=True, tag="list_edited_graphs"):
    """What edits, all compiled, did to each FX graph. Replies with `EditedGraphs`."""

    capture: CaptureId
    edits: tuple[Edit, ...]


class ExplorePartition(msgspec.Struct, frozen=True, tag="explore_partition"):
    """What torch's partitioner would keep and repeat at each memory budget, with the edits of the joint graph and those
    before it. Compiles nothing. Replies with `PartitionCurve`.
    """

    capture: CaptureId
    stage: StageId
    edits: tuple[Edit, ...] = ()


class MeasurePartition(msgspec.Struct, frozen=True, tag="measure_partition"):
    """Compile the program with each of these memory budgets and time a step of it; at the end what ran before runs again,
    also when it is cancelled. Replies with `PartitionCurve`.
    """

    capture: CaptureId
    stage: StageId
    budgets: tuple[float, ...]
    edits: tuple[Edit, ...] = ()


class ListSignatures(msgspec.Struct, frozen=True, tag="list_signatures"):
    """What a node's operation takes, in the graph with these edits. Replies with `NodeSignatures`."""

    capture: CaptureId
    stage: StageId
    node: NodeId
    edits: tuple[Edit, ...] = ()


class ListKnobs(msgspec.Struct, frozen=True, tag="list_knobs"):
    """What Inductor's knobs do to the code of the kernels that run some nodes of a loop IR, with these edits. Builds
    nothing. Replies with `KernelKnobs`.
    """

    capture: CaptureId
    stage: StageId
    nodes: tuple[NodeId, ...]
    edits: tuple[Edit, ...] = ()


class FindMatches(msgspec.Struct, frozen=True, tag="find_matches"):
    """Where torch's own matcher finds a pattern, in all graphs of a stage's kind with these edits. Replies with
    `PatternMatches`.
    """

    capture: CaptureId
    stage: StageId
    pattern: Graph
    edits: tuple[Edit, ...] = ()


class AssembleKernel(msgspec.Struct, frozen=True, tag="assemble_kernel"):
    """Compile the source of a C++ kernel and list its instructions. Replies with `AssemblyListing`."""

    source: str


class TestGuards(msgspec.Struct, frozen=True, tag="test_guards"):
    """Which compiled code of a frame would run with changed inputs, and which guards would fail.

    The model is not run. Replies with `GuardTestResult`.
    """

    __test__ = False

    capture: CaptureId
    change: GuardChange
    compile_id: str = ""
    """A compile of the frame, whose values are tried; the program's first frame where it is empty."""


class DescribeFrame(msgspec.Struct, frozen=True, tag="describe_frame"):
    """What the compiled code of a frame is called with; for a frame further in the program is run once. Replies with
    `FrameInputs`.
    """

    capture: CaptureId
    compile_id: str


class MeasureGuards(msgspec.Struct, frozen=True, tag="measure_guards"):
    """Time the guards of one compile. Replies with `MeasuredGuards`."""

    capture: CaptureId
    compile_id: str


class MeasureBreaks(msgspec.Struct, frozen=True, tag="measure_breaks"):
    """Time what a step spends outside compiled graphs. Replies with `BreakCosts`."""

    capture: CaptureId


class TryChanges(msgspec.Struct, frozen=True, tag="try_changes"):
    """Capture a program with and without more changes, compare and time both. What was captured before is given up, so
    ask it of a worker of its own. Replies with `Trial`.
    """

    spec: CaptureSpec
    changes: tuple[Change, ...]
    dimension: DimensionTrial | None = None
    """For a change that concerns sizes: what to call both sides with."""


class RunTimings(msgspec.Struct, frozen=True, tag="run_timings"):
    """Run the compiled program (as last recompiled) in a loop; `TimingStarted` and `TimingBatch` events follow.

    Ends by itself after `settings.iterations`, or when `StopTimings` arrives. Replies with `TimingReport`.
    """

    capture: CaptureId
    settings: TimingSettings


class StopTimings(msgspec.Struct, frozen=True, tag="stop_timings"):
    """End a timing run; read while it is going on. Replies with `Done`."""


class MeasureMachine(msgspec.Struct, frozen=True, tag="measure_machine"):
    """What this machine reaches with so many threads (0: as it is): measured once and kept, or measured `again`. Replies
    with `MachineCeilings`.
    """

    threads: int = 0
    again: bool = False


class TimeStates(msgspec.Struct, frozen=True, tag="time_states"):
    """Time two states of the edited program and the eager one interleaved; what was not compiled is compiled. Replies with
    `StateTimes`.
    """

    capture: CaptureId
    first: tuple[Edit, ...]
    second: tuple[Edit, ...]
    seconds: float = 3.0


class AskEnvironment(msgspec.Struct, frozen=True, tag="ask_environment"):
    """Versions, hooks, compilers, devices. Replies with `EnvironmentFound`."""

    try_hooks: bool = False
    """Compile a small program and see which hooks torch calls; takes seconds."""


class CancelRequest(msgspec.Struct, frozen=True, tag="cancel_request"):
    """Interrupt the request of that id as soon as Python gets a turn. Has no reply of its own."""

    request: int


class ShutDown(msgspec.Struct, frozen=True, tag="shut_down"):
    """End the process in good order. Has no reply."""


RequestBody: TypeAlias = (
    DescribeTarget
    | MakeCapture
    | PreviewEdits
    | Recompile
    | ListOps
    | ListSignatures
    | ListKnobs
    | FindMatches
    | ListEditedGraphs
    | ExplorePartition
    | MeasurePartition
    | AssembleKernel
    | LowerKernels
    | ExperimentRequest
    | CheckKernels
    | TestCrossCompilation
    | TestGuards
    | DescribeFrame
    | MeasureGuards
    | MeasureBreaks
    | RepeatSteps
    | TryChanges
    | RunScript
    | JudgeFrontEnd
    | RunTimings
    | StopTimings
    | MeasureMachine
    | TimeStates
    | ListOperators
    | ListKeySets
    | ShowOperator
    | DecomposeOperator
    | TraceDispatch
    | RunLesson
    | AskEnvironment
    | CancelRequest
    | ShutDown
)


class Request(msgspec.Struct, frozen=True, tag="request"):
    """A question with its number; numbers never repeat on one connection."""

    id: int
    body: RequestBody


# -- replies --------------------------------------------------------------------------------------------------


class TargetDescribed(msgspec.Struct, frozen=True, tag="target_described"):
    """Answer to `DescribeTarget`."""

    description: TargetDescription


class CaptureMade(msgspec.Struct, frozen=True, tag="capture_made"):
    """Answer to `MakeCapture`."""

    capture: Capture


class Preview(msgspec.Struct, frozen=True, tag="preview"):
    """Answer to `PreviewEdits`: each edited graph with fresh shapes, and what is wrong with it."""

    graphs: tuple[tuple[StageId, Graph], ...]
    problems: tuple[Problem, ...]


class Recompiled(msgspec.Struct, frozen=True, tag="recompiled"):
    """Answer to `Recompile`: a whole capture (stages before the edit are those of its parent) and the verdict."""

    capture: Capture
    verdict: Verdict | None


class EditedGraphs(msgspec.Struct, frozen=True, tag="edited_graphs"):
    """Answer to `ListEditedGraphs`."""

    graphs: tuple[EditedGraph, ...]
    units: tuple[EditedInductorGraph, ...] = ()


class EnvironmentFound(msgspec.Struct, frozen=True, tag="environment_found"):
    """Answer to `AskEnvironment`."""

    environment: Environment


class Done(msgspec.Struct, frozen=True, tag="done"):
    """Answer to a request that has nothing to say."""


ReplyBody: TypeAlias = (
    TargetDescribed
    | CaptureMade
    | Preview
    | Recompiled
    | OpChoices
    | NodeSignatures
    | KernelKnobs
    | PatternMatches
    | EditedGraphs
    | PartitionCurve
    | AssemblyListing
    | KernelsLowered
    | KernelsChecked
    | CrossCompilationTested
    | GuardTestResult
    | FrameInputs
    | MeasuredGuards
    | BreakCosts
    | LaterSteps
    | ExperimentReply
    | Trial
    | ScriptRun
    | FrontEndCell
    | TimingReport
    | MachineCeilings
    | StateTimes
    | OperatorNames
    | TensorKeySets
    | OperatorTable
    | Decomposition
    | DispatchTrace
    | LessonRun
    | EnvironmentFound
    | Done
)


class Reply(msgspec.Struct, frozen=True, tag="reply"):
    """The answer to the request of that id."""

    id: int
    body: ReplyBody


class Failure(msgspec.Struct, frozen=True, tag="failure"):
    """The request of that id could not be done. `cancelled`: because it was asked to stop."""

    id: int
    problem: Problem
    cancelled: bool = False


class FreshWorkerWanted(msgspec.Struct, frozen=True, tag="fresh_worker_wanted"):
    """The request of that id was not begun: something else ran in this worker, and what it left might be met. Whoever asked
    starts another worker and asks that one.
    """

    id: int
    why: str


# -- events ---------------------------------------------------------------------------------------------------


class Ready(msgspec.Struct, frozen=True, tag="ready"):
    """The worker has loaded torch and takes requests."""

    torch: str


class Progress(msgspec.Struct, frozen=True, tag="progress"):
    """What the worker is doing now; `request` is 0 while it starts."""

    request: int
    text: str
    step: Step | None = None
    """Where it is, as far as the engine says."""


EventBody: TypeAlias = (
    Ready
    | Progress
    | ProcessChanged
    | TimingStarted
    | TimingBatch
    | StagesGenerated
    | ExperimentEvent
    | RunBegan
    | RunCounted
    | RunEdited
    | RunCaptured
    | RunEnded
    | RunStopped
    | RunValuesFound
    | RunMissed
    | RunWentOn
    | BreakAt
    | GoOn
    | FollowRun
)


class Event(msgspec.Struct, frozen=True, tag="event"):
    """Something the worker reports unasked."""

    body: EventBody


Message: TypeAlias = Request | Reply | Failure | FreshWorkerWanted | Event
