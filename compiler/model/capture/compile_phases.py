"""What torch timed of one compile, as it happened."""

import msgspec

WHOLE_BACKWARD = "entire_backward_compile"
"""Torch's name for the compile of a backward that the program first asks for later than its forward."""


class CompilePhase(msgspec.Struct, frozen=True, array_like=True):
    """A phase that torch names, or the build of one kernel."""

    kind: str
    """``phase`` or ``build``."""
    name: str
    """Torch's name; for a build the kernel's."""
    begin: float
    """Seconds since the compile began."""
    seconds: float
    parent: int = -1
    """Index, among the phases, of the one it is inside of."""
    detail: str = ""
    """The compile id; for a build what was compiled."""
