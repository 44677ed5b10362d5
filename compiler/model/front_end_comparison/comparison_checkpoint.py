"""What is known of a cell while it is judged, in a file, so that it is still known if the process dies or is stopped."""

from pathlib import Path

import msgspec

from compiler.model.front_end_comparison.front_end_matrix import FrontEndCell, Judgement, Outcome
from compiler.model.ir.diagnostics import UNREADABLE, Problem


class UnfinishedCell(msgspec.Struct, frozen=True):
    """A cell as far as it came."""

    cell: FrontEndCell
    trying: str = ""
    """The input that is being tried."""


_DECODER: msgspec.msgpack.Decoder[UnfinishedCell] = msgspec.msgpack.Decoder(UnfinishedCell)


def write_unfinished(folder: str, unfinished: UnfinishedCell) -> None:
    """Note how far it came. Raises OSError."""
    path = _path(folder, unfinished.cell.front_end)
    partial = path.with_suffix(".part")
    partial.write_bytes(msgspec.msgpack.encode(unfinished))
    partial.rename(path)


def died_over(folder: str, front_end: str, problem: Problem) -> FrontEndCell:
    """The cell of a process that ended with this problem: what it had found out, and over which input it ended."""
    try:
        unfinished = _DECODER.decode(_path(folder, front_end).read_bytes())
    except (OSError, *UNREADABLE):
        return FrontEndCell(front_end, problem)
    cell = unfinished.cell
    last = Judgement(unfinished.trying, Outcome.DIED, problem.what)
    return msgspec.structs.replace(cell, judgements=(*cell.judgements, last))


def _path(folder: str, front_end: str) -> Path:
    return Path(folder) / f"{front_end}.cell"
