"""Two sides chosen to be compared, and what came of it. The work is done off the window's thread; the newest counts."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.concurrency.file_worker import BackgroundWork
from app.concurrency.newest_work import NewestWork
from app.session.captures.capture_changes import CaptureChanges
from app.session.captures.capture_store import CaptureStore
from app.session.comparison.compare_job import (
    CancelToken,
    Compared,
    ComparingCancelledError,
    ComparisonRequest,
    compare,
)
from app.session.comparison.sides import ComparedSides, Side
from app.session.edit_history.edit_states import EditStates
from app.translation.texts import tr
from compiler.analysis.session_file.session_file import SessionData, SessionFileError, read_session
from compiler.model.ir.ids import StageId
from compiler.model.ir.stage import StageKind


class Comparison(QObject):
    """Panes ask for two sides by `show`; the compare pane follows `changed`."""

    changed = Signal()
    """Other sides, or what came of comparing them: `sides`, `result`, `busy`, `fault`."""
    slow = Signal()
    """The comparison takes long enough to say so."""
    wanted = Signal()
    """Somebody asked to see a comparison."""

    def __init__(
        self, store: CaptureStore, states: EditStates, changes: CaptureChanges, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._store = store
        self.choices = ComparedSides(store, states, changes)
        self.sides: tuple[Side, Side] | None = None
        self.result: Compared | None = None
        self.fault = ""
        """Why there is no result, in words."""
        self._cancel_token: CancelToken | None = None
        self._files = BackgroundWork(self)
        self._work = NewestWork(ComparingCancelledError, self)
        self._work.slow.connect(self.slow)
        self._work.done.connect(self._on_done)

    @property
    def busy(self) -> bool:
        """Whether the newest comparison is not done."""
        return self._work.busy

    @property
    def step(self) -> str:
        """What the newest comparison is at, in words."""
        return self._cancel_token.step if self._cancel_token is not None and self.busy else ""

    def give_up(self) -> None:
        """Stop comparing."""
        if self.busy:
            self._give_up(tr("Stopped."))

    # -- asking ------------------------------------------------------------------------------------------------

    def show(self, before: Side, after: Side) -> None:
        """Compare these and let the person see it."""
        self.choose(before, after)
        self.wanted.emit()

    def show_stage(self, stage: StageId) -> None:
        """Compare a stage of the capture shown with what a person most likely means: the same before it was edited, in the
        capture before, or the stage that it was made from.
        """
        if self.choose_likely(stage):
            self.wanted.emit()

    def choose_likely(self, stage: StageId) -> bool:
        """The same without asking anybody to look; False where nothing is captured."""
        shown = self._store.shown
        if shown is None:
            return False
        after = Side(shown.id, stage)
        before = self._likely(after)
        if before.source == after.source and self._is_graph(after) and not self._is_graph(before):
            # a graph beside the bytecode that it was traced from shows nothing: what was made of it does
            made = (one.id for one in shown.stages if stage in one.made_from and one.graph is not None)
            if follower := next(made, ""):
                before, after = after, Side(shown.id, follower)
        self.choose(before, after)
        return True

    def show_passes(self, stage: StageId, position: int | None) -> None:
        """Compare a stage of the capture shown after a pass with it before that pass; without one, what all passes did."""
        shown = self._store.shown
        if shown is None:
            return
        after = position or None  # 0 is before the first pass
        before = 0 if after is None else after - 1
        self.show(Side(shown.id, stage, before), Side(shown.id, stage, after))

    def show_states(self, before: str, after: str, stage: StageId) -> None:
        """Compare a stage as it is in two states of the edits."""
        self.show(
            Side(self.choices.source_of_state(before), stage),
            Side(self.choices.source_of_state(after), stage),
        )

    def show_compiles(self, before: str, after: str) -> None:
        """Compare the Dynamo graphs of two compiles of the capture shown, by their compile ids."""
        shown = self._store.shown
        graphs = shown.of_kind(StageKind.DYNAMO_GRAPH) if shown is not None else ()
        of_compile = {stage.compile_id: stage.id for stage in graphs}
        if shown is not None and before in of_compile and after in of_compile:
            self.show(Side(shown.id, of_compile[before]), Side(shown.id, of_compile[after]))

    def show_before(self, stage: StageId) -> None:
        """Compare a stage of the capture shown with its counterpart in the capture before."""
        shown = self._store.shown
        if shown is not None:
            after = Side(shown.id, stage)
            self.show(self.choices.like(after, self.choices.source_before()), after)

    def choose(self, before: Side, after: Side) -> None:
        """Compare these; what was being compared is given up."""
        self.sides = before, after
        self._begin()

    def refresh(self) -> None:
        """Compare again where a side is another one by now (recompiled, edited, closed)."""
        if self.sides is not None:
            self._begin()

    def open_file(self, path: Path, is_before: bool) -> None:
        """Read another session file in the background; it takes one of the sides. No code of it is run."""

        def on_read(data: SessionData) -> None:
            if not data.captures:
                self._give_up(tr("{path} holds no capture.").format(path=path))
                return
            source = self.choices.add_file(path, data)
            if self.sides is None:
                return
            before, after = self.sides
            other = self.choices.like(before if is_before else after, source)
            self.choose(*((other, after) if is_before else (before, other)))

        def on_error(error: Exception) -> None:
            self._give_up(tr("{path} cannot be read: {error}").format(path=path, error=error))

        self._files.run(lambda: read_session(path), on_read, on_error, (OSError, SessionFileError))

    def stop(self) -> None:
        """Give up, and wait for the threads; for when the session ends."""
        self._work.cancel()
        self._files.wait()
        self._work.wait()

    # -- doing -------------------------------------------------------------------------------------------------

    def _likely(self, after: Side) -> Side:
        sources = [source.id for source in self.choices.sources()]
        root = self._store.root
        if root is not None and after.source != root.id and self._has(root.id, after.stage):
            return Side(root.id, after.stage)
        if self.choices.source_before() in sources:
            return self.choices.like(after, self.choices.source_before())
        stage = self.choices.stage(after)
        made_from = next(iter(stage.made_from), "") if stage is not None else ""
        if stage is not None and stage.graph is not None and self.choices.replay(after) is not None:
            return Side(after.source, after.stage, 0)
        return Side(after.source, made_from or after.stage)

    def _is_graph(self, side: Side) -> bool:
        stage = self.choices.stage(side)
        return stage is not None and stage.graph is not None

    def _has(self, source: str, stage: StageId) -> bool:
        return self.choices.stage(Side(source, stage)) is not None

    def _begin(self) -> None:
        self._work.cancel()
        if self.sides is None:
            return
        before, after = self.sides
        old, new = self.choices.stage(before), self.choices.stage(after)
        if old is None or new is None:
            which = tr("The first") if old is None else tr("The second")
            self._give_up(
                tr("{which} is not there: choose another stage, or recompile to have it.").format(which=which)
            )
            return
        one, other = self.choices.source(before.source), self.choices.source(after.source)
        captures = None
        if one is not None and other is not None and one.capture is not other.capture:
            captures = one.capture, other.capture
        dynamo = self.choices.dynamo(before), self.choices.dynamo(after)
        request = ComparisonRequest(
            old,
            new,
            self.choices.names_stay(before, after),
            dynamo,
            captures,
            self.choices.recorded(before, after),
        )
        self.fault = ""
        cancel_token = self._cancel_token = CancelToken()
        self._work.start(partial(compare, request, cancel_token), cancel_token.cancel)

    def _give_up(self, why: str) -> None:
        self._work.cancel()
        self.result, self.fault = None, why
        self.changed.emit()

    def _on_done(self, result: object) -> None:
        self.result = result if isinstance(result, Compared) else None
        self.fault = "" if self.result is not None else tr("These could not be compared; the log says why.")
        self.changed.emit()
