"""Which pass of which stage is looked at: a position between the first graph of a stage and the stage itself."""

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal

from app.session.selection.selection import SelectionBroker
from compiler.analysis.passes.events import HistoryEvent
from compiler.analysis.passes.node_history import NodeHistories
from compiler.model.capture.capture import Capture
from compiler.model.ir.ids import NOWHERE, NodeId, Place, StageId, place
from compiler.model.ir.stage import Stage
from compiler.model.passes.pass_replay import Replay, ReplayStep


class PassScrubber(QObject):
    """Steps through the passes of a stage. The selection follows: what was replaced, to what took its place."""

    changed = Signal()
    """Another position, another capture, or whether passes that changed nothing count."""
    history_asked = Signal()
    """Somebody wants to read the history of what is selected."""

    def __init__(self, selection: SelectionBroker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._selection = selection
        selection.set_stands_for(self._stands_for)
        self._histories: NodeHistories | None = None
        self._positions: dict[StageId, int] = {}
        self._every = False
        self.carried: tuple[tuple[NodeId, ...], tuple[NodeId, ...]] = ((), ())
        """What was selected before the last step, and the same after it."""

    def show(self, capture: Capture) -> None:
        """Another capture is shown; every stage is looked at as it is."""
        self._settle()
        self._histories = NodeHistories(capture)
        self._positions.clear()
        self.carried = (), ()
        self.changed.emit()

    def leave(self) -> None:
        """Look at every stage as it is."""
        self._settle()
        if self._positions:
            self._positions.clear()
            self.carried = (), ()
            self.changed.emit()

    # -- asking ------------------------------------------------------------------------------------------------

    @property
    def every(self) -> bool:
        """Whether passes that changed nothing count as steps."""
        return self._every

    @every.setter
    def every(self, on: bool) -> None:
        self._every = on
        self.carried = (), ()
        self.changed.emit()

    def replay(self, stage: StageId) -> Replay | None:
        """The passes of a stage, or None."""
        return self._histories.replay(stage) if self._histories is not None else None

    def position(self, stage: StageId) -> int | None:
        """After how many passes a stage is looked at; None for the stage itself."""
        return self._positions.get(stage)

    def step_shown(self, stage: StageId) -> ReplayStep | None:
        """The pass whose result is looked at; None before the first one and at the stage itself."""
        replay, position = self.replay(stage), self.position(stage)
        return replay.steps[position - 1] if replay is not None and position else None

    def stage(self, stage: StageId) -> Stage | None:
        """The stage after the pass that is looked at, or None for the stage itself."""
        replay, position = self.replay(stage), self.position(stage)
        return replay.stage_at(position) if replay is not None and position is not None else None

    def stops(self, stage: StageId) -> list[int | None]:
        """Positions that stepping stops at, from the first graph to the stage itself."""
        replay = self.replay(stage)
        if replay is None:
            return [None]
        counted = [
            number for number, step in enumerate(replay.steps, 1) if self._every or step.changed_anything
        ]
        return [0, *counted, None]

    def now(self, stage: StageId, nodes: Iterable[NodeId]) -> frozenset[NodeId]:
        """Nodes of a stage as they are called at the position that is looked at."""
        return frozenset(self.in_view(place(stage, *nodes)).nodes)

    def ends_as(self, stage: StageId) -> dict[NodeId, tuple[NodeId, ...]]:
        """What nodes at the position that is looked at are in the stage itself, for those that are gone there."""
        replay, position = self.replay(stage), self.position(stage)
        return replay.ends_as(position) if replay is not None and position is not None else {}

    def pinned_in(self, stage: StageId) -> frozenset[NodeId]:
        """The selection's counterparts in a stage at the position that is looked at."""
        return self._seen(stage, self._selection.pinned, self._selection.pinned_in(stage))

    def hovered_in(self, stage: StageId) -> frozenset[NodeId]:
        """The hovered nodes' counterparts in a stage at the position that is looked at."""
        return self._seen(stage, self._selection.hovered, self._selection.hovered_in(stage))

    def _seen(self, stage: StageId, chosen: Place, counterparts: frozenset[NodeId]) -> frozenset[NodeId]:
        """Nodes of a stage at the position that is looked at: those chosen there, else the counterparts of what was chosen."""
        return (
            frozenset(self.in_view(chosen).nodes) if chosen.stage == stage else self.now(stage, counterparts)
        )

    def in_view(self, location: Place) -> Place:
        """The place at the position that its stage is looked at."""
        return self._moved(location, self.position(location.stage))

    def at(self, stage: StageId, *nodes: NodeId) -> Place:
        """The place of nodes as they are called at the position that is looked at."""
        return place(stage, *nodes, after=self.position(stage))

    def history(self, location: Place) -> tuple[HistoryEvent, ...]:
        """The history of nodes, wherever in the passes of their stage they were picked."""
        if self._histories is None:
            return ()
        return self._histories.history(location)

    def removed_by(self, stage: StageId, node: NodeId) -> str:
        """The pass that took a node out of a stage, or nothing."""
        replay = self.replay(stage)
        return next((step.name for step in replay.steps if node in step.removed), "") if replay else ""

    # -- changing ----------------------------------------------------------------------------------------------

    def step(self, stage: StageId, direction: int) -> None:
        """One stop onwards (1) or back (-1)."""
        stops, position = self.stops(stage), self.position(stage)
        last = len(stops) - 1
        places = [len(self._steps(stage)) + 1 if stop is None else stop for stop in stops]
        here = len(self._steps(stage)) + 1 if position is None else position
        if direction > 0:
            index = next((number for number, location in enumerate(places) if location > here), last)
        else:
            index = next((number for number in range(last, -1, -1) if places[number] < here), 0)
        self.go_to(stage, stops[index])

    def go_to(self, stage: StageId, position: int | None) -> None:
        """Look at a stage after so many passes; None for the stage itself."""
        before = self.position(stage)
        replay = self.replay(stage)
        if replay is None or position == before:
            return
        end = len(replay.steps)
        start, goal = end if before is None else before, end if position is None else position
        shown = tuple(self.pinned_in(stage))
        moved = replay.went_to(shown, start, goal) or shown
        self.carried = shown, moved
        if position is None:
            del self._positions[stage]
        else:
            self._positions[stage] = position
        if self._selection.pinned.stage == stage and set(moved) != set(shown):
            self._selection.hover(NOWHERE, self)
            self._selection.select(place(stage, *moved, after=position), self)
        self.changed.emit()

    def ask_history(self) -> None:
        """Let whoever shows histories show that of the selection."""
        self.history_asked.emit()

    def _moved(self, location: Place, position: int | None) -> Place:
        """What the nodes of a place are at another position of their stage; nothing for those that are gone there."""
        replay = self.replay(location.stage)
        if replay is None or location.after == position:
            return place(
                location.stage, *location.nodes, after=location.after if replay is None else position
            )
        end = len(replay.steps)
        start, goal = (end if number is None else number for number in (location.after, position))
        return place(location.stage, *replay.went_to(location.nodes, start, goal), after=position)

    def _stands_for(self, location: Place) -> tuple[Place, ...]:
        return self._histories.stands_for(location) if self._histories is not None else ()

    def _settle(self) -> None:
        """Nothing stays picked after a pass when stages are looked at as they are."""
        if self._selection.hovered.after is not None:
            self._selection.hover(NOWHERE, self)
        if self._selection.pinned.after is not None:
            self._selection.select(self._moved(self._selection.pinned, None), self)

    def _steps(self, stage: StageId) -> tuple[ReplayStep, ...]:
        replay = self.replay(stage)
        return replay.steps if replay is not None else ()
