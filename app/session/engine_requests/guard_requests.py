"""What the guards pane asks of the engine: would this input recompile, and what do the guards cost."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from app.session.engine_requests.engine_requests import EngineJobs
from compiler.model.capture.guards import MeasuredGuards
from compiler.model.guard_testing.guard_tests import FrameInputs, GuardChange, GuardTestResult
from compiler.model.ir.diagnostics import Problem
from compiler.model.protocol.messages import DescribeFrame, MeasureGuards, TestGuards


class GuardQuestions(QObject):
    """Questions about the program as it was captured; only the answer to the latest of each kind comes."""

    def __init__(self, jobs: EngineJobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs

    def describe(self, compile_id: str, then: Callable[[FrameInputs | Problem], None]) -> None:
        """What the frame of a compile is called with; for a frame further in the program is run once."""
        self._jobs.ask(DescribeFrame(self._jobs.open_capture, compile_id), FrameInputs, then)

    def test(
        self, change: GuardChange, compile_id: str, then: Callable[[GuardTestResult | Problem], None]
    ) -> None:
        """Which compiled code of the frame of a compile would run with changed inputs; the model is not run."""
        self._jobs.ask(TestGuards(self._jobs.open_capture, change, compile_id), GuardTestResult, then)

    def measure(self, compile_id: str, then: Callable[[MeasuredGuards | Problem], None]) -> None:
        """What checking the guards of one compile costs."""
        self._jobs.ask(MeasureGuards(self._jobs.open_capture, compile_id), MeasuredGuards, then)
