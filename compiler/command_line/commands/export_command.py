"""``loupe export``: edits as code that runs without Torch Loupe."""

import argparse
import hashlib
from pathlib import Path

from compiler.analysis.session_file.trusted_files import remember
from compiler.command_line.command import Command, ReportProgress
from compiler.command_line.commands.arguments import add_trust, add_work_options
from compiler.command_line.printed_json import print_json
from compiler.command_line.reports.capture_report import verdict_report
from compiler.command_line.session_io import (
    applied_edits,
    capture_with,
    fitting_edits,
    open_edits,
    open_session,
    recompiled_with,
    verdict_on,
)
from compiler.command_line.worker_client import CommandFailedError, WorkerClient
from compiler.model.edits.recipe_file import Recipe
from compiler.model.export import ExportError, exported_files
from compiler.model.protocol.messages import EditedGraphs, ListEditedGraphs


def export(arguments: argparse.Namespace, report_progress: ReportProgress) -> int:
    """Capture again, compile the edits, judge them where the file does not say what they are worth, and write what they come to."""
    data = open_session(arguments.file, arguments.gate)
    first = data.captures[0]
    recipe = (
        open_edits(arguments.edits, arguments.gate)
        if arguments.edits
        else Recipe(applied_edits(data, first.id))
    )
    if not recipe.edits:
        raise CommandFailedError(
            f"{arguments.file} has no edits active.", "Make some, or name them with --edits."
        )
    with WorkerClient(report_progress, arguments.timeout, gate=arguments.gate) as client:
        base = capture_with(client, first.spec, first.id)
        edits = fitting_edits((), first, recipe, base, remedy="Correct these edits, or leave them out.")
        known = verdict_on(data, base, edits)
        made = recompiled_with(client, base.id, edits, "exported", judge=known is None)
        found = client.ask(ListEditedGraphs(base.id, edits), EditedGraphs)
    verdict, folder = known or made.verdict, arguments.output
    try:
        files = exported_files(arguments.name, base, made.capture, edits, found.graphs, verdict, found.units)
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
            if name.endswith(".json") and arguments.gate.open:
                remember(hashlib.sha256(text.encode()).hexdigest())
    except ExportError as error:
        raise CommandFailedError(str(error), "Leave that edit out.") from error
    except OSError as error:
        raise CommandFailedError(
            f"{folder} cannot be written: {error.strerror}.", "Choose another folder."
        ) from error
    if arguments.json:
        print_json({"files": [str(folder / name) for name in files], "verdict": verdict})
        return 0
    for name in files:
        print(folder / name)
    if verdict is not None:
        when = "As the file says, which was judged when these edits were made:" if known else "As judged now:"
        print(f"\n{when}\n{verdict_report(verdict)}")
    return 0


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE.loupe")
    parser.add_argument("--edits", type=Path, help="a JSON file, instead of the edits in the session file")
    parser.add_argument("-o", "--output", type=Path, default=Path(), help="the folder to write into")
    parser.add_argument("--name", default="edits", help="the Python module's name")


COMMAND = Command(
    "export",
    "edits as FX passes that need torch only, with their test",
    export,
    (_add_arguments, add_work_options, add_trust),
    "Fusion choices and kernel sources too, with a pytest and a recipe.",
)
