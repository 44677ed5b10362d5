"""``loupe bisect``: what makes the results of compiled code wrong."""

import argparse

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
from compiler.command_line.reports.cause_reports import cause_report
from compiler.command_line.session_io import applied_edits, capture_with, with_edits
from compiler.command_line.worker_client import WorkerClient
from compiler.model.experiments.causes import EAGER, EXPRESSION, FLOAT64, CauseFound, FindCause


def bisect(arguments: argparse.Namespace, report_progress: ReportProgress) -> int:
    """Run the search and tell what it found; 1 where the results are wrong. Raises CommandFailedError."""
    saved = saved_session(arguments)
    spec = saved.captures[0].spec if saved is not None else spec_from(arguments)
    edits = applied_edits(saved, saved.captures[0].id) if saved is not None else ()
    against = EXPRESSION if arguments.check else arguments.against
    with WorkerClient(report_progress, arguments.timeout, gate=arguments.gate) as client:
        capture = capture_with(client, spec, "capture-1")
        with_edits(client, capture, edits)
        found = client.ask(FindCause("capture-1", edits, against, arguments.check))
        assert isinstance(found, CauseFound)
    if arguments.json:
        print_json(found)
    else:
        print(cause_report(found))
    return int(found.wrong)


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


COMMAND = Command(
    "bisect",
    "find what makes results wrong: the stage, pass, fusion, kernel, line; exit status 1 where they are",
    bisect,
    (_add_arguments, add_capture_options, add_work_options, add_trust),
)
