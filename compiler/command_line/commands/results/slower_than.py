"""``loupe bisect --slower-than``: what makes the compiled step slow, and what makes it faster."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from compiler.analysis.text_format.slowness_text import (
    format_trial,
    nanoseconds_from,
    slowness_facts,
    trial_figure,
    trial_mark,
)
from compiler.analysis.text_format.visible_text import visible_line
from compiler.command_line.command import ReportProgress
from compiler.command_line.commands.arguments import program_and_edits
from compiler.command_line.commands.results.printed_trials import PrintedTrials
from compiler.command_line.printed_json import print_json
from compiler.command_line.session_io import applied_edits, capture_with, open_session, with_edits
from compiler.command_line.worker_client import CommandFailedError, WorkerClient
from compiler.model.capture.counted import counted
from compiler.model.experiments.slowness import FindSlowness, SlownessFound, SpeedTrial, SpeedTrialDone


def slower_than(arguments: argparse.Namespace, report_progress: ReportProgress) -> int:
    """Run the search and report what it found; 1 where the step is slower. Raises CommandFailedError."""
    _, spec, edits = program_and_edits(arguments)
    asked = _question(arguments, FindSlowness("capture-1", edits))
    heard = PrintedTrials(report_progress, arguments.json)
    with WorkerClient(heard.hear, arguments.timeout, gate=arguments.gate) as client:
        capture = capture_with(client, spec, "capture-1")
        with_edits(client, capture, edits)
        with heard.printed_if_stopped(
            SpeedTrialDone, lambda reported: _trials([event.trial for event in reported])
        ):
            found = client.ask(asked, SlownessFound)
    if arguments.json:
        print_json(found)
    else:
        print(slowness_report(found))
    return int(bool(found.slower))


def slowness_report(found: SlownessFound) -> str:
    """The answer first, then where the time goes, then every trial."""
    lines = [visible_line(found.sentence), ""]
    lines += [f"{name:<12}{visible_line(text)}" for name, text in slowness_facts(found)]
    if found.trials:
        lines += [
            "",
            f"{counted(len(found.trials), 'trial')}, {found.seconds:.1f} s; the step's time with each over that without:",
        ]
        lines += _trials(found.trials)
    return "\n".join(lines)


def _trials(trials: Sequence[SpeedTrial]) -> Iterator[str]:
    for trial in trials:
        yield f"  {trial_mark(trial):<8} {trial_figure(trial):<28} {visible_line(format_trial(trial))}"


def _question(arguments: argparse.Namespace, asked: FindSlowness) -> FindSlowness:
    than = arguments.slower_than
    limit = nanoseconds_from(than)
    if limit is not None:
        return FindSlowness(asked.capture, asked.edits, limit)
    if than.endswith(".loupe"):
        other = open_session(Path(than), arguments.gate)
        first = other.captures[0]
        return FindSlowness(
            asked.capture, asked.edits, other=first.spec, other_edits=applied_edits(other, first.id)
        )
    raise CommandFailedError(
        f"A step can be slower than eager, than a time (2ms, 350us) or than a .loupe file's; not than {than!r}.",
        "Write one of these behind --slower-than.",
    )
