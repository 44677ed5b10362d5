"""That a program changed the process that it ran in."""

import msgspec

from compiler.model.ir.diagnostics import Problem


class ProcessChanged(msgspec.Struct, frozen=True, tag="process_changed"):
    """Told as an event after a request whose reply holds no capture that could say so."""

    problem: Problem
