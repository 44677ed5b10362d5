"""Of a plan of many GPUs: what its ranks run, which of them were captured here, and going from one to another."""

from typing import NamedTuple

import msgspec
from PySide6.QtCore import QObject, Signal

from app.session.captures.capture_store import CaptureStore
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.ir.stage import SourceStage
from compiler.model.prediction.parallel_plan import PIPELINE, ParallelPlan, checked

MOST_RANKS = 4096
"""Ranks that are listed one by one; of more, those after them that were captured."""


class PlanRow(NamedTuple):
    """A stage of a pipeline, or, where there is no pipeline, a rank."""

    stage: int
    rank: int
    """The one that is shown or was captured, else the first of the stage."""
    ranks: tuple[int, ...]
    captured: bool
    shown: bool


class PlanStages(QObject):
    """Keeps the captures of one program under one plan, so that going back to a stage costs nothing."""

    wanted = Signal(int)
    """Somebody asked for this rank; edits of what is open would be lost."""
    chosen = Signal(object)
    """A capture that was made before is to be shown."""
    missing = Signal(object)
    """A CaptureSpec that is to be captured."""

    def __init__(self, store: CaptureStore, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._of: CaptureSpec | None = None
        self._held: dict[int, Capture] = {}
        self._rest: list[int] = []
        """Ranks to be captured one after the other."""

    @property
    def plan(self) -> ParallelPlan | None:
        """Of what is open."""
        root = self._store.root
        return root.spec.parallel if root is not None else None

    @property
    def stages(self) -> int:
        """Of the pipeline; 1 where there is none."""
        return self.plan.size(PIPELINE) if self.plan is not None else 1

    def rows(self) -> tuple[PlanRow, ...]:
        """Every stage, or every rank where there is one stage only."""
        plan = self.plan
        if plan is None:
            return ()
        if self.stages == 1:
            held = sorted(rank for rank in {*self._held, plan.rank} if rank >= MOST_RANKS)
            listed = (*range(min(plan.world, MOST_RANKS)), *held)
            return tuple(PlanRow(0, rank, (rank,), rank in self._held, rank == plan.rank) for rank in listed)
        of_stage: dict[int, list[int]] = {stage: [] for stage in range(self.stages)}
        for rank in range(plan.world):
            of_stage[plan.place(rank)[PIPELINE]].append(rank)
        return tuple(self._row(plan, stage, tuple(ranks)) for stage, ranks in of_stage.items())

    def _row(self, plan: ParallelPlan, stage: int, ranks: tuple[int, ...]) -> PlanRow:
        held = next((rank for rank in ranks if rank in self._held), None)
        shown = plan.stage == stage
        rank = plan.rank if shown else held if held is not None else ranks[0]
        return PlanRow(stage, rank, ranks, held is not None, shown)

    def captures(self) -> tuple[Capture, ...]:
        """Of every stage in order; empty while one is missing."""
        rows = self.rows()
        return tuple(self._held[row.rank] for row in rows) if all(row.captured for row in rows) else ()

    def follow(self) -> None:
        """Something else may be open: of the same program under the same plan what was captured stays."""
        root = self._store.root
        plan = self.plan
        if root is None or plan is None:
            self._of = None
            self._held, self._rest = {}, []
            return
        family = _of_rank(root.spec, 0)
        if family != self._of:
            self._held, self._rest = {}, []
        self._of = family
        self._held = {rank: other for rank, other in self._held.items() if _same_files(other, root)}
        self._held[plan.rank] = root
        if self._rest and self._rest[0] == plan.rank:
            self._rest.pop(0)
            self._next()

    def show(self, rank: int) -> None:
        """Show that rank's capture; one that there is not yet is made."""
        self._rest = []
        root = self._store.root
        if rank in self._held:
            self.chosen.emit(self._held[rank])
        elif root is not None:
            self.missing.emit(_of_rank(root.spec, rank))

    def capture_rest(self) -> None:
        """Capture every stage that is missing, one after the other."""
        self._rest = [row.rank for row in self.rows() if not row.captured]
        self._next()

    def _next(self) -> None:
        root = self._store.root
        if self._rest and root is not None:
            self.missing.emit(_of_rank(root.spec, self._rest[0]))


def _of_rank(spec: CaptureSpec, rank: int) -> CaptureSpec:
    if spec.parallel is None:
        return spec
    return msgspec.structs.replace(
        spec, parallel=checked(msgspec.structs.replace(spec.parallel, rank=rank, stage=0))
    )


def _same_files(one: Capture, other: Capture) -> bool:
    """Whether both were captured from the same text, as far as they have files in common."""
    texts = _texts(one)
    return all(texts.get(path, text) == text for path, text in _texts(other).items())


def _texts(capture: Capture) -> dict[str, str]:
    return {
        stage.content.file.path: stage.content.file.text
        for stage in capture.stages
        if isinstance(stage.content, SourceStage)
    }
