"""The user's program as data: source files and bytecode."""

import enum

import msgspec

from compiler.model.ir.ids import NodeId


class FileOwner(enum.Enum):
    """Whose a file is."""

    MINE = "mine"
    """The user's own."""
    LIBRARY = "library"
    """Of an installed package."""
    TORCH = "torch"
    """Torch's, Triton's, Python's own, or generated."""


NAMED_BY_LOG = "a log: only lines that it names are known"
"""What made the stage of a file whose other lines are blank."""


class SourceFile(msgspec.Struct, frozen=True):
    """A file that the program was read from, as it was when captured."""

    path: str
    text: str
    captured_lines: tuple[tuple[int, str], ...] = ()
    """(line, compile id) for every line of which an instruction ended in that compile's graph."""
    traced_lines: tuple[int, ...] = ()
    """Lines that Dynamo traced at all."""
    code_lines: tuple[int, ...] = ()
    """Lines of frames that Dynamo looked at."""
    eager_lines: tuple[int, ...] = ()
    """Lines of functions that Dynamo gave up as a whole. A line of `code_lines` that is neither here nor traced was not
    reached, or came after a break that left the rest to eager."""
    standing: FileOwner = FileOwner.MINE
    package: str = ""
    """The installed package that it is of, by the name that it is imported by."""


class Instruction(msgspec.Struct, frozen=True):
    """One bytecode instruction. Lines and columns as Python records them: lines from 1, columns from 0 in bytes."""

    id: NodeId
    offset: int | None
    """None where a log reports none, as those of Python 3.13 and later do."""
    opname: str
    argument: str
    line: int | None = None
    end_line: int | None = None
    column: int | None = None
    end_column: int | None = None
    jump_target: bool = False
    traced: bool = False
    """Dynamo stepped over it (original bytecode only)."""
    label: str = ""
    """What jumps name it by where there are no offsets: ``L1``."""

    @property
    def place(self) -> str:
        """What it is found by in a listing: its offset, else its label, else nothing."""
        return self.label if self.offset is None else str(self.offset)


class CodeObject(msgspec.Struct, frozen=True):
    """The bytecode of one frame."""

    name: str
    path: str
    first_line: int
    instructions: tuple[Instruction, ...]
    resume_of: str = ""
    """For a resume function: the name of the function it resumes."""
