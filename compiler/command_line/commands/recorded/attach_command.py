"""``loupe attach``: a window, or a file, for a program that ``loupe run`` recorded from its beginning."""

import argparse
import contextlib
import os
import socket
import sys
import time
from pathlib import Path

from compiler.analysis.running.lanes import Lane
from compiler.command_line.command import Command, ReportProgress
from compiler.command_line.commands.arguments import add_trust
from compiler.command_line.commands.recorded.live_edit import apply_edits
from compiler.command_line.commands.recorded.run_command import open_window, wants_window
from compiler.command_line.reports.run_report import run_report
from compiler.command_line.run_files import RunFiles
from compiler.command_line.worker_client import CommandFailedError
from compiler.command_line.written_files import ReplacedFile
from compiler.model.protocol.frames import BadFrameError, FrameReader, encode
from compiler.model.protocol.messages import Event
from compiler.model.protocol.run_events import FollowRun
from compiler.processes.recorded_program import PLACE

_QUIET = 1.0
"""Seconds without news after which all that is known has been reported."""
_LONGEST = 60.0
_CHUNK = 1 << 20


def run(arguments: argparse.Namespace, _: ReportProgress) -> int:
    """Open the window on the program, or write what is known of it. Raises CommandFailedError."""
    place = _place_of(arguments.program)
    if arguments.edits is not None or arguments.take_back:
        edits = None if arguments.take_back else arguments.edits
        sys.stdout.write(apply_edits(place, _known(place), edits, arguments.gate))
        return 0
    if arguments.output is None:
        if not wants_window(arguments):
            remedy = "Give -o FILE.loupe to write what was compiled so far."
            raise CommandFailedError("There is no display to show a window on.", remedy)
        open_window(place)
        return 0
    lanes = _known(place)
    written = RunFiles(arguments.output, arguments.gate).write(lanes)
    sys.stdout.write(run_report(lanes, written))
    return 0


def _place_of(program: str) -> Path:
    """The socket of the run that a process belongs to, or the socket itself."""
    if not program.isdecimal():
        return Path(program)
    try:
        environment = Path(f"/proc/{program}/environ").read_bytes()
    except FileNotFoundError as error:
        remedy = "It may be over: look for the file that it was to write."
        raise CommandFailedError(f"There is no process {program}.", remedy) from error
    except OSError as error:
        remedy = "Give the number of a process of yours, or the socket that LOUPE_RUN names in it."
        raise CommandFailedError(f"Process {program} cannot be asked: {error.strerror}.", remedy) from error
    for row in environment.split(b"\0"):
        name, _, value = row.partition(b"=")
        if name == PLACE.encode():
            return Path(os.fsdecode(value))
    children = Path(f"/proc/{program}/task/{program}/children")
    for child in children.read_text().split() if children.exists() else ():  # it is loupe run itself
        with contextlib.suppress(CommandFailedError):
            return _place_of(child)
    what = f"Process {program} is not recorded."
    raise CommandFailedError(what, "Start the program with loupe run; what runs already cannot be.")


def _known(place: Path) -> list[Lane]:
    """What each process reported so far. Raises CommandFailedError where nobody listens."""
    lanes: list[Lane] = []
    until = time.monotonic() + _LONGEST
    while (lane := _lane(place, len(lanes), until)) is not None:
        lanes.append(lane)
    return lanes


def _lane(place: Path, number: int, until: float) -> Lane | None:
    lane, reader = Lane(), FrameReader()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        try:
            connection.connect(str(place))
            connection.sendall(encode(Event(FollowRun(number))))
            connection.settimeout(_QUIET)
            while time.monotonic() < until and (data := connection.recv(_CHUNK)):
                for message in reader.feed(data):
                    if isinstance(message, Event):
                        lane.take(message.body)
                if lane.counted is not None and lane.capture is not None:
                    break
        except TimeoutError:
            pass
        except (OSError, BadFrameError) as error:
            remedy = "It may be over: look for the file that it was to write."
            raise CommandFailedError(f"Nothing tells of a run at {place}.", remedy) from error
    return lane if lane.began is not None else None


def _add_attach(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("program", metavar="PID|SOCKET", help="a process that loupe run started")
    parser.add_argument(
        "-o",
        "--output",
        type=ReplacedFile,
        metavar="FILE.loupe",
        help="write what was compiled so far, and leave",
    )
    edited = parser.add_mutually_exclusive_group()
    edited.add_argument(
        "--edits",
        type=Path,
        metavar="EDITS.json",
        help="let it run with these edits from its next call on, and leave",
    )
    edited.add_argument(
        "--take-back", action="store_true", help="let it run what it compiled by itself again, and leave"
    )
    parser.set_defaults(window=None)


COMMAND = Command(
    "attach",
    "follow a program that loupe run records in another terminal",
    run,
    (_add_attach, add_trust),
    about=(
        "Opens the window on a program that was started with loupe run, or writes what it compiled so far. The program "
        "does not notice. One that was started without the loupe cannot be recorded any more."
    ),
    examples=(
        ("attach 4711", "the window on a run in another terminal"),
        ("attach 4711 -o now.loupe", "what it compiled so far, as a file"),
        (
            "attach 4711 --edits gelu.json",
            "edit it while it runs (loupe run --editable); --take-back ends that",
        ),
    ),
)
