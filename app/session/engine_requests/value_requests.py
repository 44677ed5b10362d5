"""The values of one step of the program that is open: of every node of its post-grad graphs, to be painted on the graph."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject

from app.session.engine_requests.engine_requests import EngineJobs
from app.session.engine_requests.search import Search
from compiler.model.edits.edits import Edit
from compiler.model.experiments.node_values import MeasureValues, NodeValue, ValuesMeasured
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.protocol.messages import ReplyBody


class ValueLook(Search):
    """Asked when somebody wants it; what was found is of the edits that the program was compiled with."""

    answered_by = ValuesMeasured
    found: ValuesMeasured | None

    def __init__(
        self, jobs: EngineJobs, compiled_edits: Callable[[], tuple[Edit, ...]], parent: QObject | None = None
    ) -> None:
        super().__init__(jobs, compiled_edits, parent)
        self._rows: dict[StageId, dict[NodeId, NodeValue]] = {}
        self._of: tuple[Edit, ...] = ()

    def look(self) -> None:
        """Run a step and look at all of it."""
        self._of = self._edits()
        self._begin(MeasureValues(self._jobs.open_capture, self._of))

    def of(self, stage: StageId) -> Mapping[NodeId, NodeValue]:
        """By node of a stage; empty where nothing was looked at, or the program was compiled with other edits since."""
        return self._rows.get(stage, {}) if self._of == self._edits() else {}

    def _clear(self) -> None:
        super()._clear()
        self._rows = {}

    def _take_answer(self, answer: ReplyBody) -> None:
        assert isinstance(answer, ValuesMeasured)
        super()._take_answer(answer)
        for row in answer.rows:
            self._rows.setdefault(row.stage, {})[row.node] = row
