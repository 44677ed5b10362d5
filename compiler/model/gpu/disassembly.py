"""What a compiler made of a kernel's source, instruction by instruction."""

import msgspec


class Instruction(msgspec.Struct, frozen=True, array_like=True):
    """One line of the listing: an instruction, or the name of a function."""

    text: str
    line: int | None = None
    """Line of the kernel's source that it was made from, from 1, by the compiler's own debug information."""
    bits: int = 0
    """Width of the vector registers that it works on; 0 for a scalar instruction."""


class AssemblyListing(msgspec.Struct, frozen=True, tag="assembly_listing"):
    """The functions of one kernel, OpenMP's parts of it included."""

    instructions: tuple[Instruction, ...]
    command: str
    """What compiled it: the command that Inductor builds the kernel with, debug information added."""
    seconds: float

    @property
    def counted(self) -> tuple[int, int]:
        """(instructions, those of them that work on vectors)."""
        found = [row for row in self.instructions if not row.text.endswith(":")]
        return len(found), sum(row.bits > 0 for row in found)
