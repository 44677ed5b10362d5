"""What was measured beside the timing run: the machine's ceilings, two states by turns, and what each node costs."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.session.engine_jobs import EngineJobs
from app.session.node_costs import NodeCosts
from compiler.model.edit_tree import StateId
from compiler.model.edits import Edit
from compiler.model.machine_ceilings import MachineCeilings
from compiler.model.messages import MeasureMachine, ReplyBody, TimeStates
from compiler.model.problems import Problem
from compiler.model.state_times import StateTimes

if TYPE_CHECKING:
    from app.session.session import Session

_Key = tuple[tuple[Edit, ...], tuple[Edit, ...]]


class Measurements(QObject):
    """Asked by panes; answers are kept until another program is open, those of the machine for good."""

    changed = Signal()
    """`ceilings`, a pair of states, or `asking` changed."""

    def __init__(self, session: "Session", jobs: EngineJobs) -> None:
        super().__init__(session)
        self._session = session
        self._jobs = jobs
        self._states: dict[_Key, StateTimes] = {}
        self._program = ""
        self.costs = NodeCosts(session, self)
        self.ceilings: MachineCeilings | None = None
        self.asking = ""
        """``machine`` or ``states`` while an answer is awaited."""
        session.capture_changed.connect(self._follow_program)
        session.engine.event_arrived.connect(session.timings.take_event)
        session.timings.changed.connect(session.timings_changed)
        jobs.timed.connect(lambda: session.timings.set_running(jobs.timing))

    def measure_machine(self, again: bool = False) -> None:
        """Ask what the machine reaches with the threads that were timed with; `again` looks at no earlier answer. A
        failure becomes a problem.
        """

        def on_reply(reply: ReplyBody | Problem) -> None:
            if isinstance(reply, MachineCeilings):
                self.ceilings = reply
            self._answered(reply)

        self._ask("machine")
        request = MeasureMachine(self._session.timings.threads, again)
        self._jobs.ask_worker(request, on_reply, "measure_machine")

    def time_states(self, first: StateId, second: StateId) -> None:
        """Time two states of the tree of edits by turns. Raises KeyError for a state that is not there."""
        key = self._key(first, second)

        def on_reply(reply: ReplyBody | Problem) -> None:
            if isinstance(reply, StateTimes):
                self._states[key] = reply
            self._answered(reply)

        self._ask("states")
        self._jobs.ask_held(lambda capture: TimeStates(capture, *key), on_reply, "time_states")

    def state_times(self, first: StateId, second: StateId) -> StateTimes | None:
        """What was measured of two states; None if they were not timed by turns."""
        return self._states.get(self._key(first, second))

    def _key(self, first: StateId, second: StateId) -> _Key:
        tree = self._session.states.tree
        return tree.edits(first), tree.edits(second)

    def _ask(self, what: str) -> None:
        self.asking = what
        self.changed.emit()

    def _answered(self, reply: ReplyBody | Problem) -> None:
        self.asking = ""
        if isinstance(reply, Problem):
            self._jobs.failed.emit(reply)
        self.changed.emit()

    def _follow_program(self) -> None:
        """Times of states are of one program."""
        captures = self._session.captures
        program = captures[0].id if captures else ""
        if program != self._program:
            self._program = program
            self._states.clear()
