"""``loupe attach PID --edits FILE``: edits of a running program from a terminal, where there is no window."""

import socket
import time
from pathlib import Path

from compiler.analysis.running.lanes import Lane
from compiler.analysis.text_format.times import time_text
from compiler.command_line.session_io import fitting_edits, open_edits
from compiler.command_line.trust_gate import TrustGate
from compiler.command_line.worker_client import CommandFailedError
from compiler.model.edits.edits import Edit
from compiler.model.edits.recipe_file import Recipe
from compiler.model.protocol.frames import BadFrameError, FrameReader, encode
from compiler.model.protocol.messages import Event, Failure, Recompile, Reply, Request
from compiler.model.protocol.run_events import FollowRun

_CHUNK = 1 << 20
_LONGEST = 600.0
"""Seconds for which the program may take to call the graph again and to compile."""


def apply_edits(place: Path, lanes: list[Lane], path: Path | None, gate: TrustGate) -> str:
    """Have every process run with the edits of a file, or (None) with none; what came of it, a line for each.
    Raises CommandFailedError, and NotTrustedError for code that nobody agreed to.
    """
    recipe = open_edits(path, gate) if path is not None else None
    lines = []
    for number, lane in enumerate(lanes):
        if lane.capture is None or lane.ended is not None:
            continue
        edits = _fitting(recipe, lane) if recipe is not None else ()
        gate.check(Recompile("run", edits, "capture-1", judge=False))
        lines.append(f"{lane.title}: {_ask(place, number, edits)}")
    if not lines:
        raise CommandFailedError("Nothing is compiled there yet.", "Try again in a moment.")
    return "".join(f"{line}\n" for line in lines)


def _fitting(recipe: Recipe, lane: Lane) -> tuple[Edit, ...]:
    assert lane.capture is not None
    return fitting_edits((), lane.capture, recipe, lane.capture, skip=False)


def _ask(place: Path, number: int, edits: tuple[Edit, ...]) -> str:
    reader = FrameReader()
    began = time.monotonic()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(_LONGEST)
        try:
            connection.connect(str(place))
            connection.sendall(encode(Event(FollowRun(number))))
            connection.sendall(encode(Request(1, Recompile("run", edits, "capture-1", judge=False))))
            while data := connection.recv(_CHUNK):
                for message in reader.feed(data):
                    if isinstance(message, Failure):
                        raise CommandFailedError(message.problem)
                    if isinstance(message, Reply):
                        took = time_text((time.monotonic() - began) * 1e9)
                        count = f"{len(edits)} edit{'' if len(edits) == 1 else 's'}"
                        return (
                            f"runs with {count} from now on ({took})"
                            if edits
                            else "runs what it compiled by itself"
                        )
        except TimeoutError as error:
            remedy = "It may be waiting, or call that graph no more."
            raise CommandFailedError("The program did not call the graph again.", remedy) from error
        except (OSError, BadFrameError) as error:
            raise CommandFailedError(f"Nothing answers at {place}.", "The run may be over.") from error
    raise CommandFailedError("The program has ended.", "Start it again with loupe run --editable.")
