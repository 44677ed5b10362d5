"""What was measured beside the timing run: the machine's ceilings, two states interleaved, and what each node costs."""

from PySide6.QtCore import QObject, Signal

from app.session.captures.capture_store import CaptureStore
from app.session.edit_history.edit_states import EditStates
from app.session.engine_requests.engine_requests import EngineJobs
from app.session.selection.selection import SelectionBroker
from app.session.timing.line_costs import LineCosts
from app.session.timing.node_costs import NodeCosts
from app.session.timing.timing_recorder import TimingRecorder
from compiler.analysis.edits.history_tree import StateId
from compiler.model.edits.edits import Edit
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import CaptureId
from compiler.model.protocol.messages import MeasureMachine, ReplyBody, TimeStates
from compiler.model.timing.machine_peaks import MachineCeilings
from compiler.model.timing.state_timing import StateTimes

_Key = tuple[tuple[Edit, ...], tuple[Edit, ...]]


class Measurements(QObject):
    """Asked by panes; answers are kept as long as the session lives, those about states for the program they are of."""

    changed = Signal()
    """`ceilings`, a pair of states, or `asking` changed."""

    def __init__(
        self,
        jobs: EngineJobs,
        store: CaptureStore,
        recorder: TimingRecorder,
        selection: SelectionBroker,
        states: EditStates,
    ) -> None:
        super().__init__(jobs)
        self._jobs = jobs
        self._store = store
        self._recorder = recorder
        self._tree = states
        self._states: dict[tuple[CaptureId, _Key], StateTimes] = {}
        self.costs = NodeCosts(recorder, selection, self)
        self.lines = LineCosts(recorder, store, selection, self)
        self.ceilings: MachineCeilings | None = None
        self.asking = ""
        """``machine`` or ``states`` while an answer is awaited."""
        jobs.event_arrived.connect(recorder.take_event)
        jobs.timed.connect(lambda: recorder.set_running(jobs.timing))

    def measure_machine(self, again: bool = False) -> None:
        """Ask what the machine reaches with the threads that were timed with; `again` looks at no earlier answer. A
        failure becomes a problem.
        """

        def then(answer: MachineCeilings | Problem) -> None:
            if isinstance(answer, MachineCeilings):
                self.ceilings = answer
            self._answered(answer)

        self._ask("machine")
        self._jobs.ask(MeasureMachine(self._recorder.threads, again), MachineCeilings, then)

    def time_states(self, first: StateId, second: StateId) -> None:
        """Time two states of the tree of edits interleaved. Raises KeyError for a state that is not there."""
        key, root = self._key(first, second), self._root

        def then(answer: StateTimes | Problem) -> None:
            if isinstance(answer, StateTimes):
                self._states[root, key] = answer
            self._answered(answer)

        self._ask("states")
        self._jobs.ask(TimeStates(root, *key), StateTimes, then)

    def state_times(self, first: StateId, second: StateId) -> StateTimes | None:
        """What was measured of two states; None if they were not timed interleaved."""
        return self._states.get((self._root, self._key(first, second)))

    @property
    def _root(self) -> CaptureId:
        return self._jobs.open_capture

    def _key(self, first: StateId, second: StateId) -> _Key:
        tree = self._tree.tree
        return tree.edits(first), tree.edits(second)

    def _ask(self, what: str) -> None:
        self.asking = what
        self.changed.emit()

    def _answered(self, reply: ReplyBody | Problem) -> None:
        self.asking = ""
        if isinstance(reply, Problem):
            self._jobs.failed.emit(reply)
        self.changed.emit()
