"""What was chosen by hand for the code of one Inductor graph, with what is needed to meet that graph in another process."""

import msgspec

from compiler.model.ids import StageId
from compiler.model.loops import FusionChoice


class EditedUnit(msgspec.Struct, frozen=True):
    """Choices of fusion and sources of kernels of one forward, backward or inference graph."""

    stages: tuple[StageId, ...]
    """The loop IR and the kernels that edits change."""
    names: str
    """Digest of the names of the nodes of the graph as Inductor receives it."""
    backward: bool
    choices: tuple[FusionChoice, ...] = ()
    kernels: tuple[tuple[str, str], ...] = ()
    """(name in the wrapper, source)."""
    compile_id: str = ""
    """Set where another graph of the program has nodes of the same names."""
