"""What goes on, what went wrong and what was judged: the part of the session that is only asked."""

from PySide6.QtCore import QObject

from app.engine_client.engine import Engine
from app.session.captures.capture_store import CaptureStore
from app.session.captures.live_captures import LiveCaptures
from app.session.captures.runs_here import why_not_run
from app.session.edit_history.previews import Previews
from app.session.engine_requests.engine_requests import EngineJobs
from app.session.facade.problem_list import ProblemList, problems_at, reported_once
from app.session.files.session_files import SessionFiles
from app.session.running.run_follower import RunFollower
from app.session.running.run_requests import RunRequests
from compiler.model.capture.capture import Capture
from compiler.model.edits.edits import Edit
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import CaptureId, NodeId, StageId
from compiler.model.timing.verdicts import Verdict


class SessionStatus(QObject):
    """Half of `Session`, which makes what is named here."""

    engine: Engine
    live: LiveCaptures
    run: RunFollower
    run_requests: RunRequests
    _store: CaptureStore
    _previews: Previews
    _problem_list: ProblemList
    _files: SessionFiles
    _jobs: EngineJobs

    @property
    def capture(self) -> Capture | None:
        """The capture shown."""
        return self._store.shown

    @property
    def captures(self) -> tuple[Capture, ...]:
        """The original and its recompiles, oldest first."""
        return self._store.all

    @property
    def why_not_run(self) -> str:
        """Why the program that is open cannot be run from here; empty where it can."""
        return why_not_run(self.capture)

    @property
    def compiled_edits(self) -> tuple[Edit, ...]:
        """The edits that the newest capture was compiled from."""
        return self._store.edits_of(self._store.head)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Everything to report, the newest reports last."""
        made = self.capture.problems if self.capture else ()
        return reported_once((*made, *self._previews.problems, *self._problem_list.reported))

    @property
    def engine_state(self) -> str:
        """``starting``, ``ready``, ``busy`` or ``stopped``."""
        return self.engine.state

    @property
    def status_text(self) -> str:
        """What is being done, in words."""
        doing = self._files.reading or self.run_requests.doing or self.live.doing or self.run.doing
        return doing or self.engine.status_text

    @property
    def busy(self) -> bool:
        """Whether the engine works on something, or a large file is being read."""
        return self.engine.busy or self.run_requests.busy or bool(self._files.reading)

    @property
    def working(self) -> bool:
        """Whether the engine works on something that a person waits for, which a timing run is not."""
        return self.busy and not self._jobs.timing_now

    def problems_at(self, stage_id: StageId, node_id: NodeId) -> tuple[Problem, ...]:
        """Problems of one node."""
        return problems_at(self.problems, stage_id, node_id)

    @property
    def verdict(self) -> Verdict | None:
        """What was judged of the capture shown."""
        return self._store.verdict(self.capture.id) if self.capture else None

    def verdict_of(self, capture_id: CaptureId) -> Verdict | None:
        """What was judged of a capture."""
        return self._store.verdict(capture_id)
