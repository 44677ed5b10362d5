"""The graph breaks of a capture as a list of things to do: repeats merged, the costliest first."""

import re

import msgspec

from compiler.model.capture.capture import Capture
from compiler.model.capture.frames import BreakCategory, Frame, GraphBreak
from compiler.model.ir.graph import SourceLine
from compiler.model.ir.ids import NOWHERE, Place
from compiler.model.timing.graph_break_cost import BreakCosts

_RESUMED = re.compile(r"^torch_dynamo_resume_in_(.+)_at_\d+$")
_SOURCE = re.compile(r"`L\[[^`]*`")
_CALLS = ("call_function", "call_method", "call_module")


class RankedBreak(msgspec.Struct, frozen=True):
    """One cause on one line, and in one line of a library where it breaks there."""

    breaks: tuple[GraphBreak, ...]
    """The same break in every frame and every compile that met it, the first met first."""
    times: int
    """How often Dynamo met it while it captured."""
    ops_cut_off: int = 0
    """Calls that went into later graphs of the same function because of it."""
    compile_seconds: float = 0.0
    """Wall time of compiling what comes after it as graphs of their own, and of starting the frame again."""
    lost: float | None = None
    """Nanoseconds of one step spent outside compiled graphs at this break, as measured; None where it was not."""
    spread: tuple[float, float] = (0.0, 0.0)
    """Quartiles of `lost`."""
    eager_ops: int = 0
    """Operations that ran eagerly there in one step, where it was measured."""

    @property
    def first(self) -> GraphBreak:
        """The one that is reported."""
        return self.breaks[0]

    @property
    def frames(self) -> tuple[str, ...]:
        """Compile ids of the frames that met it."""
        return tuple(dict.fromkeys(item.frame for item in self.breaks if item.frame))

    @property
    def places(self) -> tuple[Place, ...]:
        """The instruction of each, where torch said it."""
        return tuple(item.instruction for item in self.breaks if item.instruction is not None)

    @property
    def location(self) -> SourceLine | None:
        """The user's line."""
        return self.first.where

    @property
    def function(self) -> str:
        """The function it is in, under the name its author gave it."""
        return _RESUMED.sub(r"\1", self.location.function) if self.location else ""

    @property
    def where(self) -> str:
        """``model.py:14``, or empty."""
        return self.location.short if self.location else ""

    @property
    def inside(self) -> SourceLine | None:
        """The line in a library that breaks, where the one that is reported is the user's, which called it."""
        innermost = self.first.stack[-1] if self.first.stack else None
        return innermost if innermost != self.location else None


def ranked_breaks(capture: Capture, costs: BreakCosts | None = None) -> tuple[RankedBreak, ...]:
    """The breaks of a capture, the same cause on the same line once. Ordered by the time measured outside compiled
    graphs, where it was, else by the operations cut off; a break that follows from another comes after it.
    """
    groups: dict[tuple[object, ...], list[GraphBreak]] = {}
    for item in capture.breaks:
        # the line that is reported, and the one in a library that breaks, where that is another
        lines = (item.where, *item.stack[-1:]) if item.where is not None else ()
        at = [(line.path, line.line) for line in lines]
        # of a line in a library each frame on the way there, given up in turn, names another callee
        callee = item.callee if len(set(at)) < 2 else ""
        groups.setdefault((item.sort, item.kind, callee, _cause(item), *at), []).append(item)
    rest = _Rest(capture, costs)
    rows = [rest.row(tuple(items)) for items in groups.values()]
    return tuple(sorted(rows, key=_weight))


def break_count(capture: Capture) -> int:
    """How many breaks a person has to look at: what every list, header and limit counts."""
    return count_breaks(ranked_breaks(capture))


def count_breaks(rows: tuple[RankedBreak, ...]) -> int:
    """How many rows are breaks: not what torch.compile or an export failed at."""
    return sum(row.first.sort.is_counted for row in rows)


def _weight(row: RankedBreak) -> tuple[bool, float, int, float]:
    follows = bool(row.first.caused_by) or row.first.sort is BreakCategory.INLINING_REFUSED
    return follows, -(row.lost or 0.0), -row.ops_cut_off, -row.compile_seconds


def _cause(item: GraphBreak) -> str:
    """What is the same however often a cause is met: torch goes on with the tensors and the code that made them, which every
    compile names again, and with addresses. What one frame calls ``self.m.rnn`` is ``self.rnn`` of the next.
    """
    first = _SOURCE.sub("", (item.explanation or item.reason).strip().partition("\n\n")[0])
    return " ".join(word for word in first.split() if "0x" not in word)


class _Rest:
    """What lies behind each break: the frames that resume after it."""

    def __init__(self, capture: Capture, costs: BreakCosts | None) -> None:
        self._costs = costs
        self._frames = {frame.id: frame for frame in capture.frames}
        self._children: dict[str, list[Frame]] = {}
        for frame in capture.frames:
            if frame.parent:
                self._children.setdefault(frame.parent, []).append(frame)
        self._ops = {
            stage.id: sum(node.op in _CALLS for node in stage.graph.nodes)
            for stage in capture.stages
            if stage.graph is not None
        }

    def row(self, breaks: tuple[GraphBreak, ...]) -> RankedBreak:
        frames = list(dict.fromkeys(item.frame for item in breaks))
        later = [frame for name in frames for frame in self._after(name)]
        seconds = sum(frame.seconds or 0.0 for frame in later)
        own = frames if not breaks[0].caused_by else []  # the cause is what costs
        gaps = [
            gap
            for gap in (self._costs.gaps if self._costs else ())
            if self._owner(gap.after, gap.before) in own
        ]
        measured = self._costs is not None and bool(gaps)
        return RankedBreak(
            breaks,
            sum(item.count for item in breaks),
            sum(self._ops.get(frame.graph, 0) for frame in {item.id: item for item in later}.values()),
            seconds,
            sum(gap.time.median for gap in gaps) if measured else None,
            (sum(gap.time.low for gap in gaps), sum(gap.time.high for gap in gaps)),
            sum(gap.eager_ops for gap in gaps),
        )

    def _after(self, frame: str) -> list[Frame]:
        """What resumes the frame and what resumes that, each once: files name parents as they like."""
        found: dict[str, Frame] = {}
        waiting = [frame]
        while waiting:
            children = [row for row in self._children.get(waiting.pop(), ()) if row.id not in found]
            found |= {child.id: child for child in children}
            waiting += [child.id for child in children]
        return list(found.values())

    def _owner(self, after: str, before: str) -> str:
        """The frame whose break a gap belongs to: what the graph after it resumes, else the frame that called it, else
        the one that the graph before it ended in. What comes before the first graph is the price of entering.
        """
        if not after:
            return ""
        resumed = self._frames.get(before)
        if resumed is not None:
            return resumed.parent or self._broken(resumed.caller)
        ended = self._frames.get(after)
        return self._broken(ended.id) if ended is not None else ""

    def _broken(self, name: str) -> str:
        """That frame or the nearest that called it, or that it resumes, which broke."""
        seen: set[str] = set()
        while name in self._frames and name not in seen:
            seen.add(name)
            frame = self._frames[name]
            if frame.breaks:
                return name
            name = frame.parent or frame.caller
            if frame.parent:  # its break made this function, and was passed already
                name = self._frames[frame.parent].caller if frame.parent in self._frames else ""
        return ""


def break_place(capture: Capture, item: RankedBreak) -> Place:
    """Where a break is: its instruction, else its source line."""
    if item.places:
        return item.places[0]
    return capture.place_of(item.location) if item.location is not None else NOWHERE
