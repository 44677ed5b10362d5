"""The captures that are open: the one captured or loaded, and every recompile of it."""

import msgspec

from compiler.analysis.running.later_compiles import with_later_compiles
from compiler.model.capture.capture import Capture
from compiler.model.capture.run_story import RunStory
from compiler.model.edits.edits import Edit, Editable, stages_of
from compiler.model.edits.stage_order import edits_before
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import CaptureId, StageId
from compiler.model.ir.stage import KernelStage, LoopStage, Stage, TextStage, WrapperStage
from compiler.model.timing.verdicts import Verdict


class CaptureStore:
    """Captures in the order they were made, with the edits each was compiled from.

    The first is the root: edits start from it. The head is the newest, or the one gone back to: what is not compiled yet
    comes on top of it.
    """

    def __init__(self) -> None:
        self._captures: dict[CaptureId, Capture] = {}
        self._edits: dict[CaptureId, tuple[Edit, ...]] = {}
        self._verdicts: dict[CaptureId, Verdict] = {}
        self._stages: dict[CaptureId, dict[StageId, Stage]] = {}
        self._given_ids = 0
        self._head: CaptureId = ""
        self._early: tuple[Capture, tuple[Edit, ...]] | None = None
        self._before_early: Capture | None = None
        self.shown: Capture | None = None
        self.from_file = False
        """Whether the root was read from a file, so that its program has not been run here."""

    @property
    def all(self) -> tuple[Capture, ...]:
        """Every capture, oldest first."""
        return tuple(self._captures.values())

    @property
    def root(self) -> Capture | None:
        """The capture that edits start from."""
        return next(iter(self._captures.values()), None)

    @property
    def head(self) -> Capture | None:
        """The newest capture, or the one gone back to."""
        return self._captures.get(self._head)

    def new_id(self) -> CaptureId:
        """An id that no capture has had."""
        self._given_ids += 1
        while f"capture-{self._given_ids}" in self._captures:
            self._given_ids += 1
        return f"capture-{self._given_ids}"

    def start(self, root: Capture, from_file: bool = False) -> None:
        """Forget everything; this capture is the new root."""
        self._captures.clear()
        self._edits.clear()
        self._verdicts.clear()
        self._stages.clear()
        self.from_file = from_file
        self.add(root, (), None)

    def add(self, capture: Capture, edits: tuple[Edit, ...], verdict: Verdict | None) -> None:
        """A capture was made from these edits of the root; show it."""
        self._captures[capture.id] = capture
        self._edits[capture.id] = edits
        self._stages[capture.id] = {stage.id: stage for stage in capture.stages}
        if verdict is not None:
            self._verdicts[capture.id] = verdict
        self._head = capture.id
        self.shown = capture

    def show_early(self, capture: Capture, edits: tuple[Edit, ...]) -> None:
        """Show a capture that is not finished: nothing can be edited or run of it, and it is none of the captures."""
        if self._early is None:
            self._before_early = self.shown
        self._early = capture, edits
        self._stages[capture.id] = {stage.id: stage for stage in capture.stages}
        self.shown = capture

    def drop_early(self) -> None:
        """Show again what was shown before the unfinished capture, if that is still what is shown."""
        if self._early is not None and self.shown is self._early[0]:
            self.shown = self._before_early
        self._early = self._before_early = None

    def made_from(self, edits: tuple[Edit, ...]) -> Capture | None:
        """The newest capture that was compiled from these edits of the root."""
        found = (self._captures[name] for name in reversed(self._edits) if self._edits[name] == edits)
        return next(found, None)

    def go_back_to(self, capture: Capture) -> None:
        """An earlier capture is the head again; show it."""
        self._head = capture.id
        self.shown = capture

    def capture(self, capture_id: CaptureId) -> Capture | None:
        """The capture of that id."""
        return self._captures.get(capture_id)

    def renew(self, capture: Capture) -> None:
        """More is known of a capture: it takes the place of the one with its id, if that is here."""
        if capture.id in self._captures:
            shown = self.shown is not None and self.shown is self._captures[capture.id]
            self._captures[capture.id] = capture
            self._stages[capture.id] = {stage.id: stage for stage in capture.stages}
            self.shown = capture if shown else self.shown

    def renew_run(self, root: Capture) -> None:
        """A running program compiled more: that is in what its graphs were edited to, as well."""
        self.renew(root)
        for capture in self.all:
            if capture.id != root.id:
                self.renew(with_later_compiles(capture, root, self._edits[capture.id]))

    def with_story(self, story: RunStory | None) -> None:
        """How the recorded run of the root went so far is kept with it."""
        if story is not None and (root := self.root) is not None and root.run != story:
            self.renew(msgspec.structs.replace(root, run=story))

    def stage(self, capture: Capture | None, stage_id: StageId) -> Stage | None:
        """A stage of a capture on this shelf, found without searching."""
        return None if capture is None else self._stages[capture.id].get(stage_id)

    def graph(self, capture: Capture | None, stage_id: StageId) -> Graph | None:
        """The FX graph of a stage, or None."""
        stage = self.stage(capture, stage_id)
        return stage.graph if stage else None

    def content(self, capture: Capture | None, stage_id: StageId) -> Editable | None:
        """What edits of a stage change: FX graph, loop IR, kernels, wrapper or text; None for other stages."""
        stage = self.stage(capture, stage_id)
        if stage is None:
            return None
        match stage.content:
            case LoopStage(program=program):
                return program
            case KernelStage(kernels=kernels):
                return kernels
            case WrapperStage(code=code):
                return code
            case TextStage() as text:
                return text
        return stage.graph

    def head_content(self, stage_id: StageId) -> Editable | None:
        """What edits of a stage change, as the head has it."""
        return self.content(self.head, stage_id)

    def is_compiled_from(self, edits: tuple[Edit, ...]) -> bool:
        """Whether the newest capture was compiled from these edits."""
        return self.edits_of(self.head) == edits

    def edits_of(self, capture: Capture | None) -> tuple[Edit, ...]:
        """The edits of the root that a capture was compiled from."""
        if self._early is not None and capture is self._early[0]:
            return self._early[1]
        return self._edits.get(capture.id, ()) if capture else ()

    def base_of(self, stage_id: StageId, edits: tuple[Edit, ...]) -> tuple[Editable, tuple[Edit, ...]] | None:
        """The compiled content nearest to a stage with these edits, and those of its edits that come on top of it.

        A graph that was made from edited graphs of earlier stages is right only for the same edits of those. Where
        these were never compiled, the newest capture that holds the first of the stage's own edits has to do.
        """
        wanted, earlier = edits_in(edits, stage_id), edits_before(edits, stage_id)
        spare: tuple[Editable, tuple[Edit, ...]] | None = None
        for capture in reversed(self._captures.values()):
            content, made = self.content(capture, stage_id), self._edits[capture.id]
            own = edits_in(made, stage_id)
            if content is None or wanted[: len(own)] != own:
                continue
            found = content, wanted[len(own) :]
            if edits_before(made, stage_id) == earlier:
                return found
            spare = spare or found
        return spare

    def verdict(self, capture_id: CaptureId) -> Verdict | None:
        """What was judged of a recompile."""
        return self._verdicts.get(capture_id)

    @property
    def verdicts(self) -> tuple[tuple[CaptureId, Verdict], ...]:
        """All verdicts by capture."""
        return tuple(self._verdicts.items())


def edits_in(edits: tuple[Edit, ...], stage_id: StageId) -> tuple[Edit, ...]:
    """Those of the edits that change a stage."""
    return tuple(edit for edit in edits if stage_id in stages_of(edit))
