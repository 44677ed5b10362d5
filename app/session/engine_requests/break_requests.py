"""What the breaks pane asks of the engine: what the breaks cost when the program runs."""

from PySide6.QtCore import Signal

from app.session.engine_requests.search import Search
from compiler.model.protocol.messages import MeasureBreaks
from compiler.model.timing.graph_break_cost import BreakCosts


class BreakQuestions(Search):
    """The costs of the program that is open, once they were measured."""

    answered_by = BreakCosts
    found: BreakCosts | None
    wanted = Signal(str)
    """The id of a GraphBreak that somebody points at: two of one line are not distinguished by where they are."""

    def measure(self) -> None:
        """Time what a step spends outside compiled graphs."""
        self._begin(MeasureBreaks(self._jobs.open_capture))
