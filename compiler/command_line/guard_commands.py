"""``loupe guards`` and ``loupe recompiles``: of a session file, or of a target captured now."""

import argparse
from collections.abc import Callable
from pathlib import Path

import msgspec

from compiler.command_line.arguments import spec_from
from compiler.command_line.guard_reports import guard_report, recompile_report
from compiler.command_line.session_work import capture_with, open_session
from compiler.command_line.worker_client import CommandFailedError, WorkerClient
from compiler.model.capture import Capture
from compiler.model.guards import GuardTree
from compiler.model.messages import EventBody
from compiler.model.problems import Problem

Say = Callable[[EventBody], None]


def guards(arguments: argparse.Namespace, say: Say) -> int:
    """Print the guard trees, or the one of a frame."""
    capture = _captured(arguments, say)
    trees = tuple(tree for tree in capture.guards if arguments.frame in (None, tree.compile_id))
    if arguments.frame is not None and not trees:
        known = ", ".join(tree.compile_id for tree in capture.guards) or "none"
        problem = Problem(f"There are no guards of {arguments.frame!r}.", f"There are guards of: {known}.")
        raise CommandFailedError(problem)
    if arguments.json:
        print(msgspec.json.encode([_plain(tree) for tree in trees]).decode())
    else:
        print(guard_report(capture, trees))
    return 0


def _plain(tree: GuardTree) -> dict[str, object]:
    """With names for everything: the session file keeps nodes as bare lists."""
    return msgspec.structs.asdict(tree) | {
        "nodes": [
            msgspec.structs.asdict(node) | {"leaves": [msgspec.structs.asdict(leaf) for leaf in node.leaves]}
            for node in tree.nodes
        ]
    }


def recompiles(arguments: argparse.Namespace, say: Say) -> int:
    """Print why each frame was compiled again."""
    capture = _captured(arguments, say)
    if arguments.json:
        print(msgspec.json.encode(capture.recompiles).decode())
    else:
        print(recompile_report(capture))
    return 0


def _captured(arguments: argparse.Namespace, say: Say) -> Capture:
    if arguments.target.endswith(".loupe"):
        return open_session(Path(arguments.target)).captures[-1]
    with WorkerClient(say, arguments.timeout) as client:
        return capture_with(client, spec_from(arguments), "capture-1")
