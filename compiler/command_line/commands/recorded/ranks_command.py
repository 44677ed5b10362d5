"""``loupe ranks``: whether the ranks of a distributed program compiled the same, and where they went apart."""

import argparse
from pathlib import Path

from compiler.analysis.ranks.compare_ranks import (
    RankCompiles,
    compare_reported,
    difference_lines,
    distinct_names,
    reported_by,
)
from compiler.analysis.ranks.rank_files import files_of, rank_of, read_rank, siblings
from compiler.analysis.session_file.session_file import SessionFileError
from compiler.analysis.torch_logs.opening import NoLogsError
from compiler.command_line.command import Command, ReportProgress
from compiler.command_line.commands.arguments import add_json
from compiler.command_line.printed_json import print_json
from compiler.command_line.reports.ranks_report import ranks_report
from compiler.command_line.worker_client import CommandFailedError
from compiler.model.capture.capture import Capture


def run(arguments: argparse.Namespace, _: ReportProgress) -> int:
    """Compare; 1 with ``--fail-on-difference`` where ranks differ. Raises CommandFailedError."""
    found = [(file, _read(file)) for file in _files(arguments.files)]
    ranked = [
        (rank_of(capture, file), reported_by("", capture), file) for file, capture in found if capture.frames
    ]
    names = distinct_names(rank or str(index) for index, (rank, _, _) in enumerate(ranked))
    reported = [
        RankCompiles(name, row.compiles, row.titles, row.step)
        for name, (_, row, _) in zip(names, ranked, strict=True)
    ]
    compared = compare_reported(reported)
    if compared is None:
        what = (
            f"{len(reported)} of {len(found)} files hold something that was compiled; two ranks are needed."
        )
        raise CommandFailedError(what, "Name the files of two ranks or more, or the folder of logs.")
    if arguments.json:
        print_json(
            {
                "same": not compared.differences,
                "sentence": compared.sentence(),
                "files": {name: str(file) for name, (_, _, file) in zip(names, ranked, strict=True)},
                "compared": compared,
            }
        )
    else:
        print(ranks_report(compared))
    if arguments.diff and not arguments.json:
        by_name = {name: file for name, (_, _, file) in zip(names, ranked, strict=True)}
        for row in compared.differences:
            first, other = (group.ranks[0] for group in row.groups[:2])
            before, after = ((rank, _read(by_name[rank])) for rank in (first, other))
            print(f"\n{row.compile_id}, {row.what}:")
            print("\n".join(difference_lines(row.compile_id, row.what, before, after)))
    return 1 if arguments.fail_on_difference and compared.differences else 0


def _files(paths: list[Path]) -> tuple[Path, ...]:
    try:
        files = files_of(paths)
        return siblings(files[0]) if len(files) == 1 else files
    except (NoLogsError, OSError) as error:
        raise CommandFailedError(str(error), "Check the path.") from error


def _read(path: Path) -> Capture:
    try:
        capture = read_rank(path)
    except (OSError, SessionFileError) as error:
        reason = (isinstance(error, OSError) and error.strerror) or str(error).rstrip(".")
        raise CommandFailedError(f"{path} cannot be read: {reason}.", "Check the file.") from error
    if capture is None:
        raise CommandFailedError(f"{path} holds no capture.", "Record the run again.")
    return capture


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files",
        type=Path,
        nargs="+",
        metavar="FILE|DIR",
        help="session files or logs of the ranks; a folder of them; or one of them, for all that lie beside it",
    )
    parser.add_argument("--diff", action="store_true", help="each difference as a diff of two ranks")
    parser.add_argument("--fail-on-difference", action="store_true", help="exit 1 where ranks differ")


COMMAND = Command(
    "ranks",
    "whether the ranks of a distributed program compiled the same, and where not",
    run,
    (_add_arguments, add_json),
    about=(
        "Compiles are matched by their id and compared in the order in which a compile comes to things: whether it was "
        "compiled, function, cache, graph, tensors (shapes, types, strides, devices), guards, lowered graphs, collectives "
        "with their sizes, kernels. Numbers of devices and names of process groups are no difference."
    ),
    examples=(
        ("ranks run.loupe", "what `loupe run -o run.loupe torchrun …` wrote, all ranks of it"),
        ("ranks trace_dir --diff", "the logs that TORCH_TRACE=trace_dir wrote, differences as text"),
    ),
)
