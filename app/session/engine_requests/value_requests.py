"""The values of one step of the program that is open: of every node of its post-grad graphs, to be painted on the graph."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, Signal

from app.session.engine_requests.engine_requests import EngineJobs
from compiler.model.edits.edits import Edit
from compiler.model.experiments.node_values import MeasureValues, NodeValue, ValuesMeasured
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import CaptureId, NodeId, StageId
from compiler.model.protocol.messages import ReplyBody


class ValueLook(QObject):
    """Asked when somebody wants it; what was found is of one capture, with the edits that it was compiled with."""

    changed = Signal()
    """Other values, or none any more."""

    def __init__(
        self, jobs: EngineJobs, compiled_edits: Callable[[], tuple[Edit, ...]], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._edits = compiled_edits
        self._rows: dict[StageId, dict[NodeId, NodeValue]] = {}
        self._of: tuple[CaptureId, tuple[Edit, ...]] | None = None
        self.found: ValuesMeasured | None = None

    def look(self) -> None:
        """Run a step and look at all of it. A failure becomes a problem."""
        edits = self._edits()
        asked: list[CaptureId] = []

        def body(capture: CaptureId) -> MeasureValues:
            asked.append(capture)
            return MeasureValues(capture, edits)

        def on_reply(reply: ReplyBody | Problem) -> None:
            if isinstance(reply, ValuesMeasured):
                self._of = (asked[-1], edits)
                self._take(reply)
            elif isinstance(reply, Problem):
                self._jobs.failed.emit(reply)

        self._jobs.ask_live(body, on_reply, "measure_values")

    def forget(self) -> None:
        """Another program is open."""
        if self.found is not None:
            self.found, self._rows, self._of = None, {}, None
            self.changed.emit()

    def of(self, stage: StageId) -> Mapping[NodeId, NodeValue]:
        """By node of a stage; empty where nothing was looked at, or the program was compiled with other edits since."""
        if self._of is None or self._of[1] != self._edits():
            return {}
        return self._rows.get(stage, {})

    def _take(self, found: ValuesMeasured) -> None:
        self.found, self._rows = found, {}
        for row in found.rows:
            self._rows.setdefault(row.stage, {})[row.node] = row
        self.changed.emit()
