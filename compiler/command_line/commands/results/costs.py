"""``loupe bisect --costs``: which line and module costs the most, and what one change saves."""

import argparse
from collections.abc import Iterator, Sequence

from compiler.analysis.text_format.cost_text import (
    cost_mark,
    format_amount,
    format_cost_trial,
    format_part,
    format_saved,
    format_share,
)
from compiler.analysis.text_format.visible_text import visible_line
from compiler.command_line.command import ReportProgress
from compiler.command_line.commands.arguments import program_and_edits
from compiler.command_line.commands.results.printed_trials import PrintedTrials
from compiler.command_line.printed_json import print_json
from compiler.command_line.session_io import capture_with, with_edits
from compiler.command_line.worker_client import CommandFailedError, WorkerClient
from compiler.model.capture.counted import counted
from compiler.model.experiments.costs import (
    RECOMPILES,
    CostFound,
    CostRow,
    CostTrial,
    CostTrialDone,
    FindCost,
)
from compiler.model.experiments.dynamic_shape_trial import parse_sizes

_LINES, _MODULES = 12, 8


def costs(arguments: argparse.Namespace, report_progress: ReportProgress) -> int:
    """Measure and report; 0 whatever it costs. Raises CommandFailedError."""
    try:
        sizes = parse_sizes(arguments.sizes)
    except ValueError as error:
        raise CommandFailedError(str(error), "Correct --sizes.") from error
    if sizes is not None and arguments.costs != RECOMPILES:
        raise CommandFailedError(
            f"--sizes tells nothing of {arguments.costs}.", "Give it with --costs recompiles."
        )
    _, spec, edits = program_and_edits(arguments)
    heard = PrintedTrials(report_progress, arguments.json)
    with WorkerClient(heard.hear, arguments.timeout, gate=arguments.gate) as client:
        capture = capture_with(client, spec, "capture-1")
        with_edits(client, capture, edits)
        with heard.printed_if_stopped(
            CostTrialDone, lambda reported: _trials(arguments.costs, [event.trial for event in reported])
        ):
            found = client.ask(FindCost("capture-1", arguments.costs, edits, sizes), CostFound)
    if arguments.json:
        print_json(found)
    else:
        print("\n".join(cost_report(found)))
    return 0


def cost_report(found: CostFound) -> Iterator[str]:
    """The answer first, then lines, modules, and every trial."""
    yield visible_line(found.sentence)
    for title, rows, most in (("by line", found.lines, _LINES), ("by module", found.modules, _MODULES)):
        if rows:
            yield f"\n{title}:"
            yield from (_row(found, row) for row in rows[:most])
            if len(rows) > most:
                yield f"  … {len(rows) - most} more, all of them with --json"
    if found.trials:
        yield f"\n{counted(len(found.trials), 'change')} tried on copies, {found.seconds:.1f} s:"
        yield from _trials(found.what, found.trials)
    if found.notes:
        yield ""
    for note in found.notes:
        yield visible_line(note)


def _trials(what: str, trials: Sequence[CostTrial]) -> Iterator[str]:
    for trial in trials:
        yield f"  {cost_mark(trial):<8} {format_saved(what, trial):<36} {visible_line(format_cost_trial(trial))}"


def _row(found: CostFound, row: CostRow) -> str:
    amount, share = format_amount(found.what, row.amount), format_share(found, row)
    return visible_line(f"  {amount:>10} {share:>5}  {row.name:<32} {format_part(found.what, row)}")
