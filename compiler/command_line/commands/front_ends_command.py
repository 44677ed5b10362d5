"""``loupe compare-front-ends``: one program under every front end, in one table."""

import argparse
import itertools
from collections.abc import Sequence

import msgspec

from compiler.command_line.command import Command, ReportProgress
from compiler.command_line.commands.arguments import add_json, add_run_options, add_target, seconds, spec_from
from compiler.command_line.printed_json import print_json
from compiler.command_line.reports.tables import milliseconds, table
from compiler.command_line.worker_client import WorkerClient
from compiler.model.capture.front_ends import COMPARED, find_front_end
from compiler.model.front_end_comparison.front_end_matrix import (
    FrontEndCell,
    JudgeFrontEnd,
    Judgement,
    Outcome,
    alternate_from_text,
    format_verdict,
)
from compiler.model.ir.tensor_types import describe_bytes
from compiler.model.timing.paired_ratio import ratio_figure

_HEADINGS = (
    "front end", ">graphs", ">ops", ">capture ms", ">run µs", ">quartiles", ">vs eager", ">peak memory", "example", "other inputs",
)  # fmt: skip
_IN_FULL = 3


def compare_front_ends(arguments: argparse.Namespace, report_progress: ReportProgress) -> int:
    """Judge one front end after the other. Exit status 1 where ``--fail-on-wrong`` is given and one is silently wrong."""
    spec = spec_from(arguments)
    names = [find_front_end(name).name for name in arguments.only or [row.name for row in COMPARED]]
    alternates = tuple(map(alternate_from_text, arguments.alternate))
    cells: list[FrontEndCell] = []
    with WorkerClient(report_progress, gate=arguments.gate) as client:
        for name in names:
            order = JudgeFrontEnd(
                msgspec.structs.replace(spec, front_end=name),
                alternates,
                not arguments.no_search,
                not arguments.no_timing,
                arguments.timeout,
            )
            reply = client.ask(order, FrontEndCell)
            cells.append(reply)
    if arguments.json:
        print_json(cells)
    else:
        print(table(_HEADINGS, map(_row, cells)))
        print("\n".join(_remarks(cells)))
    return int(arguments.fail_on_wrong and any(cell.silently_wrong for cell in cells))


def _row(cell: FrontEndCell) -> tuple[str, ...]:
    title = find_front_end(cell.front_end).title
    if cell.problem is not None:
        return (title, "–", "–", "–", "–", "–", "–", "–", "not captured", "")
    run, ratio = cell.run, cell.ratio
    example = cell.of_example()
    return (
        title,
        str(cell.graphs),
        str(cell.operations),
        milliseconds(cell.capture_seconds),
        f"{run.median / 1e3:,.1f}" if run else "–",
        f"{run.low / 1e3:,.1f}–{run.high / 1e3:,.1f}" if run else "–",
        ratio_figure(ratio),
        describe_bytes(cell.peak_bytes) if cell.peak_bytes is not None else "–",
        format_verdict((example,)) if example else "",
        format_verdict(cell.of_others()),
    )


def _remarks(cells: list[FrontEndCell]) -> list[str]:
    """What does not fit in a table: errors, and the inputs that were not taken or gave something else."""
    lines = [
        "",
        "Compared with eager: results, arguments and buffers after the call, gradients, what is printed. "
        "Other inputs: those given, then what was found by trying. Run time: forward on the example.",
    ]
    for remarks, same in itertools.groupby(cells, _remarks_on):
        if remarks:  # a program that cannot be loaded fails alike in all
            titles = ", ".join(find_front_end(cell.front_end).title for cell in same)
            lines += ["", f"{titles}:", *remarks]
    return lines


def _remarks_on(cell: FrontEndCell) -> list[str]:
    reported = [f"  {words}" for words in (*cell.warnings, cell.note) if words]
    if cell.problem is not None:
        reported.append(f"  {cell.problem.message()}")
    for outcome in Outcome:
        if outcome is not Outcome.SAME:
            found = [judgement for judgement in cell.judgements if judgement.outcome is outcome]
            reported += _folded(outcome.value.upper(), found)
    attributes = next((judgement for judgement in cell.judgements if judgement.attribute_lost), None)
    if attributes is not None and attributes.outcome is Outcome.SAME:
        reported.append(f"  ATTRIBUTE LOST: {attributes.input}: {attributes.detail}")
    if cell.loses_gradients:
        lost = [judgement for judgement in cell.judgements if judgement.no_gradients]
        reported += _folded("NO GRADIENTS, where the program has some", lost)
    if cell.untried:
        reported.append(f"  no time was left to try {cell.untried} more inputs")
    return reported


def _folded(label: str, judgements: Sequence[Judgement]) -> list[str]:
    """What was given in full, with the first of those that were found by trying; the rest by name."""
    full = [row for index, row in enumerate(judgements) if index < _IN_FULL or not row.found]
    rest = [row.input for row in judgements if row not in full]
    lines = [f"  {label}: {row.input}: {row.detail}".rstrip(": ") for row in full]
    return [*lines, *([f"  {label}, for {len(rest)} more: {', '.join(rest)}"] if rest else ())]


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_target(parser)
    parser.add_argument("--only", nargs="+", metavar="NAME", help="only these front ends")
    parser.add_argument(
        "--alternate",
        action="append",
        default=[],
        metavar="ARGUMENTS",
        help='another call to compare with eager: "torch.ones(3), scale=2.0", "eval: torch.ones(3)", or only the arguments '
        'that are to be others: "x=torch.randn(7, 3)"',
    )
    parser.add_argument(
        "--no-search", action="store_true", help="do not look for inputs that show a difference"
    )
    parser.add_argument("--no-timing", action="store_true", help="do not measure run time and memory")
    parser.add_argument(
        "--fail-on-wrong", action="store_true", help="exit 1 where one is silently wrong for some input"
    )
    parser.add_argument(
        "--timeout", type=seconds, default=180.0, help="seconds that one front end may take (180)"
    )


COMMAND = Command(
    "compare-front-ends",
    "one program captured in every way torch has: what each costs, and where it is silently wrong",
    compare_front_ends,
    (_add_arguments, add_run_options, add_json),
)
