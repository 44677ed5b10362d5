"""``loupe breaks``: the ranked to-do list of a target or a session file, and remedies tried on a copy."""

import argparse
import sys

from compiler.analysis.experiments.trial_summary import summarise_trial
from compiler.analysis.remedies import Remedy, remedies_for, remedy_faults
from compiler.analysis.text_format.cause_text import least_report
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
from compiler.command_line.reports.break_reports import break_report, trial_report
from compiler.command_line.session_io import capture_with, print_failures
from compiler.command_line.worker_client import CommandFailedError, WorkerClient
from compiler.command_line.written_files import WrittenFile, write_text
from compiler.model.capture.capture import Capture
from compiler.model.capture.counted import counted
from compiler.model.capture.frames import BreakCategory
from compiler.model.experiments.failures import ShrinkBreak
from compiler.model.experiments.least_programs import LeastProgram
from compiler.model.experiments.trials import Trial
from compiler.model.graph_breaks.ranked_breaks import RankedBreak, count_breaks, ranked_breaks
from compiler.model.graph_breaks.remedy import describe_change, keep_text
from compiler.model.ir.diagnostics import Problem
from compiler.model.protocol.messages import MeasureBreaks, TryChanges
from compiler.model.timing.graph_break_cost import BreakCosts


def breaks(arguments: argparse.Namespace, report_progress: ReportProgress) -> int:
    """Print the list. Exit status 1 with more breaks than ``--fail-over`` allows, or where the capture failed."""
    with WorkerClient(report_progress, arguments.timeout, gate=arguments.gate) as client:
        capture, costs = _measured(arguments, client)
        rows = ranked_breaks(capture, costs)
        chosen = _chosen(arguments, capture, rows)
        trials = [(remedy, _try(client, capture, remedy)) for remedy in chosen]
        least = _shrunk(arguments, client, capture, rows) if arguments.shrink else None
    if arguments.json:
        print_json(_plain(capture, costs, rows, trials))
    else:
        print(break_report(capture, rows, costs))
        for remedy, trial in trials:
            print("\n" + trial_report(capture, remedy, trial))
        if least is not None:
            print(f"\n{least_report(least, str(arguments.shrink))} {least.shows}")
    failed = print_failures(capture)
    for fault in remedy_faults():
        sys.stderr.write(f"loupe: {fault.message()}\n")
    if arguments.fail_over is not None and (found := count_breaks(rows)) > arguments.fail_over:
        sys.stderr.write(f"loupe: {counted(found, 'graph break')}, more than {arguments.fail_over}\n")
        return 1
    return int(failed)


def _measured(arguments: argparse.Namespace, client: WorkerClient) -> tuple[Capture, BreakCosts | None]:
    if saved := saved_session(arguments):
        return saved.captures[-1], None
    capture = capture_with(client, spec_from(arguments), "capture-1")
    if arguments.no_timing or not capture.breaks or capture.failures():
        return capture, None
    return capture, client.ask(MeasureBreaks(capture.id), BreakCosts)


def _chosen(
    arguments: argparse.Namespace, capture: Capture, rows: tuple[RankedBreak, ...]
) -> tuple[Remedy, ...]:
    """The remedies of the break that ``--try`` names."""
    if arguments.try_number is None:
        return ()
    if not 1 <= arguments.try_number <= len(rows):
        raise CommandFailedError(
            f"There is no break number {arguments.try_number}.", f"The list has {len(rows)}."
        )
    return remedies_for(capture, rows[arguments.try_number - 1].first)


def _shrunk(
    arguments: argparse.Namespace, client: WorkerClient, capture: Capture, rows: tuple[RankedBreak, ...]
) -> LeastProgram:
    """The least program that breaks as the break that ``--of`` names does, written. Raises CommandFailedError."""
    if not 1 <= arguments.of <= len(rows):
        raise CommandFailedError(f"There is no break number {arguments.of}.", f"The list has {len(rows)}.")
    first = rows[arguments.of - 1].first
    if first.sort is not BreakCategory.BREAK:
        what = f"Number {arguments.of} is no break of its own ({first.kind}): it cannot be made smaller."
        raise CommandFailedError(what, "Choose another one with --of.")
    least = client.ask(ShrinkBreak(capture.spec, first.kind, first.registry_id, first.reason), LeastProgram)
    write_text(arguments.shrink, least.text)
    return least


def _try(client: WorkerClient, capture: Capture, remedy: Remedy) -> Trial | Problem:
    try:
        reply = client.ask(TryChanges(capture.spec, (remedy.change,)), Trial)
    except CommandFailedError as error:
        return error.problem
    return reply


def _plain(
    capture: Capture,
    costs: BreakCosts | None,
    rows: tuple[RankedBreak, ...],
    trials: list[tuple[Remedy, Trial | Problem]],
) -> dict[str, object]:
    """What a script wants: numbers under names."""
    return {
        "breaks": [
            {
                "sort": row.first.sort.value,
                "kind": row.first.kind,
                "registry_id": row.first.registry_id,
                "path": row.location.path if row.location else "",
                "line": row.location.line if row.location else None,
                "function": row.function,
                "times": row.times,
                "ops_cut_off": row.ops_cut_off,
                "compile_seconds": row.compile_seconds,
                "nanoseconds_outside_graphs": row.lost,
                "quartiles": row.spread if row.lost is not None else None,
                "eager_ops": row.eager_ops,
                "reason": row.first.reason,
                "explanation": row.first.explanation,
                "hints": row.first.hints,
                "remedies": [
                    {
                        "title": item.title,
                        "change": item.change,
                        "keep": keep_text(item.change),
                        "caution": item.caution,
                    }
                    for item in remedies_for(capture, row.first)
                ],
            }
            for row in rows
        ],
        "costs": costs,
        "trials": [
            {"remedy": describe_change(remedy.change), "problem": trial}
            if isinstance(trial, Problem)
            else {
                "remedy": describe_change(remedy.change),
                "before": trial.before,
                "after": trial.after,
                "ratio": trial.ratio,
                "same_results": trial.same_results,
                "sentences": summarise_trial(trial).sentences,
            }
            for remedy, trial in trials
        ],
        "problems": capture.problems,
    }


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_target_or_file(parser)
    parser.add_argument(
        "--fail-over", type=int, metavar="N", help="exit 1 where there are more than N breaks"
    )
    parser.add_argument(
        "--try", dest="try_number", type=int, metavar="N", help="try the remedies of break N on a copy"
    )
    parser.add_argument(
        "--shrink",
        type=WrittenFile,
        metavar="FILE.py",
        default=None,
        help="write the least program that breaks as a break of the list does: statements of the file are left out while it "
        "breaks for the same reason",
    )
    parser.add_argument(
        "--of", type=int, default=1, metavar="N", help="the break that --shrink is about (the first)"
    )
    parser.add_argument("--no-timing", action="store_true", help="do not measure what the breaks cost")


COMMAND = Command(
    "breaks",
    "graph breaks, the costliest first, and what to do about them",
    breaks,
    (_add_arguments, add_capture_options, add_work_options, add_trust),
)
