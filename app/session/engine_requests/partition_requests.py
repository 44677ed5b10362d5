"""What the partition pane asks of the engine: what the partitioner would do at each budget, and how long that takes to run."""

from PySide6.QtCore import QObject, Signal

from app.session.engine_requests.engine_requests import EngineJobs
from compiler.model.edits.edits import Edit
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import StageId
from compiler.model.ir.memory_budget_curve import CurvePoint, MeasuredPoint, PartitionCurve
from compiler.model.protocol.messages import ExplorePartition, MeasurePartition, RequestBody


class PartitionQuestions(QObject):
    """The curves of the program that is open, by joint graph, each with the edits it was asked for."""

    changed = Signal()
    """A curve came, or one is asked for."""

    def __init__(self, jobs: EngineJobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._points: dict[tuple[StageId, tuple[Edit, ...]], tuple[CurvePoint, ...]] = {}
        self._measured: dict[tuple[StageId, tuple[Edit, ...]], tuple[MeasuredPoint, ...]] = {}
        self.asking = ""
        """``explore`` or ``measure`` while an answer is awaited."""

    def points(self, stage: StageId, edits: tuple[Edit, ...]) -> tuple[CurvePoint, ...]:
        """What is known of the budgets of a joint graph with these edits."""
        return self._points.get((stage, edits), ())

    def measured(self, stage: StageId, edits: tuple[Edit, ...]) -> tuple[MeasuredPoint, ...]:
        """The budgets that were compiled and timed."""
        return self._measured.get((stage, edits), ())

    def explore(self, stage: StageId, edits: tuple[Edit, ...]) -> None:
        """Ask the partitioner about every budget; nothing is compiled. A failure becomes a problem."""
        self._ask("explore", stage, edits, ())

    def measure(self, stage: StageId, edits: tuple[Edit, ...], budgets: tuple[float, ...]) -> None:
        """Compile these budgets and time them; what ran before runs again, also after Cancel."""
        self._ask("measure", stage, edits, budgets)

    def forget(self) -> None:
        """Another program is open."""
        self._points.clear()
        self._measured.clear()
        self.asking = ""
        self.changed.emit()

    def _ask(self, what: str, stage: StageId, edits: tuple[Edit, ...], budgets: tuple[float, ...]) -> None:
        def then(answer: PartitionCurve | Problem) -> None:
            self.asking = ""
            if isinstance(answer, Problem):
                self._jobs.failed.emit(answer)
            elif what == "explore":
                self._points[stage, edits] = answer.points
            else:
                self._measured[stage, edits] = answer.measured
            self.changed.emit()

        capture = self._jobs.open_capture
        request: RequestBody = ExplorePartition(capture, stage, edits)
        if what == "measure":
            request = MeasurePartition(capture, stage, budgets, edits)
        self.asking = what
        self.changed.emit()
        self._jobs.ask(request, PartitionCurve, then)
