"""``loupe bisect``: what makes the results of compiled code wrong, the least program that shows it, and a report of both."""

import argparse
import sys

from compiler.analysis.session_file.session_file import Journal, SessionData
from compiler.analysis.text_format.cause_text import cause_document, least_report
from compiler.command_line.command import Command, ReportProgress
from compiler.command_line.commands.arguments import (
    add_capture_options,
    add_target_or_file,
    add_trust,
    add_work_options,
    program_and_edits,
    seconds,
)
from compiler.command_line.commands.results.costs import costs
from compiler.command_line.commands.results.failing import failing, fails_to_compile
from compiler.command_line.commands.results.slower_than import slower_than
from compiler.command_line.printed_json import print_json
from compiler.command_line.reports.cause_reports import cause_report
from compiler.command_line.session_io import (
    capture_with,
    save_session,
    with_edits,
)
from compiler.command_line.worker_client import CommandFailedError, WorkerClient, WorkerDiedError
from compiler.command_line.written_files import ReplacedFile, WrittenFile, write_text
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.edits.edits import Edit
from compiler.model.experiments.causes import EAGER, EXPRESSION, FLOAT64, CauseFound, FindCause
from compiler.model.experiments.costs import COSTS
from compiler.model.experiments.least_programs import LeastProgram, ShrinkProgram


def bisect(arguments: argparse.Namespace, report_progress: ReportProgress) -> int:
    """Run the search and report what it found; 1 where the results are wrong. Raises CommandFailedError."""
    if arguments.slower_than or arguments.costs:
        _require_alone(arguments)
        search = slower_than if arguments.slower_than else costs
        return search(arguments, report_progress)
    _, spec, edits = program_and_edits(arguments)
    if arguments.hangs:
        return failing(arguments, spec, report_progress)
    with WorkerClient(report_progress, arguments.timeout, gate=arguments.gate) as client:
        try:
            capture = capture_with(client, spec, "capture-1")
        except WorkerDiedError:
            return failing(arguments, spec, report_progress)
        if fails_to_compile(capture) and not edits:
            return failing(arguments, spec, report_progress)
        with_edits(client, capture, edits)
        found, least, why_not = _found(arguments, client, edits)
    return _reported(arguments, report_progress, capture, found, least, why_not, edits)


def _found(
    arguments: argparse.Namespace, client: WorkerClient, edits: tuple[Edit, ...]
) -> tuple[CauseFound, LeastProgram | None, str]:
    """(the cause, the least program where one was asked for, why there is none)."""
    against = EXPRESSION if arguments.check else arguments.against
    found = client.ask(FindCause("capture-1", edits, against, arguments.check), CauseFound)
    if not found.graph or not (arguments.shrink or arguments.report):
        return found, None, ""
    try:
        least = client.ask(ShrinkProgram("capture-1", found, edits))
    except CommandFailedError as error:  # the cause is worth telling all the same
        return found, None, error.problem.message()
    assert isinstance(least, LeastProgram)
    return found, least, ""


def _reported(
    arguments: argparse.Namespace,
    report_progress: ReportProgress,
    capture: Capture,
    found: CauseFound,
    least: LeastProgram | None,
    why_not: str,
    edits: tuple[Edit, ...],
) -> int:
    reported = [] if arguments.json else [cause_report(found)]
    shows = ""
    if least is not None and arguments.shrink:
        shows = _checked(arguments, least, found, report_progress)
        reported.append(f"\n{least_report(least, str(arguments.shrink))} {shows}")
    if arguments.report:  # before anything is printed: whoever reads that may stop reading
        text = cause_document(found, capture, least, shows, arguments.hide_code)
        write_text(arguments.report, text)
        reported.append(f"Wrote {arguments.report}{_in_same_folder(arguments, capture, edits)}.")
    if why_not:
        sys.stderr.write(f"loupe: {why_not}\n")
    if arguments.json:
        print_json(found)
    else:
        print("\n".join(reported))
    return int(found.wrong)


def _in_same_folder(arguments: argparse.Namespace, capture: Capture, edits: tuple[Edit, ...]) -> str:
    """The stages as a session file beside the report; it holds the program's text, so not where that is hidden."""
    if arguments.hide_code:
        return ""
    path = arguments.report.with_suffix(".loupe")
    save_session(path, SessionData((capture,), (Journal(capture.id, edits),)), arguments.gate)
    return f" and {path}"


def _require_alone(arguments: argparse.Namespace) -> None:
    """What is asked of results cannot be asked of speed, nor of what it costs."""
    option = "--slower-than" if arguments.slower_than else "--costs"
    given = [name for name in ("check", "shrink", "report") if getattr(arguments, name)]
    if given:
        what = f"{option} is not about results, and --{given[0]} is about wrong ones."
        raise CommandFailedError(what, "Ask one after the other.")
    if arguments.slower_than and arguments.costs:
        raise CommandFailedError("--slower-than and --costs are two questions.", "Ask one after the other.")


def _checked(
    arguments: argparse.Namespace, least: LeastProgram, found: CauseFound, report_progress: ReportProgress
) -> str:
    """The file written, and whether it is wrong for the same reason in a process that never saw the program."""
    path = arguments.shrink
    text = least.hidden if arguments.hide_code else least.text
    if not text:
        raise CommandFailedError(
            f"The least program cannot be told with your code hidden: {least.why_not_hidden}.",
            "Leave --hide-code out, or give other inputs.",
        )
    write_text(path, text)
    spec = CaptureSpec(
        TargetSpec(f"{path.name}:program", str(path.resolve().parent)), run=RunOptions(gradients=True)
    )
    with WorkerClient(report_progress, arguments.timeout, gate=arguments.gate) as client:
        try:
            capture_with(client, spec, "capture-1")
            again = client.ask(FindCause("capture-1"), CauseFound)
        except CommandFailedError as error:
            return f"By itself it could not be looked at: {error.problem.what}"
    if not again.wrong:
        return (
            "By itself, in a fresh process, it is right: something that your program does when it is loaded is part of the "
            "cause."
        )
    if again.kind == found.kind:
        return f"In a fresh process it is wrong for the same reason: {again.kind}."
    return f"In a fresh process it is wrong, and the cause told is another: {again.sentence}"


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_target_or_file(parser)
    parser.add_argument(
        "--against",
        choices=(FLOAT64, EAGER),
        default=FLOAT64,
        help="what is right: as near to float64 as eager is (the default), or eager's results within rounding",
    )
    parser.add_argument(
        "--check",
        metavar="EXPRESSION",
        default="",
        help="what is right, as Python over outputs, grads, results and torch: 'outputs[0].isfinite().all()'",
    )
    parser.add_argument(
        "--slower-than",
        metavar="eager|TIME|FILE.loupe",
        default="",
        help="look for what makes the step slow instead: slower than eager, than 2ms, or than the program of a session file, "
        "timed in turns; exit status 1 where it is",
    )
    parser.add_argument(
        "--costs",
        choices=COSTS,
        default="",
        help="instead: which line and module costs the most of a cold compile, of a step's memory, or of recompiles, and what "
        "one change saves, each measured on a copy",
    )
    parser.add_argument(
        "--sizes",
        metavar="ARGUMENT:DIMENSION=SIZES",
        default="",
        help="with --costs recompiles: call it with these sizes too, such as x:0=3,4,5",
    )
    parser.add_argument(
        "--shrink",
        type=WrittenFile,
        metavar="FILE.py",
        help="write the least program that is wrong, or fails to be compiled, in the same way: one file that needs torch alone, "
        "tried in a fresh process",
    )
    parser.add_argument(
        "--hangs",
        action="store_true",
        help="compiling it does not end: look for what keeps it busy, each trial in a process of its own",
    )
    parser.add_argument(
        "--hangs-after",
        type=seconds,
        default=120.0,
        metavar="SECONDS",
        help="what takes longer is taken to hang, where compiling fails (120)",
    )
    parser.add_argument(
        "--report",
        type=ReplacedFile,
        metavar="FILE.md",
        help="write all of it as text for an issue tracker, and FILE.loupe with the stages beside it",
    )
    parser.add_argument(
        "--hide-code",
        action="store_true",
        help="in what is written: no name, file, line or value of your program",
    )


COMMAND = Command(
    "bisect",
    "find what makes results wrong (the stage, pass, fusion, kernel, line), compiling fail or the step slow; exit status 1 where "
    "they are",
    bisect,
    (_add_arguments, add_capture_options, add_work_options, add_trust),
)
