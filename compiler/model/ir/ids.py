"""Names of things. Ids cross process borders and are written to disk; object references never are."""

from typing import TypeAlias

import msgspec

StageId: TypeAlias = str
"""One stage of one capture: ``"0/0:joint"``, ``"0/0:forward:post_grad"``, ``"source:/home/me/model.py"``."""

NodeId: TypeAlias = str
"""One thing inside a stage, unique there.

FX stages use the FX node's name, bytecode stages ``"i24"`` (the offset), texts ``"L12"`` (the line, from 1),
loop IR the scheduler node's name, kernel stages the kernel's name and ``"name:L3"`` for a line of its source.
"""

CaptureId: TypeAlias = str
"""One run of the pipeline, ``"capture-1"``; a recompile after an edit makes a new one."""

_MOST_DIGITS = 18
"""As many as fit into 64 bits."""


class Place(msgspec.Struct, frozen=True):
    """What a selection is: nodes of one stage. The order of nodes carries no meaning; it is kept sorted."""

    stage: StageId
    nodes: tuple[NodeId, ...] = ()
    after: int | None = None
    """The nodes are those of the stage as it was after so many of its passes; None for the stage itself."""

    def __bool__(self) -> bool:
        return bool(self.nodes)


NOWHERE = Place(stage="")
"""The empty selection."""


def place(stage: StageId, *nodes: NodeId, after: int | None = None) -> Place:
    """The place of these nodes, without repeats, in a fixed order, so that equal selections are equal values."""
    return Place(stage, tuple(sorted(set(nodes))), after)


def line_id(line: int) -> NodeId:
    """The id of a line of a text stage; lines count from 1."""
    return f"L{line}"


def line_of(node: NodeId) -> int | None:
    """The line number that a line id names (also ``"kernel:L3"``), or None if the id names something else."""
    tail = node.rpartition(":")[2]
    if tail.startswith("L") and is_number(tail[1:]):
        return int(tail[1:])
    return None


def is_number(text: str) -> bool:
    """Whether `int` takes a text out of a file or a program, as one that is not negative: ``²`` is a digit to Python and no
    number to it, and 5,000 digits are none at all.
    """
    return len(text) <= _MOST_DIGITS and text.isascii() and text.isdecimal()
