"""What can be compared: any stage, after any of its passes, of any capture, of any state of the edits, of any file."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from app.session.captures.capture_changes import CaptureChanges
from app.session.captures.capture_store import CaptureStore, edits_in
from app.session.edit_history.edit_states import EditStates
from app.translation.edit_texts import edit_title
from app.translation.texts import tr
from compiler.analysis.diff.recorded_node_map import linked_pairs, pass_pairs
from compiler.analysis.edits.history_tree import ROOT
from compiler.analysis.session_file.session_file import SessionData
from compiler.model.capture.capture import Capture
from compiler.model.edits.edits import Edit, EditError, apply_edits
from compiler.model.edits.stage_order import edits_before
from compiler.model.ir.ids import CaptureId, NodeId, StageId
from compiler.model.ir.stage import FxStage, JointStage, Stage, StageKind
from compiler.model.passes.pass_replay import Replay, replay_of

_BEFORE, _STATE, _FILE, _RANK = "before:", "state:", "file:", "rank:"

_GRAPHS = (
    StageKind.DYNAMO_GRAPH,
    StageKind.GRAPH_PART,
    StageKind.PRE_GRAD_GRAPH,
    StageKind.JOINT_GRAPH,
    StageKind.AOT_GRAPH,
    StageKind.POST_GRAD_GRAPH,
    StageKind.BODY,
    StageKind.FRONT_END_GRAPH,
)


@dataclass(frozen=True)
class Side:
    """One of two things compared."""

    source: str
    """Id of a `Source`."""
    stage: StageId
    position: int | None = None
    """After so many of the stage's passes; None for the stage itself."""


@dataclass(frozen=True)
class Source:
    """A capture, or a state of its edits that is not compiled."""

    id: str
    title: str
    capture: Capture
    edits: tuple[Edit, ...] = ()
    """Edits of the root that it was made from, or is to be made from."""
    compiled: bool = True

    @property
    def is_ours(self) -> bool:
        """Whether it belongs to the captures that are open, whose nodes have names in common."""
        return not self.id.startswith((_BEFORE, _FILE, _RANK))


class ComparedSides:
    """Knows all sources there are and finds the stage that a side means."""

    def __init__(self, store: CaptureStore, states: EditStates, changes: CaptureChanges) -> None:
        self._store = store
        self._states = states
        self._changes = changes
        self._files: dict[Path, SessionData] = {}
        self.ranks: tuple[Source, ...] = ()
        """Other ranks of the program that is open, under ids of their own."""
        self.rank_shown = ""

    def add_file(self, path: Path, data: SessionData) -> str:
        """Another session file may be compared with. Gives the id of its last capture."""
        self._files[path] = data
        return f"{_FILE}{path}:{len(data.captures) - 1}"

    def sources(self) -> tuple[Source, ...]:
        """Everything that a side may be of: what is open, states not compiled, the capture before, other files."""
        tree, made = self._states.tree, self._states.captures()
        titles = {capture.id: self._state_title(state) for state, capture in made.items()}
        found = [
            Source(capture.id, titles.get(capture.id, capture.id), capture, self._store.edits_of(capture))
            for capture in self._store.all
        ]
        root = self._store.root
        if root is not None:
            found += [
                Source(
                    f"{_STATE}{state.id}",
                    tr("{state_title} (not compiled)").format(state_title=self._state_title(state.id)),
                    root,
                    tree.edits(state.id),
                    compiled=False,
                )
                for state in tree.states
                if state.id not in made
            ]
        if self._changes.before is not None:
            found.append(Source(_BEFORE, tr("The capture before"), self._changes.before))
        found += self.ranks
        for path, data in self._files.items():
            for number, capture in enumerate(data.captures):
                which = (
                    tr(" ({value} of {count})").format(value=number + 1, count=len(data.captures))
                    if len(data.captures) > 1
                    else ""
                )
                found.append(Source(f"{_FILE}{path}:{number}", f"{path.name}{which}", capture))
        return tuple(found)

    def source(self, source_id: str) -> Source | None:
        """The source of that id, if there still is one."""
        return next((source for source in self.sources() if source.id == source_id), None)

    def source_of_state(self, state: str) -> str:
        """The id of the source for a state of the edits."""
        made = self._states.capture_of(state)
        return made.id if made is not None else f"{_STATE}{state}"

    def source_before(self) -> str:
        """The id of the source for the capture before."""
        return _BEFORE

    def replay(self, side: Side) -> Replay | None:
        """The passes of a side's stage."""
        source = self.source(side.source)
        return replay_of(source.capture, side.stage) if source is not None and source.compiled else None

    def stage(self, side: Side) -> Stage | None:
        """The stage that a side means, None where there is none (any more)."""
        source = self.source(side.source)
        if source is None:
            return None
        if not source.compiled:
            return self._edited(source, side.stage)
        if side.position is not None:
            replay = replay_of(source.capture, side.stage)
            return replay.stage_at(side.position) if replay is not None else None
        return next((stage for stage in source.capture.stages if stage.id == side.stage), None)

    def names_stay(self, before: Side, after: Side) -> bool:
        """Whether one was made from the other in place, by passes or by edits, so that equal names are the same node."""
        old, new = self.source(before.source), self.source(after.source)
        if old is None or new is None or before.stage != after.stage:
            return False
        if old.edits == new.edits:  # two captures of the same are two runs, which may number nodes otherwise
            return old.capture is new.capture
        return (
            old.is_ours
            and new.is_ours
            and edits_before(old.edits, before.stage) == edits_before(new.edits, after.stage)
        )

    def recorded(self, before: Side, after: Side) -> Callable[[], Mapping[NodeId, NodeId]]:
        """Asks which node became which, by the links of a capture or by its passes. For any thread."""
        source = self.source(before.source)
        if source is None or not source.compiled or before.source != after.source:
            return dict
        if before.stage != after.stage:
            return lambda: linked_pairs(source.capture, before.stage, after.stage)
        replay = replay_of(source.capture, before.stage)
        if replay is None:
            return dict
        first, last = (
            len(replay.steps) if side.position is None else side.position for side in (before, after)
        )
        return lambda: pass_pairs(replay, first, last)

    def shown_capture(self, side: Side) -> CaptureId:
        """The capture whose nodes a side's nodes are, for selecting them; empty where they are nobody's here."""
        source = self.source(side.source)
        return source.capture.id if source is not None and source.compiled and source.is_ours else ""

    def dynamo(self, side: Side) -> Stage | None:
        """The Dynamo graph of the compile that a side's stage belongs to; None for that graph itself."""
        source, stage = self.source(side.source), self.stage(side)
        if (
            source is None
            or stage is None
            or stage.kind in (StageKind.DYNAMO_GRAPH, StageKind.GRAPH_PART, StageKind.PRE_GRAD_GRAPH)
        ):
            return None
        kinds = (StageKind.DYNAMO_GRAPH, StageKind.GRAPH_PART)
        found = [other for kind in kinds for other in source.capture.of_kind(kind)]
        return next((other for other in found if other.compile_id == stage.compile_id), None)

    def like(self, side: Side, source_id: str) -> Side:
        """The same stage of another source, or the nearest to it that this has."""
        source = self.source(source_id)
        if source is None:
            return side
        stages = source.capture.stages
        if any(stage.id == side.stage for stage in stages):
            return replace(side, source=source_id, position=None)
        wanted = self.stage(side)
        alike = [
            stage
            for stage in stages
            if wanted is not None and (stage.kind, stage.part) == (wanted.kind, wanted.part)
        ]
        graphs = [stage for stage in stages if stage.kind in _GRAPHS]
        chosen = next(iter(alike or graphs or stages), None)
        return Side(source_id, chosen.id if chosen is not None else "")

    def _edited(self, source: Source, stage_id: StageId) -> Stage | None:
        """A stage of a state that was not compiled: what can be known without compiling."""
        base = self._store.base_of(stage_id, source.edits)
        stage = self._store.stage(self._store.root, stage_id)
        if stage is None or base is None or not isinstance(stage.content, FxStage | JointStage):
            return stage if not edits_in(source.edits, stage_id) else None
        graph, left = base
        try:
            edited = apply_edits(graph, left, stage_id)  # type: ignore[arg-type]  # the content of such a stage is a graph
        except EditError:
            return None
        return msgspec.structs.replace(stage, content=msgspec.structs.replace(stage.content, graph=edited))

    def _state_title(self, state: str) -> str:
        if state == ROOT:
            return (
                tr("Rank {rank_shown}, as captured").format(rank_shown=self.rank_shown)
                if self.rank_shown
                else tr("As captured")
            )
        known = self._states.tree.state(state)
        return known.name or edit_title(known.edit)
