"""What the breaks pane asks of the engine: what the breaks cost when the program runs."""

from PySide6.QtCore import QObject, Signal

from app.session.engine_requests.engine_requests import EngineJobs
from compiler.model.ir.diagnostics import Problem
from compiler.model.protocol.messages import MeasureBreaks, ReplyBody
from compiler.model.timing.graph_break_cost import BreakCosts


class BreakQuestions(QObject):
    """The costs of the program that is open, once they were measured."""

    changed = Signal()
    """`costs` or `measuring` changed."""

    def __init__(self, jobs: EngineJobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self.costs: BreakCosts | None = None
        self.measuring = False

    def measure(self) -> None:
        """Time what a step spends outside compiled graphs. A failure becomes a problem."""

        def on_reply(reply: ReplyBody | Problem) -> None:
            self.measuring = False
            if isinstance(reply, BreakCosts):
                self.costs = reply
            elif isinstance(reply, Problem):
                self._jobs.failed.emit(reply)
            self.changed.emit()

        self.measuring = True
        self.changed.emit()
        self._jobs.ask_live(MeasureBreaks, on_reply, "measure_breaks")

    def forget(self) -> None:
        """Another program is open."""
        self.costs, self.measuring = None, False
        self.changed.emit()
