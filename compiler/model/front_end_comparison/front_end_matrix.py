"""One program under every front end: was it captured, what does that cost, and is it still the same program?

A cell is asked for with `JudgeFrontEnd` and answered by a `FrontEndCell`, each from a process of its own.
"""

import enum

import msgspec

from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.ir.diagnostics import Problem
from compiler.model.timing.paired_ratio import PairedRatio
from compiler.model.timing.timings import TimingSummary


class AlternateInput(msgspec.Struct, frozen=True):
    """Another call of the program, to see whether what was captured still does what the program does."""

    text: str = ""
    """Arguments as they stand in a call: ``torch.ones(3), scale=torch.tensor(2.0)``; empty: those of the example."""
    training: bool | None = None
    """Call ``.train()`` or ``.eval()`` before; None: the mode it was captured in."""

    @property
    def words(self) -> str:
        """For people, as `alternate_from_text` reads it."""
        mode = {True: "train", False: "eval", None: ""}[self.training]
        return f"{mode}: {self.text}".strip() if mode else self.text or "the example again"


def alternate_from_text(text: str) -> AlternateInput:
    """``eval: torch.ones(3)`` as an input; the mode, or the arguments, may be left out."""
    head, colon, rest = text.partition(":")
    if colon and head.strip() in ("train", "eval"):
        return AlternateInput(rest.strip(), head.strip() == "train")
    return AlternateInput(text.strip())


class Outcome(enum.Enum):
    """What the captured program did with an input that the program itself takes."""

    SAME = "same"
    """Or as near to float64 as eager is."""
    WRONG = "wrong"
    """It gave another result and said nothing."""
    REFUSED = "refused"
    """It raised an error."""
    UNJUDGED = "unjudged"
    """Eager does not repeat its own result, or both draw random numbers, each its own."""
    FAILED = "failed"
    """The program itself does not take this input; inputs that a person gave are reported then, and one that ended the search."""
    DIED = "died"
    """The process ended over it, or had to be stopped."""


class Judgement(msgspec.Struct, frozen=True):
    """The captured program beside eager, on one input."""

    input: str
    """In words: ``the example``, ``x × 8``, ``in eval mode``."""
    outcome: Outcome
    detail: str = ""
    """How far off, or the error, in one line."""
    print_lost: bool = False
    """The program printed something, and what was captured did not."""
    found: bool = False
    """Found by trying, not given by a person."""
    no_gradients: bool = False
    """The program's results have gradients, and what was captured gives none."""
    attribute_lost: bool = False
    """The program changes an attribute that is no buffer, such as a count of its calls, and what was captured does not."""

    @property
    def loses_something(self) -> bool:
        """Whether it does less than the program, though what it gives is right."""
        return any(self.losses)

    @property
    def losses(self) -> tuple[bool, bool, bool]:
        """Of what is printed, of attributes, and of gradients."""
        return self.print_lost, self.attribute_lost, self.no_gradients


class JudgeFrontEnd(msgspec.Struct, frozen=True, tag="judge_front_end"):
    """Capture with `spec.front_end`, run, time, and compare with eager. Replies with `FrontEndCell`."""

    spec: CaptureSpec
    alternates: tuple[AlternateInput, ...] = ()
    """Inputs that a person wants compared."""
    search: bool = True
    """Look for inputs that show a difference too."""
    timed: bool = True
    """Measure run time and memory."""
    limit: float = 180.0
    """Seconds after which the process is ended."""
    folder: str = ""
    """Where the process keeps the capture it made, and what it found out so far; empty: nowhere."""


class FrontEndCell(msgspec.Struct, frozen=True, tag="front_end_cell"):
    """What a front end makes of a program."""

    front_end: str
    problem: Problem | None = None
    """Why it was not captured; None: it was."""
    graphs: int = 0
    operations: int = 0
    capture_seconds: float = 0.0
    run: TimingSummary | None = None
    """Of the captured program on the example, forward only."""
    ratio: PairedRatio | None = None
    """Its time over eager's, interleaved."""
    peak_bytes: int | None = None
    """Most that one run on the example had allocated at a time; None where this torch does not say."""
    judgements: tuple[Judgement, ...] = ()
    """The example first, then a person's inputs, then what was tried."""
    untried: int = 0
    """Inputs that there was no time to try."""
    warnings: tuple[str, ...] = ()
    """What torch warned of while it captured, with the user's line."""
    kept: str = ""
    """The file that its capture is kept in, for `MakeCapture.kept`; empty: `not_kept` says why."""
    not_kept: str = ""
    note: str = ""
    """On how it was compared, for people."""
    skipped: bool = False
    """Somebody did not want to wait for it."""

    @property
    def captured(self) -> bool:
        """Whether there is something to run."""
        return self.problem is None

    def of_example(self) -> Judgement | None:
        """What it does with the very input it was captured with."""
        return self.judgements[0] if self.judgements else None

    def of_others(self) -> tuple[Judgement, ...]:
        """What it does with other inputs."""
        return self.judgements[1:]

    def with_outcome(self, outcome: Outcome) -> tuple[Judgement, ...]:
        """The inputs that it came to this with."""
        return tuple(judgement for judgement in self.judgements if judgement.outcome is outcome)

    @property
    def silently_wrong(self) -> bool:
        """Whether an input was seen for which it gives another result than the program, and no error."""
        return bool(self.with_outcome(Outcome.WRONG))

    @property
    def loses_gradients(self) -> bool:
        """Whether it cannot be trained where the program can."""
        return any(judgement.no_gradients for judgement in self.judgements)


def format_verdict(judgements: tuple[Judgement, ...]) -> str:
    """The worst of some judgements in a few words: ``WRONG (x × 8)``, ``refuses (x of shape [5, 4])``, ``ok``."""
    for outcome, word in _BAD:
        found = next((judgement for judgement in judgements if judgement.outcome is outcome), None)
        if found is not None:
            return f"{word} ({found.input})" if found.input != EXAMPLE else word
    if not any(judgement.outcome is Outcome.SAME for judgement in judgements):
        return "not judged" if judgements else ""
    lost = any(judgement.print_lost for judgement in judgements)
    without = [judgement for judgement in judgements if judgement.no_gradients]
    gradients = "no gradients" * bool(without)
    if without and without[0].input != EXAMPLE and len(without) < len(judgements):
        gradients = f"no gradients ({without[0].input})"
    attribute = any(judgement.attribute_lost for judgement in judgements)
    words = ("ok", "print lost" * lost, "attribute lost" * attribute, gradients)
    return ", ".join(filter(None, words))


_BAD = (Outcome.WRONG, "WRONG"), (Outcome.DIED, "dies"), (Outcome.REFUSED, "refuses")
PRINT_LOST = "what it prints is lost"
"""The detail of a judgement that has nothing else to report than `Judgement.print_lost`."""
EXAMPLE = "the example"
"""What the input is called that a program is captured with."""
