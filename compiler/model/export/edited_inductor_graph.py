"""What was chosen by hand for the code of one Inductor graph, with what is needed to meet that graph in another process."""

import msgspec

from compiler.model.ir.ids import StageId
from compiler.model.ir.loop_ir import FusionChoice, KnobChoice


class EditedInductorGraph(msgspec.Struct, frozen=True):
    """Choices of fusion, knobs, sources of kernels and wrapper of one forward, backward or inference graph."""

    stages: tuple[StageId, ...]
    """The loop IR, the kernels and the wrapper that edits change."""
    names: str
    """Digest of the names of the nodes of the graph as Inductor receives it; it sends an inference graph through its joint
    passes then."""
    backward: bool
    choices: tuple[FusionChoice, ...] = ()
    kernels: tuple[tuple[str, str], ...] = ()
    """(name in the wrapper, source)."""
    compile_id: str = ""
    """Set where another graph of the program has nodes of the same names."""
    knobs: tuple[KnobChoice, ...] = ()
    wrapper: str = ""
    """The text written by hand in the place of the generated wrapper; empty where there is none."""
    wrapper_base: str = ""
    """`fingerprint` of the generated one."""
