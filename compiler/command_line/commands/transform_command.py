"""``loupe transform``: edits made by a ready transform, or from a changed program, written for ``loupe edit``."""

import argparse
import sys
from pathlib import Path

import msgspec

from compiler.analysis.text_format.parser import parse_graph
from compiler.analysis.transforms import Transform, found_transforms
from compiler.command_line.command import Command, ReportProgress
from compiler.command_line.session_io import find_stage, open_session
from compiler.command_line.worker_client import CommandFailedError
from compiler.model.edits.editable_stages import edits_graph, why_fixed
from compiler.model.edits.edits import EditGroup, describe_edit
from compiler.model.edits.edits_between import edits_between
from compiler.model.edits.validation import EditError
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import StageId


def transform(arguments: argparse.Namespace, _: ReportProgress) -> int:
    """List the transforms, or print the edits of one and write them as JSON. No torch is needed."""
    for fault in found_transforms().faults:
        sys.stderr.write(f"loupe: {fault.message()}\n")
    if not arguments.name and not arguments.text:
        for row in found_transforms().rows:
            print(f"{row.id:<24}{row.title}: {row.about}")
        return 0
    if arguments.name and arguments.text:
        raise ValueError("give the name of a transform or --text, not both")
    capture = open_session(arguments.file, arguments.gate).captures[-1]
    stage = find_stage(capture, arguments.stage)
    if stage.graph is None or not edits_graph(stage):
        why = why_fixed(stage) or f"{stage.title} is no graph that can be edited."
        raise CommandFailedError(Problem(why, "Name another --stage."))
    if arguments.text:
        group = _from_text(stage.id, stage.graph, arguments.text)
    else:
        group = _made(stage.id, stage.graph, _known(arguments.name), tuple(arguments.nodes or ()))
    for edit in group.edits:
        print(describe_edit(edit))
    if arguments.output is not None:
        _write(arguments.output, group)
    return 0


def _known(name: str) -> Transform:
    rows = found_transforms().rows
    found = next((row for row in rows if row.id == name), None)
    if found is None:
        raise ValueError(f"there is no transform {name!r}; one of: {', '.join(row.id for row in rows)}")
    return found


def _made(stage: StageId, graph: Graph, row: Transform, nodes: tuple[str, ...]) -> EditGroup:
    unknown = set(nodes) - graph.by_id().keys()
    if unknown:
        raise CommandFailedError(Problem(f"There is no node {sorted(unknown)[0]} in {stage}."))
    try:
        return row.make(stage, graph, nodes)
    except EditError as error:
        raise CommandFailedError(Problem(str(error))) from error


def _from_text(stage: StageId, graph: Graph, path: Path) -> EditGroup:
    """The edits that lead to a program as ``loupe show FILE STAGE`` prints it, changed by hand."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandFailedError(Problem(f"{path} cannot be read: {error}.", path=str(path))) from error
    parsed = parse_graph(text.rstrip("\n"), graph)
    if parsed.graph is None:
        for fault in parsed.faults:
            sys.stderr.write(f"{path}:{fault.line}:{fault.column + 1}: {fault.message}\n")
        raise CommandFailedError(Problem(f"{path} is no graph.", "Mend the lines above.", path=str(path)))
    group = edits_between(stage, graph, parsed.graph, f"Edits of {path.name}")
    if group is None:
        raise CommandFailedError(Problem(f"{path} says what {stage} is already.", path=str(path)))
    return group


def _write(path: Path, group: EditGroup) -> None:
    text = msgspec.json.format(msgspec.json.encode([group]), indent=1).decode()
    try:
        path.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise CommandFailedError(
            Problem(f"{path} cannot be written: {error.strerror}.", "Choose another place.", path=str(path))
        ) from error


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE.loupe")
    parser.add_argument("name", nargs="?", help="a transform, such as fold_conv_bn")
    parser.add_argument("--stage", default="dynamo_graph", help="the graph to edit; at first Dynamo's")
    parser.add_argument("--nodes", nargs="*", help="only these nodes")
    parser.add_argument("--text", type=Path, help="a program as `loupe show FILE STAGE` prints it, changed")
    parser.add_argument("-o", "--output", type=Path, help="write the edits as JSON for `loupe edit --edits`")


COMMAND = Command(
    "transform",
    "edits of a ready transform, or of a program changed by hand; without a name, the list",
    transform,
    (_add_arguments,),
)
