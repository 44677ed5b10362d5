"""``loupe transform``: edits made by a ready transform, or from a changed program, written for ``loupe edit``."""

import argparse
import sys
from pathlib import Path

import msgspec

from compiler.analysis.transforms import found_transforms
from compiler.command_line.command import Command, ReportProgress
from compiler.command_line.read_files import read_text
from compiler.command_line.session_io import find_stage, open_session
from compiler.command_line.stage_edits import NoGraphError, edits_of_text, find_transform, transformed
from compiler.command_line.worker_client import CommandFailedError
from compiler.command_line.written_files import WrittenFile, write_text
from compiler.model.capture.capture import Capture
from compiler.model.edits.edits import EditGroup, describe_edit
from compiler.model.ir.stage import Stage, StageKind


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
    stage = find_stage(capture, arguments.stage) if arguments.stage else _only_dynamo_graph(capture)
    if arguments.text:
        group = _from_text(stage, arguments.text)
    else:
        group = transformed(stage, find_transform(arguments.name), arguments.nodes or ())
    for edit in group.edits:
        print(describe_edit(edit))
    if arguments.output is not None:
        text = msgspec.json.format(msgspec.json.encode([group]), indent=1).decode()
        write_text(arguments.output, text + "\n")
    return 0


def _only_dynamo_graph(capture: Capture) -> Stage:
    stages = capture.of_kind(StageKind.DYNAMO_GRAPH)
    if len(stages) == 1:
        return stages[0]
    if not stages:
        raise CommandFailedError(
            "There is no graph of Dynamo.", "Name a stage with --stage; `loupe show FILE` lists them."
        )
    ids = ", ".join(stage.id for stage in stages)
    raise CommandFailedError("There are several graphs of Dynamo.", f"Name one with --stage: {ids}")


def _from_text(stage: Stage, path: Path) -> EditGroup:
    """The edits that lead to a program as ``loupe show FILE STAGE`` prints it, changed by hand."""
    try:
        group = edits_of_text(stage, read_text(path, "Check the path."), f"Edits of {path.name}")
    except NoGraphError as error:
        for fault in error.faults:
            sys.stderr.write(f"{path}:{fault.line}:{fault.column + 1}: {fault.message}\n")
        raise CommandFailedError(f"{path} is no graph.", "Mend the lines above.", path=str(path)) from error
    if group is None:
        raise CommandFailedError(f"{path} says what {stage.id} is already.", path=str(path))
    return group


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE.loupe")
    parser.add_argument("name", nargs="?", help="a transform, such as fold_conv_bn")
    parser.add_argument("--stage", help="the graph to edit; at first Dynamo's")
    parser.add_argument("--nodes", nargs="*", help="only these nodes")
    parser.add_argument("--text", type=Path, help="a program as `loupe show FILE STAGE` prints it, changed")
    parser.add_argument(
        "-o", "--output", type=WrittenFile, help="write the edits as JSON for `loupe edit --edits`"
    )


COMMAND = Command(
    "transform",
    "edits of a ready transform, or of a program changed by hand; without a name, the list",
    transform,
    (_add_arguments,),
)
