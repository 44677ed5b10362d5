"""What the engine does for a request, in words, until it says so itself."""

from compiler.model.messages import (
    AskEnvironment,
    CancelRequest,
    DescribeTarget,
    ListOps,
    MakeCapture,
    MeasureGuards,
    PreviewEdits,
    Recompile,
    RequestBody,
    RunTimings,
    ShutDown,
    StopTimings,
    TestGuards,
)


def what_it_does(body: RequestBody) -> str:
    """A short text for the status bar."""
    match body:
        case DescribeTarget(target=target):
            return f"Looking at {target.name}"
        case MakeCapture(spec=spec):
            return f"Capturing {spec.target.name}"
        case PreviewEdits():
            return "Checking the edits"
        case Recompile():
            return "Compiling the edits"
        case ListOps(node=node):
            return f"Looking for operations that fit {node}"
        case TestGuards() | MeasureGuards():
            return "Checking guards"
        case RunTimings():
            return "Timing"
        case AskEnvironment():
            return "Looking at this computer"
        case StopTimings() | CancelRequest() | ShutDown():
            return "Stopping"
