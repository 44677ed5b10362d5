"""What repeats in the text of a stage, looked for off the window's thread: in a wrapper of 16,000 lines that takes a tenth of a second."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from app.concurrency.file_worker import BackgroundWork
from compiler.analysis.repeated_text.repeated_lines import RepeatedLines, repeated_lines
from compiler.model.ir.stage import Stage, WrapperStage

Found = Callable[[Stage, tuple[RepeatedLines, ...]], None]


class FoundRepeats(QObject):
    """Looks in the stage that was asked about last."""

    def __init__(self, found: Found, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._found = found
        self._work = BackgroundWork(self)
        self._stage: Stage | None = None

    def look_in(self, stage: Stage) -> None:
        """Tell of a stage what repeats in its text; of one that is no wrapper nothing."""
        self._stage = stage
        if isinstance(stage.content, WrapperStage):
            code = stage.content.code
            self._work.run(
                lambda: repeated_lines(code),
                lambda runs: self._hand_over(stage, runs),
                lambda error: None,
                (),
            )

    def wait(self) -> None:
        """Until nothing is looked for any more."""
        self._work.wait()

    def _hand_over(self, stage: Stage, runs: tuple[RepeatedLines, ...]) -> None:
        if stage is self._stage and runs:
            self._found(stage, runs)
