"""When torch compiles again as sizes change: one series of calls for each stance and each way to say what is dynamic."""

import msgspec

from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.experiments.trials import DimensionTrial

COMPILED, REUSED, EAGER, FAILED = "compiled", "reused", "eager", "failed"


class MeasureStances(msgspec.Struct, frozen=True, tag="measure_stances"):
    """Call a program with one size after another under each stance. What was captured before is given up, so ask it of a
    worker of its own. Replies with `StancesMeasured`.
    """

    spec: CaptureSpec
    dimension: DimensionTrial | None = None
    """None: the first dimension of the first tensor, with its size and the next three."""


class StanceCall(msgspec.Struct, frozen=True):
    """One call."""

    size: int
    happened: str
    """`COMPILED`, `REUSED` (compiled code ran), `EAGER` (no compiled code ran) or `FAILED`."""
    compiles: int = 0
    """Frames that were compiled for it."""
    problem: str = ""
    differs: str = ""
    """In which part it does something else than eager, forward, beyond rounding."""


class StanceRow(msgspec.Struct, frozen=True):
    """One way to call the program, with nothing compiled at first."""

    way: str
    """As it is written: ``set_stance("eager_then_compile")``, ``dynamic=True``."""
    calls: tuple[StanceCall, ...] = ()

    @property
    def compiles(self) -> int:
        """Frames compiled in all calls."""
        return sum(call.compiles for call in self.calls)


class StancesMeasured(msgspec.Struct, frozen=True, tag="stances_measured"):
    """Answer to `MeasureStances`."""

    spec: CaptureSpec
    dimension: DimensionTrial
    rows: tuple[StanceRow, ...]
    notes: tuple[str, ...] = ()


def format_call(call: StanceCall) -> str:
    """``compiled``, ``compiled 3 frames``, ``reused``, ``eager`` or ``failed``; with ``WRONG`` where it differs from eager."""
    words = f"{call.happened} {call.compiles} frames" if call.compiles > 1 else call.happened
    return f"{words}, WRONG" if call.differs else words


def parse_sizes(text: str) -> DimensionTrial | None:
    """``x:0=3,4,5``; None for an empty text. Raises ValueError with words for the person."""
    if not text.strip():
        return None
    place, equals, sizes = text.partition("=")
    name, colon, dimension = place.strip().rpartition(":")
    try:
        trial = DimensionTrial(name, int(dimension), tuple(int(size) for size in sizes.split(",")))
    except ValueError:
        trial = None
    if trial is None or not (equals and colon and name):
        raise ValueError(f"{text!r} is no series of sizes; write ARGUMENT:DIMENSION=SIZES, such as x:0=3,4,5")
    return trial
