"""Problems that were reported as they happened: failed requests, refused edits, the engine's death."""

from PySide6.QtCore import QObject, Signal

from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import NodeId, StageId

_MOST = 500


class ProblemList(QObject):
    """The reports since the last clearing, oldest first. A report equal to the last one is not repeated."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.reported: tuple[Problem, ...] = ()

    def add(self, problem: Problem) -> None:
        """Remember a problem."""
        if self.reported[-1:] != (problem,):
            self.reported = (*self.reported, problem)[-_MOST:]
            self.changed.emit()

    def forget(self, problem: Problem) -> None:
        """A report that is settled."""
        if problem in self.reported:
            self.reported = tuple(other for other in self.reported if other != problem)
            self.changed.emit()

    def clear(self) -> None:
        """Forget all."""
        if self.reported:
            self.reported = ()
            self.changed.emit()


def reported_once(problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
    """Without those of one place that say what another says there: a fault of an edit is found as it is made, and again."""
    seen = dict.fromkeys(problems)
    last = {(row.what, row.place): row for row in seen if row.place is not None}
    return tuple(row for row in seen if row.place is None or last[row.what, row.place] is row)


def problems_at(problems: tuple[Problem, ...], stage_id: StageId, node_id: NodeId) -> tuple[Problem, ...]:
    """Those of one node."""
    return tuple(
        problem
        for problem in problems
        if problem.place is not None and problem.place.stage == stage_id and node_id in problem.place.nodes
    )
