"""What is open: the capture shown, the stage in front, the selection, the edits, and what the engine is doing.

Panes listen to the signals here and call the methods here. The engine answers through `app.engine_client`.
"""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QUndoStack

from app.engine_client.engine import Engine
from app.session.captures.capture_changes import CaptureChanges
from app.session.captures.capture_store import CaptureStore
from app.session.captures.known_places import KnownPlaces
from app.session.captures.live_captures import LiveCaptures
from app.session.captures.partial_results import EarlyStages
from app.session.captures.program_trust import ProgramTrust
from app.session.captures.recapture_mapping import Succession
from app.session.captures.stage_order import reading_order
from app.session.comparison.comparison import Comparison
from app.session.edit_history.edit_gate import EditEntry
from app.session.edit_history.edit_history import EditHistory
from app.session.edit_history.edit_states import EditStates
from app.session.edit_history.journal_recovery import JournalKeeping
from app.session.edit_history.pending_stages import EditedStages
from app.session.edit_history.previews import Previews
from app.session.engine_requests.break_requests import BreakQuestions
from app.session.engine_requests.cause_requests import CauseSearch
from app.session.engine_requests.compile_choices import CompileChoices
from app.session.engine_requests.edit_requests import EditQuestions
from app.session.engine_requests.engine_requests import EngineJobs, TakeDescribed
from app.session.engine_requests.export_requests import EditsAsCode
from app.session.engine_requests.front_end_matrix import FrontEndMatrix
from app.session.engine_requests.guard_requests import GuardQuestions
from app.session.engine_requests.kernel_lowering import KernelLowering
from app.session.engine_requests.operator_requests import OperatorQuestions
from app.session.engine_requests.partition_requests import PartitionQuestions
from app.session.engine_requests.torchscript_requests import ScriptRuns
from app.session.engine_requests.trials import Trials
from app.session.facade.problem_list import ProblemList
from app.session.facade.status import SessionStatus
from app.session.files.external_editor import ExternalEditor
from app.session.files.load_session import fill_from_file
from app.session.files.session_files import SessionFiles
from app.session.graph_views.graph_views import GraphViews
from app.session.ranks.ranks import Ranks
from app.session.running.run_follower import RunFollower
from app.session.running.run_requests import RunRequests
from app.session.selection.link_colors import ColorLinks
from app.session.selection.pass_position import PassScrubber
from app.session.selection.selection import SelectionBroker
from app.session.selection.selection_mapping import keeper
from app.session.timing.measurements import Measurements
from app.session.timing.timing_recorder import TimingRecorder
from app.session.watch_mode.watch_mode import WatchMode
from compiler.analysis.edits.history_tree import ROOT
from compiler.analysis.session_file.session_file import SessionData
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec
from compiler.model.edits.edits import Edit
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import CaptureId, NodeId, StageId
from compiler.model.ir.links import Provenance
from compiler.model.ir.stage import Stage
from compiler.model.protocol.messages import DescribeTarget, Recompiled, TargetDescribed
from compiler.model.session_file.collection_pause import collection_paused


class Session(SessionStatus):
    """The one object that panes talk to."""

    capture_changed = Signal()
    """Another capture is shown (captured, recompiled, opened, or picked in the history)."""
    stage_changed = Signal()
    """Another stage is in front."""
    edits_changed = Signal()
    """The list of edits, or what is undone of it, changed."""
    preview_changed = Signal()
    """Fresh shapes and errors for the edited graphs arrived."""
    problems_changed = Signal()
    status_changed = Signal()
    """What the engine is doing changed: `engine_state`, `status_text`, `busy`."""
    output_arrived = Signal(str)
    """The program or the engine printed this."""
    verdict_changed = Signal()
    timings_changed = Signal()
    """Timing started, stopped, or samples arrived."""
    problem_reported = Signal(object)
    """A Problem was added to the list."""
    file_changed = Signal()
    """A file was opened or saved: `file_path`, `unsaved`."""

    def __init__(
        self,
        engine: Engine,
        parent: QObject | None = None,
        journals: Path | None = None,
        trial_engine: Callable[[], Engine] | None = None,
    ) -> None:
        super().__init__(parent)
        self.engine = engine
        self.selection = SelectionBroker(self)
        self.passes = PassScrubber(self.selection, self)
        self.provenance = Provenance(())
        self._store = CaptureStore()
        self.selection.set_known(KnownPlaces(self._store).known)
        self._stage_id: StageId = ""
        self.colors = ColorLinks(None)
        self._auto_recompile = False
        self._history = EditHistory(self._store.base_of, self._store.head_content, self)
        self._entry = EditEntry(self._store, self._history, self.show_capture, self.report)
        self.recovery = JournalKeeping(self._history, journals, self)
        self._previews = Previews(self)
        self._edited = EditedStages(self._store, self._history, self._previews)
        self._problem_list = ProblemList(self)
        self.states = EditStates(self._history, self._store, self._show_state, self)
        self.trust = ProgramTrust(self._contents, self)
        engine.gate = self.trust.gate
        self.live = LiveCaptures(engine, self._store, self)
        self.early = EarlyStages(self._store, self._show_shown, lambda: self._stage_id, self)
        self._jobs = EngineJobs(engine, self._store, self.live, self.early, self)
        self.guards = GuardQuestions(self._jobs, self)
        self.breaks = BreakQuestions(self._jobs, lambda: self.compiled_edits, self)
        self.partitions = PartitionQuestions(self._jobs, self)
        self.causes = CauseSearch(self._jobs, lambda: self.compiled_edits, self)
        self.operators = OperatorQuestions(self._jobs, self._store, self)
        self.asking = EditQuestions(self._jobs, lambda: self.edits, self)
        self.exporting = EditsAsCode(self._jobs, self._store, self.report, self)
        self.trials = Trials(trial_engine, self._store, self.trust, self)
        self.choices = CompileChoices(self._jobs, self.trials, self._store, self)
        self.front_ends = FrontEndMatrix(trial_engine, self._jobs, self._store, self.trust, self)
        self.scripts = ScriptRuns(self._jobs, self._store, self)
        self.changes = CaptureChanges(self)
        self.comparison = Comparison(self._store, self.states, self.changes, self)
        self.watch = WatchMode(self._store, self.trust, self._jobs, self)
        self.lowering = KernelLowering(self._jobs, self._store, self._show_shown, self)
        self.timings = TimingRecorder(self._jobs.start_timing, self._jobs.stop_timing, self)
        self.measured = Measurements(self._jobs, self._store, self.timings, self.selection, self.states)
        self.editor = ExternalEditor(self.report, self)
        self.run = RunFollower(self)
        self.run_requests = RunRequests(self.run, self)
        engine.divert, self.live.in_program = self.run_requests.take, self.run_requests.holds
        self.views = GraphViews(self, self, self.measured.costs, self.causes.values)
        self._files = SessionFiles(self)
        self.ranks = Ranks(self.run, self.comparison, self._store, self._files, self.show_stage, self)
        self._recompile_soon = QTimer(self, interval=400, singleShot=True)
        self._connect()

    def _connect(self) -> None:
        followed = self.watch.changed, self.run.changed, self.run_requests.changed
        for changed in (self.engine.state_changed, self.live.doing_changed, *followed):
            changed.connect(self.status_changed)
        self.engine.output_arrived.connect(self.output_arrived)
        self.run.captured.connect(self._on_followed)
        self.file_changed.connect(self.ranks.file_changed)
        finders = self.engine, self.live, self.recovery, self.watch, self.run, self.run_requests, self.ranks
        for found in (*(finder.problem_found for finder in finders), self._jobs.failed, self._files.failed):
            found.connect(self.report)
        self._files.saved.connect(self._on_saved)
        self._files.opened.connect(self._on_opened)
        self._files.progress.connect(self.status_changed)
        self._history.changed.connect(self._on_edits_change)
        self._previews.changed.connect(self.preview_changed)
        for changed in (self._previews.changed, self._problem_list.changed):
            changed.connect(self.problems_changed)
        for captured in (self._jobs.captured, self.live.drifted):
            captured.connect(self._on_captured)
        for settled in (self.watch.problem_settled, self._jobs.settled, self.recovery.settled):
            settled.connect(self._problem_list.forget)
        for given_up in (self._jobs.interrupted, self.ranks.stages.chosen):
            given_up.connect(self._on_interrupted)
        self.ranks.stages.missing.connect(self.capture_target)
        self._jobs.recompiled.connect(self._on_recompiled)
        self._jobs.previewed.connect(self._previews.take)
        self.timings.changed.connect(self.timings_changed)
        self._recompile_soon.timeout.connect(self.recompile)

    # -- what is shown -------------------------------------------------------------------------------------------

    def show_capture(self, capture_id: CaptureId) -> None:
        """Show another capture; the stage in front and the selection carry over."""
        capture = self._store.capture(capture_id)
        if capture is not None and capture is not self._store.shown:
            self._store.shown = capture
            self._show_shown()

    @property
    def stage(self) -> Stage | None:
        """The stage in front."""
        return self._store.stage(self.capture, self._stage_id)

    def show_stage(self, stage_id: StageId) -> None:
        """Bring a stage of the capture shown to the front."""
        if stage_id != self._stage_id and self._store.stage(self.capture, stage_id) is not None:
            self._stage_id = stage_id
            with collection_paused():  # of a large stage every pane makes much, and none of it goes
                self.stage_changed.emit()

    def step_stage(self, direction: int) -> None:
        """Bring the next (1) or previous (-1) stage of the list to the front; the selection follows by its links."""
        if self.capture is None:
            return
        ids = reading_order(self.capture)
        at = ids.index(self._stage_id) + direction if self._stage_id in ids else 0
        if 0 <= at < len(ids):
            self.show_stage(ids[at])

    def stage_with_edits(self, stage_id: StageId) -> Stage:
        """The stage of the capture shown, its graph replaced by the edited one where edits are not compiled yet.
        Raises KeyError where the capture shown has no such stage.
        """
        return self._edited.stage(stage_id)

    def color_index(self, stage_id: StageId, node_id: NodeId) -> int | None:
        """Index into `Colors.links` that a source line and all made from it share."""
        return self.colors.index(stage_id, node_id)

    # -- edits ---------------------------------------------------------------------------------------------------

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The active edits, compiled or not."""
        return self._history.edits

    @property
    def undo_stack(self) -> QUndoStack:
        """For undo views; edits themselves are made by `make_edit`."""
        return self._history.stack

    @property
    def has_uncompiled_edits(self) -> bool:
        """Whether the newest capture was compiled from other edits than those active."""
        return self._edited.uncompiled

    def edited_nodes(self, stage_id: StageId) -> frozenset[NodeId]:
        """Nodes of a stage that edits name."""
        return self._edited.edited_nodes(stage_id)

    def make_edit(self, edit: Edit) -> None:
        """Make an edit, on top of the newest capture. One that does not fit becomes a problem."""
        self._entry.make(edit)

    def undo(self) -> None:
        """Take the last edit back; what was compiled before it is shown again."""
        self.states.undo()

    def redo(self) -> None:
        """Make the edit again that was taken back last; what was compiled with it is shown again."""
        self.states.redo()

    @property
    def auto_recompile(self) -> bool:
        """Whether edits are compiled by themselves, a moment after the last one."""
        return self._auto_recompile

    @auto_recompile.setter
    def auto_recompile(self, on: bool) -> None:
        self._auto_recompile = on
        self._recompile_if_automatic()
        self.edits_changed.emit()

    def recompile(self) -> None:
        """Compile the active edits and judge the result."""
        self._recompile_soon.stop()
        if self.has_uncompiled_edits:
            self._jobs.recompile(self.edits)

    # -- problems and verdicts -----------------------------------------------------------------------------------

    def report(self, problem: Problem) -> None:
        """Something went wrong outside the capture."""
        self._problem_list.add(problem)
        self.problem_reported.emit(problem)

    def clear_problems(self) -> None:
        """Forget what was reported; problems of captures and of edits stay as long as these do."""
        self._problem_list.clear()

    # -- the engine ----------------------------------------------------------------------------------------------

    def open_program(self, spec: CaptureSpec) -> None:
        """Capture a program that the person named himself, which is the consent to run it."""
        self.trust.name(spec)
        self.engine.wake()
        self.capture_target(spec)

    def capture_target(self, spec: CaptureSpec, again: bool = False) -> None:
        """Capture a program; it takes the place of what is open. `again`: it is the same, edits that fit are kept."""
        if not again:
            self.recovery.agree()
        self._jobs.capture(spec, again)
        self.status_changed.emit()

    @property
    def capturing(self) -> CaptureSpec | None:
        """What is being captured."""
        return self._jobs.capturing

    def capture_again(self) -> None:
        """Capture the program again that is open, without its edits, or the one that nothing came of."""
        if (spec := self._jobs.last_program) is not None:
            self.capture_target(spec)

    def describe_target(self, target: TargetSpec, then: TakeDescribed, without_values: bool = False) -> None:
        """Ask the engine what a target is that the person named himself; without values it is built under fake tensors."""
        self.trust.name(target)
        self.engine.wake()
        self._jobs.ask(DescribeTarget(target, without_values), TargetDescribed, then)

    def cancel(self) -> None:
        """Stop what the engine is doing, or the reading of a file."""
        self._files.stop_reading()
        self.run_requests.cancel()
        self.live.cancel()
        self._jobs.cancel()

    # -- files ---------------------------------------------------------------------------------------------------

    @property
    def file_path(self) -> Path | None:
        """The session file that is open."""
        return self._files.path

    @property
    def unsaved(self) -> bool:
        """Whether there are edits, undone edits, or changes of the program that were kept, which no file holds."""
        return not self._history.stack.isClean() or self._files.lacks_changes(self._store.root)

    def open_file(self, path: Path, once: bool = False) -> None:
        """Read a session file in the background. No code of it is run. `once`: it is removed then."""
        self.recovery.agree()
        self._files.open(path, once)

    def save_file(self, path: Path, copy: bool = False) -> None:
        """Write a session file in the background; a `copy` is not the file of what is open."""
        index = None if copy else self._history.stack.index()
        self._files.save(path, self._contents(), index, own=not self.trust.restricted)

    def _contents(self) -> SessionData:
        self._store.with_story(self.run.story)
        return self._files.data_of(self._store, self._history, self.timings.report(), self.views.looks())

    def wait_for_files(self) -> None:
        """Block until nothing is read or written, and follow what came of it."""
        self._files.wait()

    def close(self, keep_journal: bool = False) -> None:
        """End everything that runs. The journal goes, unless its edits are neither saved nor given up."""
        for going_on in (self._recompile_soon, self.watch, self.run, self.comparison):
            going_on.stop()
        self.ranks.wait()
        self._files.wait()
        self.recovery.close(keep_journal)
        for worker in (self.trials, self.front_ends, self.engine):
            worker.shut_down()

    def _show_shown(self) -> None:
        self._follow_shown(None)
        self._report_shown()

    def take_back_in_program(self) -> None:
        """Let the program that is followed run what it compiled by itself; the edits stay in the history."""
        before = self._store.head
        self.states.go_to(ROOT)
        if self._store.head is before:
            self._bring_program()

    def _show_state(self) -> None:
        self._show_shown()
        self._bring_program()

    def _bring_program(self) -> None:
        """A state that was compiled is gone to: a program that runs by itself runs it from now on."""
        if self.run_requests.editable and (head := self._store.head) is not None:
            self.live.bring_program(head, lambda problem: self.report(problem) if problem else None)

    def _follow_shown(self, moves: Succession | None) -> None:
        """`moves` where the program itself is another one, since its file was saved."""
        if (capture := self._store.shown) is None:
            return
        old, self.provenance = self.provenance, Provenance(capture.links)
        self.colors = ColorLinks(capture)
        if self._store.stage(capture, self._stage_id) is None or self.early.graphs_begin:
            first = next((stage for stage in capture.stages if stage.graph is not None), None)
            self._stage_id = first.id if first else capture.stages[0].id if capture.stages else ""
        self.passes.show(capture)
        keep = keeper(old, self.provenance, capture, moves.place if moves is not None else None)
        self.selection.set_provenance(self.provenance, keep)

    def _report_shown(self) -> None:
        reported = self.capture_changed, self.stage_changed, self.problems_changed, self.verdict_changed
        for changed in reported:
            changed.emit()

    def _start_with(self, capture: Capture, from_file: bool, moves: Succession | None = None) -> None:
        """Another root. What belongs to the old one goes first, so that whoever is told meanwhile sees one of them."""
        fresh = moves is None and not self.early.was_shown(capture.id)
        if fresh:
            self.selection.clear()
        self._recompile_soon.stop()
        for kept in (self._history, self._previews, self._problem_list):
            kept.clear()
        self.timings.show_report(None)
        for asked in (self.breaks, self.partitions, self.causes, self.operators):
            asked.forget()
        self.trials.drop()
        self._files.forget()
        self._stage_id = "" if fresh else moves.stage(self._stage_id) if moves is not None else self._stage_id
        self.live.clear()  # reports to who waits for the old one
        self._store.start(capture, from_file)
        self._follow_shown(moves)
        self.run.opened(capture)
        self.recovery.begin(capture)

    def _on_captured(self, capture: Capture, again: bool) -> None:
        moves, carried = self.changes.follow(self._store.root, capture, self.edits if again else ())
        late = () if again else self.recovery.keep_late()
        if carried.others:
            self.recovery.close(keep=True)
        self._start_with(capture, False, moves if again else None)
        self.trust.captured()
        self.live.note(capture.id)
        self._report_shown()
        self.file_changed.emit()
        for edit in carried.fitting:
            self._history.make(edit)
        for problem in (*carried.problems, *late, *self.recovery.offers()):
            self.report(problem)
        self.changes.publish(carried.fitting)
        self.watch.follow()

    def _on_followed(self, capture: Capture, other: bool) -> None:
        """What a running program reported so far."""
        if other or self._store.root is None:
            self.watch.stop()
            self.changes.clear()
            self.trust.captured()  # nothing of it can be run from here
            self._start_with(capture, from_file=not self.run_requests.editable)
            self._report_shown()
            self.file_changed.emit()
        else:
            if self.stage is not None and self.stage.graph is None and not self.selection.pinned:
                self._stage_id = ""  # nothing but a file was there to show
            self._store.renew_run(capture)
            self._show_shown()

    def _on_interrupted(self, capture: Capture) -> None:
        self._on_captured(capture, False)
        self.live.clear()  # the worker gave it up, or holds another stage by now

    def _on_opened(self, path: Path, data: SessionData, digest: str) -> None:
        self.trust.opened(digest)
        self.watch.stop()
        self.changes.clear()
        late = self.recovery.keep_late()
        self._start_with(data.captures[0], from_file=True)
        self.views.restore(data.looks)
        self._report_shown()  # before its edits come: panes hold stages of what was open
        for problem in fill_from_file(self._store, self._history, data, path.name):
            self.report(problem)
        self.timings.show_report(data.timings[-1] if data.timings else None)
        self.changes.publish()
        self._on_saved(path, self._history.stack.index(), data.captures[0])
        if self._store.shown is not data.captures[0]:
            self._show_shown()
        for problem in (*late, *self.recovery.offers()):
            self.report(problem)

    def _on_saved(self, path: Path, index: int, root: Capture) -> None:
        self._files.remember(path, root)
        if index == self._history.stack.index():
            self._history.stack.setClean()
            self.recovery.note_saved(self._files.path)
        self.file_changed.emit()

    def _on_recompiled(self, answer: Recompiled, edits: tuple[Edit, ...]) -> None:
        self.timings.keep_as_baseline()
        self._store.add(self.lowering.recompiled(answer.capture), edits, answer.verdict)
        if edits == self.edits:
            self._previews.drop()
        self._history.settle()
        self._show_shown()
        self.edits_changed.emit()

    def _on_edits_change(self) -> None:
        self.passes.leave()
        self._jobs.edits_are(self.edits)
        self._previews.expect(self.edits)
        if self.has_uncompiled_edits and self.edits:
            self._jobs.preview(self.edits)
        self.edits_changed.emit()
        self._recompile_if_automatic()

    def _recompile_if_automatic(self) -> None:
        at_once = self.lowering.is_applied_at_once(self.edits)
        if at_once:
            self.states.go_to(self.states.tree.current)  # what was lowered before is shown again
        if (at_once or self._auto_recompile) and self.has_uncompiled_edits and not self._store.from_file:
            self._recompile_soon.start()
