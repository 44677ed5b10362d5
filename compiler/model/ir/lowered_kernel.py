"""A Triton kernel below its source: every form that Triton and the assembler make of it, and what it needs of the GPU."""

import msgspec

from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.gpu_target import GpuTarget
from compiler.model.ir.ids import NodeId

FORMS = ("ttir", "ttgir", "llir", "ptx", "sass", "amdgcn")
"""From Triton's own IR to machine code; NVIDIA's end in ptx and sass, AMD's in amdgcn."""

FORM_TITLES = {
    "ttir": "Triton IR",
    "ttgir": "Triton GPU IR",
    "llir": "LLVM IR",
    "ptx": "PTX",
    "sass": "SASS",
    "amdgcn": "AMDGCN",
}


class LowerOrder(msgspec.Struct, frozen=True):
    """The kernel to lower."""

    name: str
    source: str
    """As Inductor generated it, with its imports; it is executed."""
    forms: tuple[str, ...] = FORMS
    configurations: int = 1
    """How many of its candidate configurations, the first ones."""


class Form(msgspec.Struct, frozen=True):
    """One form of one configuration."""

    name: str
    text: str
    lines: tuple[tuple[int, int], ...] = ()
    """(line here, line of the kernel's source), both from 1, where the debug locations say so."""
    seconds: float | None = None
    """What making it took, where Triton says so."""


class Lowered(msgspec.Struct, frozen=True):
    """One configuration of a kernel, lowered."""

    configuration: str
    """``XBLOCK: 128, num_warps: 4, …``."""
    forms: tuple[Form, ...]
    warps: int
    stages: int
    shared_bytes: int
    registers: int | None = None
    """A thread; for AMD vector registers."""
    spilled_bytes: int | None = None
    """Stored to and loaded from local memory, together."""
    seconds: float = 0.0
    architecture: str = ""
    """``sm_90a`` or ``gfx942``."""
    threads: int | None = None
    """Of a block, as the code asks for; None: as many as the warps have."""
    blocks: tuple[tuple[str, int], ...] = ()
    """``XBLOCK`` and their like."""
    instructions: tuple[tuple[str, int], ...] = ()
    """(class, how many) of the form `counted` (`compiler.model.gpu.instruction_counts`)."""
    counted: str = ""
    after_launch: bool = False
    """Inductor makes it only after the first launch, from the registers of another (`_dynamic_scale_rblock`)."""

    def form(self, name: str) -> Form | None:
        """One of its forms."""
        return next((form for form in self.forms if form.name == name), None)


class LowerAnswer(msgspec.Struct, frozen=True):
    """What became of an order."""

    name: str

    lowered: tuple[Lowered, ...] = ()
    candidates: int = 0
    """How many configurations Inductor would try on the GPU."""
    problem: Problem | None = None
    error_line: int | None = None
    """Line of the kernel's source that Triton did not take."""


class LoweredText(msgspec.Struct, frozen=True):
    """A kernel in one of the forms below its source: a part of a stage."""

    kernel: NodeId
    """Its name."""
    text: str
    lines: tuple[tuple[int, int], ...] = ()
    """As in `Form`."""


class LowerKernels(msgspec.Struct, frozen=True, tag="lower_kernels"):
    """Lower Triton kernels. Their text is executed, in a process of its own. Replies with `KernelsLowered`."""

    orders: tuple[LowerOrder, ...]
    device: GpuTarget | None = None
    """What they were generated for, where that need not be here: Inductor's candidate configurations depend on it."""


class KernelsLowered(msgspec.Struct, frozen=True, tag="kernels_lowered"):
    """An answer for each order."""

    answers: tuple[LowerAnswer, ...]
