"""The search as it goes on: every trial noted and reported, and what all parts of it share."""

import contextlib
import logging
import math
import time
from collections.abc import Callable, Iterator

import msgspec

from compiler.engine.causes.right_results import Judged, RightResults
from compiler.engine.measuring.interleaved_timing import Around
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.model.edits.edits import Edit
from compiler.model.experiments.causes import CauseFound, CauseStep
from compiler.model.ir.ids import StageId

ReportProgress = Callable[[str], None]

_SAME_OFF = 0.01
"""Relative: what is wrong and off by so much more or less is taken for wrong in the same way."""


def bring(program: EditedProgram, edits: tuple[Edit, ...], report_progress: ReportProgress) -> None:
    """Let a program run with these edits."""
    if program.edits != edits:
        program.recompile(edits, "cause", report_progress)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """While something is tried that was never meant to run: torch logs nothing of what fails, since the answer says it."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)


def first_line(error: Exception) -> str:
    """Of what an error says."""
    return str(error).partition("\n")[0]


class Search:
    """One search on one input."""

    def __init__(
        self,
        program: EditedProgram,
        edits: tuple[Edit, ...],
        right: RightResults,
        report_progress: ReportProgress,
        emit: Callable[[CauseStep], None],
        known: tuple[CauseStep, ...] = (),
    ) -> None:
        self.program = program
        self.edits = edits
        self.right = right
        self.report_progress = report_progress
        self.emit = emit
        self.known = known
        """Trials of a search for the same that was stopped, in order."""
        self.steps: list[CauseStep] = []
        self.innocent: list[StageId] = []
        self.notes: list[str] = []
        self.started = time.perf_counter()

    def run(
        self, what: str, around: Around, stages: tuple[StageId, ...] = (), fresh: bool = False
    ) -> bool | None:
        """Run a step of the program with something else in it; whether it is wrong, None where that could not be run."""
        return self.ask(what, lambda: self._step(around), stages, fresh)

    def ask(
        self,
        what: str,
        judged: Callable[[], Judged],
        stages: tuple[StageId, ...] = (),
        fresh: bool = False,
    ) -> bool | None:
        """The same of any other question. `fresh`: it runs even where the answer is known, since running it tells more than that,
        or shows that what is known still holds.
        """
        known = self._known_as(what)
        step = known if known is not None and not fresh and known.wrong is not None else None
        if step is None:
            step = self._tried(what, judged, stages)
            if known is not None and _same_answer(known, step):
                step = known
        self.steps.append(step)
        self.emit(step)
        return step.wrong

    def _tried(self, what: str, judged: Callable[[], Judged], stages: tuple[StageId, ...]) -> CauseStep:
        self.report_progress(f"Looking for the cause: {what}")
        try:
            with quiet():
                found = judged()
        except Exception as error:  # noqa: BLE001  what runs here was never meant to run so
            return CauseStep(f"{what} ({type(error).__name__}: {first_line(error)})", None)
        return CauseStep(what, found.wrong, found.off, stages)

    def _known_as(self, what: str) -> CauseStep | None:
        """The trial that is next, as it is known; None as soon as one before it, or its question, is another one now."""
        count = len(self.steps)
        if count >= len(self.known) or list(self.known[:count]) != self.steps:
            return None
        step = self.known[count]
        failed = step.wrong is None and step.what.startswith(f"{what} (")
        return step if failed or step.what == what else None

    def excluded(self, *stages: StageId) -> None:
        """Proven right."""
        self.innocent += [stage for stage in stages if stage not in self.innocent]

    def found(self, sentence: str, kind: str, **facts: object) -> CauseFound:
        """The answer."""
        off = next((step.off for step in self.steps if step.wrong and step.off is not None), None)
        answer = CauseFound(sentence, kind, off=off, off_eager=self.right.eager_off)
        facts.setdefault(
            "off_without", next((step.off for step in reversed(self.steps) if step.wrong is False), None)
        )
        return msgspec.structs.replace(answer, **facts)

    def not_found(self, sentence: str) -> CauseFound:
        """No answer, and what was excluded."""
        return self.found(sentence, "", off_without=None)

    def _step(self, around: Around) -> Judged:
        with around():
            return self.right.step()


def _same_answer(known: CauseStep, step: CauseStep) -> bool:
    """Threads add in any order, so that what is off is the same within rounding only."""
    if known.wrong is not step.wrong:
        return False
    if known.off is None or step.off is None:
        return step.wrong is None or known.off is step.off
    return not step.wrong or math.isclose(known.off, step.off, rel_tol=_SAME_OFF)
