"""``loupe guards`` and ``loupe recompiles``: of a session file, or of a target captured now."""

import argparse

import msgspec

from compiler.analysis.guard_testing.input_overrides import guard_change
from compiler.command_line.command import Command, ReportProgress
from compiler.command_line.commands.arguments import (
    add_capture_options,
    add_target_or_file,
    add_trust,
    add_work_options,
    saved_session,
    spec_from,
)
from compiler.command_line.printed_json import print_json
from compiler.command_line.reports.guard_reports import (
    guard_report,
    inputs_report,
    recompile_report,
    trial_report,
)
from compiler.command_line.session_io import capture_with, print_failures
from compiler.command_line.worker_client import CommandFailedError, WorkerClient
from compiler.model.capture.capture import Capture
from compiler.model.capture.guards import GuardTree
from compiler.model.guard_testing.guard_tests import FrameInputs, GuardTestResult
from compiler.model.guard_testing.later_steps import LaterSteps, RepeatSteps
from compiler.model.protocol.messages import DescribeFrame, TestGuards


def guards(arguments: argparse.Namespace, report_progress: ReportProgress) -> int:
    """Print the guard trees, or the one of a frame; or ask a frame's guards about changed inputs."""
    if arguments.changes is not None:
        return _try(arguments, report_progress)
    capture = _captured(arguments, report_progress)
    trees = tuple(tree for tree in capture.guards if arguments.frame in (None, tree.compile_id))
    if arguments.frame is not None and not trees:
        raise _no_guards(capture, arguments.frame)
    if arguments.json:
        print_json([_plain(tree) for tree in trees])
    else:
        print(guard_report(capture, trees))
    return int(print_failures(capture))


def _try(arguments: argparse.Namespace, report_progress: ReportProgress) -> int:
    """Capture, then ask: only the process that compiled holds the guards. Exit status 0 also where nothing fits."""
    saved = saved_session(arguments)
    spec = saved.captures[-1].spec if saved else spec_from(arguments)
    with WorkerClient(report_progress, arguments.timeout, gate=arguments.gate) as client:
        capture = capture_with(client, spec, "capture-1")
        if not any(arguments.frame in (None, tree.compile_id) for tree in capture.guards):
            raise _no_guards(capture, arguments.frame or "the program")
        wanted = arguments.frame or capture.guards[0].compile_id
        inputs = client.ask(DescribeFrame("capture-1", wanted), FrameInputs)
        if not arguments.changes:
            print_json(inputs) if arguments.json else print(inputs_report(inputs))
            return 0
        change = guard_change(tuple(arguments.changes), inputs)
        result = client.ask(TestGuards("capture-1", change, wanted), GuardTestResult)
    print_json(result) if arguments.json else print(trial_report(result))
    return 0


def _no_guards(capture: Capture, frame: str) -> CommandFailedError:
    known = ", ".join(tree.compile_id for tree in capture.guards) or "none"
    return CommandFailedError(f"There are no guards of {frame!r}.", f"There are guards of: {known}.")


def _plain(tree: GuardTree) -> dict[str, object]:
    """With names for everything: the session file keeps nodes as bare lists."""
    return msgspec.structs.asdict(tree) | {
        "nodes": [
            msgspec.structs.asdict(node) | {"leaves": [msgspec.structs.asdict(leaf) for leaf in node.leaves]}
            for node in tree.nodes
        ]
    }


def recompiles(arguments: argparse.Namespace, report_progress: ReportProgress) -> int:
    """Print why each frame was compiled again, of a target in further steps too."""
    later: LaterSteps | None = None
    if saved := saved_session(arguments):
        capture = saved.captures[-1]
    else:
        with WorkerClient(report_progress, arguments.timeout, gate=arguments.gate) as client:
            capture = capture_with(client, spec_from(arguments), "capture-1")
            if not capture.failures():
                later = client.ask(RepeatSteps("capture-1"), LaterSteps)
    if arguments.json:
        print_json((*capture.recompiles, *(later.recompiles if later is not None else ())))
    else:
        print(recompile_report(capture, later))
    return int(print_failures(capture))


def _captured(arguments: argparse.Namespace, report_progress: ReportProgress) -> Capture:
    if saved := saved_session(arguments):
        return saved.captures[-1]
    with WorkerClient(report_progress, arguments.timeout, gate=arguments.gate) as client:
        return capture_with(client, spec_from(arguments), "capture-1")


def _add_guards(parser: argparse.ArgumentParser) -> None:
    add_target_or_file(parser)
    parser.add_argument("--frame", help="only this compile, such as 0/0")
    parser.add_argument(
        "--try",
        dest="changes",
        nargs="*",
        metavar="CHANGE",
        help="ask the guards of the frame about changed inputs, such as x.shape=9,4 times=4 self.flag=False SCALE=3.0 "
        "training=False gradients=False; without changes, what can be changed",
    )


_SHARED = (add_capture_options, add_work_options, add_trust)
COMMANDS = (
    Command(
        "guards",
        "the guards of every compile, with the lines that made them",
        guards,
        (_add_guards, *_SHARED),
        "`--try x.shape=9,4 self.flag=False` says which compile such inputs would hit.",
    ),
    Command(
        "recompiles",
        "every recompile with all guards that failed",
        recompiles,
        (add_target_or_file, *_SHARED),
        "Of a target also those of two further steps with the same arguments: a step may change what it is guarded on.",
    ),
)
