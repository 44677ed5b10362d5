"""What leaves the process holds together: a link or a place in a capture that leads nowhere goes no farther than here."""

from typing import TypeVar

import msgspec

from compiler.model.capture.capture import Capture
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.protocol.messages import Event, Message, Reply
from compiler.model.session_file.checks import consistent

_Struct = TypeVar("_Struct", bound=msgspec.Struct)


def holding_together(message: Message) -> Message:
    """A message with what contradicts itself left out of its captures, and named there."""
    if isinstance(message, Reply | Event):
        body = _checked(message.body)
        return message if body is message.body else msgspec.structs.replace(message, body=body)
    return message


def _checked(body: _Struct) -> _Struct:
    changed = {}
    for name in body.__struct_fields__:
        value = getattr(body, name)
        if isinstance(value, Capture) and (checked := checked_capture(value)) is not value:
            changed[name] = checked
    return msgspec.structs.replace(body, **changed) if changed else body


def checked_capture(capture: Capture) -> Capture:
    """The capture itself where it is consistent; else without what is not, and with a problem for each part."""
    kept, faults = consistent(capture)
    reported = tuple(
        Problem(
            f"A part of this capture contradicts itself and was left out: {fault}.",
            "The rest is whole. Please report it, with the program.",
            severity=Severity.WARNING,
        )
        for fault in faults
    )
    return msgspec.structs.replace(kept, problems=(*kept.problems, *reported)) if faults else capture
