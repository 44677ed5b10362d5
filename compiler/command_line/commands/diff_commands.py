"""``loupe diff``: what is different from one session file to another."""

import argparse
from pathlib import Path

from compiler.analysis.diff.diff_summary import summary
from compiler.analysis.diff.graph_matching import describe
from compiler.analysis.text_format.printer import program
from compiler.command_line.command import Command, ReportProgress
from compiler.command_line.commands.arguments import add_json
from compiler.command_line.printed_json import print_json
from compiler.command_line.reports.diff_reports import diff_report, kernel_texts
from compiler.command_line.reports.graph_reports import graph_report, matched_stages
from compiler.command_line.session_io import open_session
from compiler.command_line.worker_client import CommandFailedError
from compiler.model.diff.capture_diff import compare_captures


def diff(arguments: argparse.Namespace, _: ReportProgress) -> int:
    """Compare the last captures of two session files; 1 with ``--fail-on-change`` where anything but time differs."""
    if arguments.stage is not None:
        return _one_stage(arguments)
    if arguments.after is None:
        raise CommandFailedError("There is one file only.", "Name two, or a stage with --stage.")
    before, after = (
        open_session(path, arguments.gate).captures[-1] for path in (arguments.before, arguments.after)
    )
    found = compare_captures(before, after)
    if arguments.json:
        value = {
            "summary": summary(found),
            "same": found.same,
            "diff": found,
            "kernel_texts": kernel_texts(before, after, found) if arguments.kernels else {},
        }
        print_json(value)
    else:
        print(f"{arguments.before.name} → {arguments.after.name}")
        print(diff_report(before, after, found, graphs=arguments.graphs, kernels=arguments.kernels))
    return 1 if arguments.fail_on_change and not found.same else 0


def _one_stage(arguments: argparse.Namespace) -> int:
    """Two stages node by node and line by line. In one file: the stage as captured and as edited, or two stages."""
    captures = open_session(arguments.before, arguments.gate).captures
    other: Path | None = arguments.after
    alone = other is None and arguments.stage_after is None
    before = captures[0] if alone else captures[-1]
    after = captures[-1] if other is None else open_session(other, arguments.gate).captures[-1]
    old, new, match = matched_stages(before, after, arguments.stage, arguments.stage_after)
    same = match.same if match is not None else program(old).text == program(new).text
    if arguments.json:
        words = describe(match) if match is not None else ""
        value = {"before": old.id, "after": new.id, "summary": words, "same": same, "match": match}
        print_json(value)
    else:
        print(f"{arguments.before.name} {old.id} → {(other or arguments.before).name} {new.id}")
        print(graph_report(old, new, match))
    return 1 if arguments.fail_on_change and not same else 0


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("before", type=Path, metavar="A.loupe")
    parser.add_argument("after", type=Path, nargs="?", metavar="B.loupe", help="needed without --stage")
    parser.add_argument("--stage", help="match the nodes of this stage with those of its counterpart")
    parser.add_argument("--stage-after", help="the stage to match it with, where that is another one")
    parser.add_argument("--graphs", action="store_true", help="every node that is new, gone or changed")
    parser.add_argument("--kernels", action="store_true", help="the texts of kernels that changed")
    parser.add_argument(
        "--fail-on-change", action="store_true", help="exit 1 where anything but time differs"
    )


COMMAND = Command(
    "diff",
    "what is different from one session file to another",
    diff,
    (_add_arguments, add_json),
    "With `--stage` two stages node by node: kept, changed, moved, added, removed; with one file, as captured against as "
    "edited.",
)
