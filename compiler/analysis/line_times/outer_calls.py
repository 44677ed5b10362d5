"""The calls that lead to a frame that was compiled by itself, since a break in its caller left the call to Python.

Stacks of nodes begin in the frame that was compiled; the stack that torch printed at a break goes on to the outermost one. A frame
without breaks was called at a break of the one that was running, for that runs Python nowhere else; where it has breaks
on several lines, which of them it was is not known, and nothing is said.
"""

from compiler.model.capture.capture import Capture
from compiler.model.capture.frames import Frame
from compiler.model.ir.graph import SourceLine


def outer_calls(capture: Capture, compile_id: str) -> tuple[SourceLine, ...]:
    """Outermost first; empty for a frame that was called by no other frame, or where the line is not known."""
    frames = {frame.id: frame for frame in capture.frames}
    return _calls(capture, frames, compile_id, frozenset())


def _calls(
    capture: Capture, frames: dict[str, Frame], compile_id: str, below: frozenset[str]
) -> tuple[SourceLine, ...]:
    frame = frames.get(compile_id)
    if frame is None or not frame.caller or compile_id in below:
        return ()
    own = {stack[:at] for stack, at in _stacks(capture, frame) if at}
    if len(own) == 1:
        return own.pop()
    above = _calls(capture, frames, frame.caller, below | {compile_id})
    caller = frames.get(frame.caller)
    ways = {stack[: at + 1] for stack, at in _stacks(capture, caller)} if caller is not None else set()
    if len(ways) != 1:
        return above
    (way,) = ways
    return way if len(way) > 1 else (*above, *way)


def _stacks(capture: Capture, frame: Frame) -> list[tuple[tuple[SourceLine, ...], int]]:
    """Of each break of a frame its stack, and where in it the frame stands."""
    return [
        (item.stack, at)
        for item in capture.breaks
        if item.id in frame.breaks
        for at in [next((i for i, line in enumerate(item.stack) if _is_of(line, frame)), None)]
        if at is not None
    ]


def _is_of(line: SourceLine, frame: Frame) -> bool:
    inside = line.path == frame.path and line.line >= frame.line
    return inside and (not line.function or line.function in frame.name)
