"""What further steps with the same arguments compile again: a program may guard on what its own step changes."""

import msgspec

from compiler.model.capture.guards import RecompileRecord
from compiler.model.ir.ids import CaptureId


class RepeatSteps(msgspec.Struct, frozen=True, tag="repeat_steps"):
    """Call the program again as it was called in the capture. Replies with `LaterSteps`."""

    capture: CaptureId


class LaterSteps(msgspec.Struct, frozen=True, tag="later_steps"):
    """Answer to `RepeatSteps`."""

    steps: int
    """How many forwards were called after the captured one."""
    recompiles: tuple[RecompileRecord, ...] = ()
    """What they compiled again, in order."""
    limit_reached: bool = False
    """Torch gave a frame up in them: it was compiled too often."""
