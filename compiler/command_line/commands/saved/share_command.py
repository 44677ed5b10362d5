"""``loupe share``: a session file as one HTML file that anybody's browser shows. Nothing of the program is run."""

import argparse
from pathlib import Path

from compiler.analysis.share.html_page import write_page
from compiler.command_line.command import Command, ReportProgress
from compiler.command_line.commands.arguments import add_json
from compiler.command_line.printed_json import print_json
from compiler.command_line.session_io import open_session
from compiler.command_line.written_files import ReplacedFile, not_written
from compiler.model.ir.tensor_types import describe_bytes


def share(arguments: argparse.Namespace, _: ReportProgress) -> int:
    """Write the page of the session's last capture."""
    data = open_session(arguments.file, arguments.gate)
    try:
        size = write_page(arguments.output, data, arguments.hide_code)
    except OSError as error:
        raise not_written(arguments.output, error.strerror) from error
    if arguments.json:
        print_json({"path": str(arguments.output), "bytes": size, "hidden": arguments.hide_code})
    else:
        print(f"wrote {arguments.output} ({describe_bytes(size)})")
    return 0


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE.loupe")
    parser.add_argument("-o", "--output", type=ReplacedFile, required=True, help="the HTML file to write")
    parser.add_argument(
        "--hide-code",
        action="store_true",
        help="leave out every text of the program and every name that its author gave; operators, types, links, breaks' kinds "
        "and times stay",
    )


COMMAND = Command(
    "share",
    "a session as one HTML page: pipeline, linked source, graph and code, breaks, times, verdict",
    share,
    (_add_arguments, add_json),
    "The page is one file that loads nothing and sends nothing; any browser of the last years shows it. It has the last "
    "capture of the session, and the times and the verdict of that capture where the session has them.",
)
