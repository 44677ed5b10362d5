"""What is known of a compile before its kernels are built: all that Inductor generated, and what the compiler has to do."""

import msgspec

from compiler.model.capture.capture import Capture
from compiler.model.ir.ids import StageId


class KernelBuild(msgspec.Struct, frozen=True, array_like=True):
    """A kernel that the compiler has to build."""

    stage: StageId
    """The kernels of its graph."""
    kernel: str
    """Its name in the wrapper."""


class StagesGenerated(msgspec.Struct, frozen=True, tag="stages_generated"):
    """Told while a capture or a recompile goes on, each time kernels are about to be built. The reply follows when they
    are built, run and judged; until then nothing here has run.
    """

    capture: Capture
    """As far as it is: under the id that the finished one will have, without timings of what is still to come."""
    building: tuple[KernelBuild, ...] = ()
    """What the compiler has to build now."""
    built_before: int = 0
    """Kernels of the same graphs that are found built."""
