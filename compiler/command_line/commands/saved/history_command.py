"""``loupe history``: the life of one node of a session file, as plain text or JSON."""

import argparse
from pathlib import Path

from compiler.analysis.passes.events import HistoryEvent
from compiler.analysis.passes.link_walk import PROOFS
from compiler.analysis.passes.node_history import NodeHistories, names_of
from compiler.command_line.command import Command, ReportProgress
from compiler.command_line.commands.arguments import add_json
from compiler.command_line.printed_json import print_json
from compiler.command_line.session_io import find_stage, open_session
from compiler.command_line.worker_client import CommandFailedError
from compiler.model.capture.capture import Capture
from compiler.model.capture.counted import first_of
from compiler.model.ir.ids import Place, place
from compiler.model.ir.stage import KernelStage, SourceStage, Stage, WrapperStage
from compiler.model.session_file.stage_checks import node_ids

_MARKS = {"torch": "●", "python": "●", "debug": "●", "tag": "◐", "name": "○", "guess": "?"}
_MOST_NAMES = 8
_FEW_NAMES = 3


def history(arguments: argparse.Namespace, _: ReportProgress) -> int:
    """Print what happened to the node from the line it was written in to the line that calls its kernel."""
    capture = open_session(arguments.file, arguments.gate).captures[-1]
    stages = (find_stage(capture, arguments.stage),) if arguments.stage else capture.stages
    histories = NodeHistories(capture)
    found = _find(histories, stages, arguments.node)
    if found is None:
        where = stages[0].id if arguments.stage else "any stage"
        raise CommandFailedError(
            f"There is no {arguments.node!r} in {where}.", "`loupe show FILE STAGE` prints the names."
        )
    events = histories.history(found)
    if arguments.json:
        print_json(events)
    else:
        print(report(capture, found, events))
    return 0


def _find(histories: NodeHistories, stages: tuple[Stage, ...], node: str) -> Place | None:
    """The first stage that has the node; else the first whose passes took it out."""
    for stage in stages:
        if node in node_ids(stage):
            return place(stage.id, node)
    for stage in stages:
        replay = histories.replay(stage.id)
        for position, step in enumerate(replay.steps if replay is not None else ()):
            if node in step.removed:
                return place(stage.id, node, after=position)
    return None


def report(capture: Capture, location: Place, events: tuple[HistoryEvent, ...]) -> str:
    """The events under the stages they belong to, with the proof of each."""
    stages = {stage.id: stage for stage in capture.stages}
    lines = [f"{', '.join(location.nodes)} in {location.stage}", ""]
    current = ""
    for event in events:
        if event.stage != current:
            current = event.stage
            lines.append(f"{event.title}  ({current})")
        lines.append(f"  {_MARKS[event.proof]} {_row(stages[event.stage], event)}")
    used = {event.proof for event in events}
    meanings: dict[str, list[str]] = {}
    for proof, words in PROOFS.items():
        if proof in used:
            meanings.setdefault(_MARKS[proof], []).append(words)
    lines += ["", "   ".join(f"{mark} {' or '.join(words)}" for mark, words in meanings.items())]
    return "\n".join(lines)


def _row(stage: Stage, event: HistoryEvent) -> str:
    names = names_of(stage, event.nodes)
    if event.kind == "survived" and len(names) > _FEW_NAMES:
        return event.text
    between = "; " if isinstance(stage.content, SourceStage | WrapperStage | KernelStage) else ", "
    reported = first_of(names, _MOST_NAMES, between)
    return f"{reported}{'' if reported.endswith(':') else ':'} {event.text}"


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE.loupe")
    parser.add_argument("node", help="a node's name, such as relu; L16 for a line, op3 for loop IR")
    parser.add_argument("--stage", help="the stage to look in; else the first that has the node")


COMMAND = Command(
    "history",
    "the life of one node: source line, passes, kernel",
    history,
    (_add_arguments, add_json),
    "Each step says who recorded it.",
)
