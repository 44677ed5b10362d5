"""How far judging is: which of its parts goes on, whatever is compiled for it meanwhile."""

from collections.abc import Callable

from compiler.model.protocol.progress import Doing, Phase, Step


class Judging:
    """Called with lines of progress like what it stands for; all of them belong to the part that was begun last."""

    def __init__(self, report_progress: Callable[[str], None], parts: int) -> None:
        """With `parts` 0 it is not known how many there will be."""
        self._report_progress = report_progress
        self._parts = parts
        self._begun = 0

    def begin(self, text: str) -> None:
        """The part before is done, or was not needed."""
        self._begun += 1
        self(text)

    def __call__(self, text: str) -> None:
        done = max(self._begun - 1, 0) if self._parts else 0
        self._report_progress(Doing(text, Step(Phase.JUDGING, 0, done, self._parts)))
