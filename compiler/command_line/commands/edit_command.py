"""``loupe edit``: edits applied, compiled, run and judged."""

import argparse
import sys
from pathlib import Path

import msgspec

from compiler.analysis.edits.equal_layers import apply_to_equal_layers
from compiler.analysis.session_file.session_file import Journal
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
    save_session,
    with_journals,
)
from compiler.command_line.worker_client import CommandFailedError, WorkerClient
from compiler.command_line.written_files import ReplacedFile
from compiler.model.capture.capture import Capture
from compiler.model.edits.edits import Edit, EditError, stages_of


def edit(arguments: argparse.Namespace, report_progress: ReportProgress) -> int:
    """Capture again, compile with the edits, and write both with the verdict."""
    data = open_session(arguments.file, arguments.gate)
    base = data.captures[0]
    applied, recipe = applied_edits(data, base.id), open_edits(arguments.edits, arguments.gate)
    with WorkerClient(report_progress, arguments.timeout, gate=arguments.gate) as client:
        fresh = capture_with(client, base.spec, base.id)
        edits = fitting_edits(applied, base, recipe, fresh, arguments.skip_unfit)
        if arguments.equal_layers:
            edits = _with_equal_layers(fresh, edits)
        reply = recompiled_with(client, base.id, edits, f"capture-{len(data.captures) + 1}")
    verdicts = ((reply.capture.id, reply.verdict),) if reply.verdict else ()
    made = msgspec.structs.replace(
        data,
        captures=(fresh, *data.captures[1:], reply.capture),
        verdicts=(*data.verdicts, *verdicts),
    )
    journals = Journal(base.id, edits), Journal(reply.capture.id, edits)
    save_session(arguments.output, with_journals(made, *journals), arguments.gate)
    if arguments.json:
        print_json({"verdict": reply.verdict, "recompile_seconds": reply.capture.seconds})
        return 0
    not_run = "Compiled again; nothing was run, so nothing is judged."
    print(verdict_report(reply.verdict) if reply.verdict is not None else not_run)
    print(f"\nwrote {arguments.output}")
    return 0


def _with_equal_layers(capture: Capture, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    """The edits, and the last of them made to all layers equal to theirs. Raises CommandFailedError."""
    stage_id = stages_of(edits[-1])[0] if edits else ""
    stage = next((stage for stage in capture.stages if stage.id == stage_id), None)
    graph = stage.graph if stage is not None else None
    if graph is None:
        raise CommandFailedError("The last edit is not of a graph.", "Leave out --equal-layers.")
    try:
        made = apply_to_equal_layers(stage_id, graph, edits)
    except EditError as error:
        raise CommandFailedError(str(error), "Leave out --equal-layers.") from error
    count = len(made.layers.counterparts)
    sys.stderr.write(f"loupe: the edits of {made.layers.name} are made in {count} equal layers\n")
    if made.layers.unequal:
        sys.stderr.write(f"loupe: not equal, left as they are: {made.layers.left_out}\n")
    return (*edits, made.edit)


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE.loupe")
    parser.add_argument(
        "--edits",
        type=Path,
        required=True,
        metavar="EDITS.json",
        help="a list of edits or a recipe (see resources/docs/edits-as-json.md)",
    )
    parser.add_argument(
        "--skip-unfit", action="store_true", help="leave out edits that do not fit the program as it is now"
    )
    parser.add_argument(
        "--equal-layers",
        action="store_true",
        help="make the last edits, as far as they are of one layer, in every layer that is equal to it",
    )
    parser.add_argument("-o", "--output", type=ReplacedFile, required=True, metavar="OUT.loupe")


COMMAND = Command(
    "edit", "apply edits, recompile, run, and judge", edit, (_add_arguments, add_work_options, add_trust)
)
