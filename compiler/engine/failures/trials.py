"""What a search for failures asks of processes that may die over it."""

from typing import Protocol

from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.experiments.failures import BreaksMet, Failure


class Trials(Protocol):
    """Each call is a process of its own; after `seconds` it hangs."""

    def level(self, spec: CaptureSpec, level: str | None, seconds: float) -> Failure | None:
        """A program compiled with a backend and run; None: it runs. Raises EngineError where it cannot be loaded."""

    def text(self, text: str, seconds: float) -> Failure | None:
        """A file that was written, run as its main part."""

    def fresh(self, text: str, seconds: float) -> Failure | None:
        """The same as ``python FILE.py`` does it, with nothing of ours."""

    def breaks(self, spec: CaptureSpec, path: str, text: str, seconds: float) -> BreaksMet:
        """The breaks of a program, one of whose files has another text."""
