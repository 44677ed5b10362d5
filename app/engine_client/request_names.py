"""What the engine does for a request, in words, until it says so itself."""

from compiler.model.capture.front_ends import find_front_end
from compiler.model.experiments.compile_choices import MeasureChoices
from compiler.model.experiments.dynamic_shape_trial import MeasureStances
from compiler.model.experiments.torch_compile_api import AskCompileInterface, TryBackend
from compiler.model.front_end_comparison.front_end_matrix import JudgeFrontEnd
from compiler.model.front_end_comparison.script_texts import RunScript
from compiler.model.gpu.kernel_checks import CheckKernels
from compiler.model.ir.lowered_kernel import LowerKernels
from compiler.model.operators.decompositions import DecomposeOperator
from compiler.model.operators.dispatching import ListKeySets, ListOperators, ShowOperator, TraceDispatch
from compiler.model.operators.lessons import RunLesson
from compiler.model.protocol.absent_gpu import TestCrossCompilation
from compiler.model.protocol.messages import (
    AskEnvironment,
    AssembleKernel,
    CancelRequest,
    DescribeTarget,
    ExplorePartition,
    FindMatches,
    ListEditedGraphs,
    ListKnobs,
    ListOps,
    ListSignatures,
    MakeCapture,
    MeasureBreaks,
    MeasureGuards,
    MeasureMachine,
    MeasurePartition,
    PreviewEdits,
    Recompile,
    RequestBody,
    RunTimings,
    ShutDown,
    StopTimings,
    TestGuards,
    TimeStates,
    TryChanges,
)

_TEXTS: dict[type, str] = {
    FindMatches: "ViewState for matches of the pattern",
    PreviewEdits: "Checking the edits",
    Recompile: "Compiling the edits",
    TestGuards: "Checking guards",
    MeasureGuards: "Checking guards",
    MeasureBreaks: "Timing what runs outside compiled graphs",
    ExplorePartition: "Asking the partitioner",
    MeasurePartition: "Compiling and timing partitions",
    AssembleKernel: "Listing the instructions of a kernel",
    LowerKernels: "Lowering a kernel",
    CheckKernels: "Interpreting kernels",
    TestCrossCompilation: "Trying whether GPUs can be compiled for",
    ListEditedGraphs: "Reading the edited graphs",
    RunTimings: "Timing",
    MeasureMachine: "Measuring what this machine reaches",
    TimeStates: "Timing two states interleaved",
    ListOperators: "Listing torch's operators",
    ListKeySets: "ViewState at the dispatch keys of tensors",
    DecomposeOperator: "Taking an operator apart",
    ShowOperator: "Reading a dispatch table",
    TraceDispatch: "Tracing the dispatcher",
    RunLesson: "Running a lesson",
    AskEnvironment: "ViewState at this computer",
    AskCompileInterface: "Reading torch.compile's options",
    MeasureChoices: "Measuring ways to call torch.compile",
    MeasureStances: "Calling with other sizes",
    StopTimings: "Stopping",
    CancelRequest: "Stopping",
    ShutDown: "Stopping",
}


def what_it_does(body: RequestBody) -> str:
    """A short text for the status bar."""
    match body:
        case DescribeTarget(target=target):
            return f"ViewState at {target.name}"
        case MakeCapture(spec=spec):
            return f"Capturing {spec.target.name}"
        case ListOps(node=node):
            return f"ViewState for operations that fit {node}"
        case ListKnobs():
            return "Trying Inductor's knobs for this kernel"
        case ListSignatures(node=node):
            return f"ViewState up what {node} takes"
        case TryBackend(backend=backend):
            return f"Trying backend {backend}"
        case TryChanges(spec=spec):
            return f"Trying a change of {spec.target.name} on a copy"
        case RunScript(spec=spec):
            return f"Running {find_front_end(spec.front_end).title} of {spec.target.name}"
        case JudgeFrontEnd(spec=spec):
            return f"Capturing with {find_front_end(spec.front_end).title}"
    return _TEXTS[type(body)]
