"""``loupe bisect`` of a program that cannot be compiled: it raises, ends its process, or does not end."""

import argparse
from collections.abc import Iterator

from compiler.analysis.text_format.cause_text import failure_document, least_report
from compiler.analysis.text_format.visible_text import visible_line
from compiler.command_line.command import ReportProgress
from compiler.command_line.printed_json import print_json
from compiler.command_line.worker_client import CommandFailedError, WorkerClient
from compiler.command_line.written_files import write_text
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.experiments.failures import FailureFound, FindFailure


def fails_to_compile(capture: Capture) -> bool:
    """Whether the program runs, but not under torch.compile."""
    return bool(capture.failures())


def failing(arguments: argparse.Namespace, spec: CaptureSpec, report_progress: ReportProgress) -> int:
    """Find the step that fails, write what was asked for, report. 1 where it fails. Raises CommandFailedError."""
    wanted = bool(arguments.shrink or arguments.report)
    asked = FindFailure(spec, arguments.hangs_after, wanted)
    with WorkerClient(report_progress, gate=arguments.gate) as client:
        found = client.ask(asked, FailureFound)
    reported = list(_reported(found))
    if found.least is not None and arguments.shrink:
        text = found.least.hidden if arguments.hide_code else found.least.text
        if not text:
            what = f"The least program cannot be told with your code hidden: {found.least.why_not_hidden}."
            raise CommandFailedError(what, "Leave --hide-code out.")
        write_text(arguments.shrink, text)
        reported.append(f"\n{least_report(found.least, str(arguments.shrink))} {found.least.shows}")
    if arguments.report:
        write_text(arguments.report, failure_document(found, arguments.hide_code))
        reported.append(f"Wrote {arguments.report}.")
    if found.why_not and wanted:
        reported.append(visible_line(found.why_not))
    if arguments.json:
        print_json(found)
    else:
        print("\n".join(reported))
    return int(found.failure is not None)


def _reported(found: FailureFound) -> Iterator[str]:
    yield visible_line(found.sentence)
    yield ""
    for step in found.steps:
        yield f"  {'fails' if step.wrong else 'runs '}  {visible_line(step.what)}"
