"""``loupe values``: extremes, zeros, NaN and infinities of every node of a step, and where the first comes from."""

import argparse

from compiler.command_line.command import Command, ReportProgress
from compiler.command_line.commands.arguments import (
    add_capture_options,
    add_target_or_file,
    add_trust,
    add_work_options,
    program_and_edits,
)
from compiler.command_line.printed_json import print_json
from compiler.command_line.reports.value_reports import values_report
from compiler.command_line.session_io import capture_with, with_edits
from compiler.command_line.worker_client import WorkerClient
from compiler.model.experiments.node_values import MeasureValues, ValuesMeasured


def values(arguments: argparse.Namespace, report_progress: ReportProgress) -> int:
    """Run a step and report its values; 1 where one is NaN. Raises CommandFailedError."""
    _, spec, edits = program_and_edits(arguments)
    with WorkerClient(report_progress, arguments.timeout, gate=arguments.gate) as client:
        capture = with_edits(client, capture_with(client, spec, "capture-1"), edits)
        found = client.ask(MeasureValues("capture-1", edits), ValuesMeasured)
    if arguments.json:
        print_json(found)
    else:
        print(values_report(found, capture, arguments.all))
    return int(any(row.value.nans for row in found.rows))


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_target_or_file(parser)
    parser.add_argument(
        "--all", action="store_true", help="every node, not only those with NaN, infinities or overflow"
    )


COMMAND = Command(
    "values",
    "extremes, NaN and infinities of every node of a step; exit status 1 where there is a NaN",
    values,
    (_add_arguments, add_capture_options, add_work_options, add_trust),
)
