"""``loupe open``: torch's structured logs as sessions."""

import argparse
import os
import sys
from pathlib import Path

from compiler.analysis.session_file.session_file import SessionData
from compiler.analysis.torch_logs.log_summary import LogSummary, summary_of_log
from compiler.analysis.torch_logs.many_ranks import compare_ranks
from compiler.analysis.torch_logs.opening import NoLogsError, captures, log_files
from compiler.command_line.command import Command, ReportProgress
from compiler.command_line.printed_json import print_json
from compiler.command_line.reports.log_report import log_report
from compiler.command_line.session_io import save_session
from compiler.command_line.terminal_line import TerminalLine
from compiler.command_line.worker_client import CommandFailedError
from compiler.command_line.written_files import ReplacedFile, WrittenFile
from compiler.model.capture.capture import Capture
from compiler.model.ir.ids import is_number

_EVERY = 0.5
"""Seconds between two words of how far it is."""


def run(arguments: argparse.Namespace, _: ReportProgress) -> int:
    """Read, write and print. Raises CommandFailedError, and ValueError where there is no log."""
    output: Path | None = arguments.output
    try:
        log_files(arguments.logs)
    except NoLogsError as error:
        raise ValueError(str(error)) from error
    if output is None and arguments.json is None and _has_display():
        words = [sys.executable, "-P", "-m", "torch_loupe", str(arguments.logs)]
        os.execv(words[0], words)
    arguments.gate.note_log(arguments.logs)
    progress = TerminalLine(sys.stderr, _EVERY, arguments.quiet)
    rows: list[LogSummary] = []
    taken: set[Path] = set()
    try:
        for _file, capture in captures(
            arguments.logs, lambda text, part: progress.show(f"{text[:80]}, {part:.0%}")
        ):
            progress.clear()
            path = None if output is None else file_of(capture, output, taken)
            if path is not None:
                save_session(path, SessionData((capture,)), arguments.gate)
                taken.add(path)
            rows.append(summary_of_log(capture, path))
    except OSError as error:
        raise CommandFailedError(
            f"{arguments.logs} cannot be read: {error.strerror or error}.", "Check the path."
        ) from error
    finally:
        progress.clear()
    ranks = compare_ranks(row.rank_facts for row in rows)
    if arguments.json is not None:
        with arguments.json.open("w", encoding="utf-8") as stream:
            print_json({"logs": rows, "ranks": ranks}, stream)
    if not arguments.quiet:
        sys.stdout.write(log_report(rows, ranks))
    return 0


def file_of(capture: Capture, output: Path, taken: set[Path]) -> Path:
    """Where a process's session goes, named as those of ``loupe run``."""
    assert capture.log is not None
    process, rank = capture.log.process, capture.log.rank if is_number(capture.log.rank) else ""
    if output not in taken and rank in ("", "0"):
        return output
    ranked = output.with_name(f"{output.stem}.rank{rank}{output.suffix}")
    if rank and ranked not in taken:
        return ranked
    number, path = 1, output.with_name(f"{output.stem}.{process}{output.suffix}")
    while path in taken:  # the same process number, of another machine
        number += 1
        path = output.with_name(f"{output.stem}.{process}-{number}{output.suffix}")
    return path


def _has_display() -> bool:
    return sys.platform == "darwin" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _add_open(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "logs", type=Path, metavar="DIR|FILE.log", help="what TORCH_TRACE named, or one log of it"
    )
    parser.add_argument(
        "-o",
        "--output",
        type=ReplacedFile,
        metavar="FILE.loupe",
        help="write the session here; of other ranks beside it",
    )
    parser.add_argument(
        "--json", type=WrittenFile, metavar="FILE", help="write the summary to this file as JSON"
    )
    parser.add_argument("--quiet", action="store_true", help="print nothing")


COMMAND = Command(
    "open",
    "read the logs that TORCH_TRACE wrote, of any number of ranks",
    run,
    (_add_open,),
    about=(
        "Stages, links, guards, breaks, recompiles, caches and times, as far as torch logged them. Nothing of a log is run, "
        "and no file that it names is read. Without -o and with a display the window opens."
    ),
    examples=(
        ("open trace_dir -o run.loupe", "what TORCH_TRACE=trace_dir wrote, a file for each rank"),
        ("open rank_3.log.gz --json sum.json", "one log that somebody sent, as numbers"),
    ),
)
