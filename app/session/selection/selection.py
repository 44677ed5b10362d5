"""The selection broker: the one place where the selection changes.

Pinned is what was clicked, hovered is what the mouse is over; hovering previews and never changes what is pinned.
Every pane listens to `changed` and asks `shown(stage)` which of its nodes to light up.
"""

from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, Signal

from compiler.model.ir.ids import NOWHERE, NodeId, Place, StageId, place
from compiler.model.ir.links import Provenance

_LONGEST_HISTORY = 500


class SelectionBroker(QObject):
    """Holds one place, ignores an equal one, and informs everyone who sent it so that the sender need not scroll."""

    changed = Signal(object)
    """What is pinned or hovered changed. The argument is whoever asked for it, or None."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._provenance = Provenance(())
        self._known: Callable[[Place], Place] = lambda location: location
        self._stands_for: Callable[[Place], Iterable[Place]] = lambda location: (
            place(location.stage, *location.nodes),
        )
        self._pinned = NOWHERE
        self._hovered = NOWHERE
        self._pinned_everywhere: dict[StageId, Place] = {}
        self._hovered_everywhere: dict[StageId, Place] = {}
        self._back: list[Place] = []
        self._forward: list[Place] = []

    # -- asking ------------------------------------------------------------------------------------------------

    @property
    def provenance(self) -> Provenance:
        """The links that selections are followed along."""
        return self._provenance

    @property
    def pinned(self) -> Place:
        """What was clicked; `NOWHERE` if nothing."""
        return self._pinned

    @property
    def hovered(self) -> Place:
        """What the mouse is over; `NOWHERE` if nothing."""
        return self._hovered

    def pinned_in(self, stage: StageId) -> frozenset[NodeId]:
        """The pinned selection's counterparts in a stage."""
        return frozenset(self._pinned_everywhere.get(stage, NOWHERE).nodes)

    def hovered_in(self, stage: StageId) -> frozenset[NodeId]:
        """The hovered nodes' counterparts in a stage."""
        return frozenset(self._hovered_everywhere.get(stage, NOWHERE).nodes)

    def everywhere(self) -> dict[StageId, Place]:
        """The pinned selection in every stage it reaches."""
        return dict(self._pinned_everywhere)

    @property
    def can_go_back(self) -> bool:
        """Whether there is an earlier selection."""
        return bool(self._back)

    @property
    def can_go_forward(self) -> bool:
        """Whether there is a later selection."""
        return bool(self._forward)

    # -- changing ----------------------------------------------------------------------------------------------

    def set_known(self, known: Callable[[Place], Place]) -> None:
        """From now on places are selected as far as `known` says that they are there."""
        self._known = known

    def set_stands_for(self, stands_for: Callable[[Place], Iterable[Place]]) -> None:
        """How nodes that were picked after a pass are called in stages themselves: links are between those."""
        self._stands_for = stands_for

    def select(self, location: Place, sender: object = None) -> None:
        """Pin a place, as far as it is there. An equal one is ignored."""
        location = self._as_known(location)
        if location == self._pinned:
            return
        self._back.append(self._pinned)
        del self._back[:-_LONGEST_HISTORY]
        self._forward.clear()
        self._pin(location, sender)

    def hover(self, location: Place, sender: object = None) -> None:
        """Preview a place, as far as it is there; `NOWHERE` ends the preview."""
        location = self._as_known(location)
        if location == self._hovered:
            return
        self._hovered = location
        self._hovered_everywhere = self._follow(location)
        self.changed.emit(sender)

    def clear(self, sender: object = None) -> None:
        """Select nothing."""
        self.hover(NOWHERE, sender)
        self.select(NOWHERE, sender)

    def go_back(self) -> None:
        """The selection before this one."""
        self._step(self._back, self._forward)

    def go_forward(self) -> None:
        """The selection after this one, if one went back."""
        self._step(self._forward, self._back)

    def set_provenance(self, provenance: Provenance, keep: Callable[[Place], Place]) -> None:
        """A new capture is shown: `keep` translates old places to it (`NOWHERE` where nothing is left)."""
        self._provenance = provenance
        self._back = [kept for kept in map(keep, self._of_stages(self._back)) if kept]
        self._forward = [kept for kept in map(keep, self._of_stages(self._forward)) if kept]
        self._hovered, self._hovered_everywhere = NOWHERE, {}
        self._pin(keep(self._pinned) if self._pinned.after is None else NOWHERE, None)

    @staticmethod
    def _of_stages(locations: list[Place]) -> list[Place]:
        """Without what was picked after a pass: another capture has other passes."""
        return [location for location in locations if location.after is None]

    def _as_known(self, location: Place) -> Place:
        return (
            self._known(place(location.stage, *location.nodes, after=location.after)) if location else NOWHERE
        )

    def _follow(self, location: Place) -> dict[StageId, Place]:
        if location.after is None:
            return self._provenance.follow(location)
        found: dict[StageId, Place] = {}
        for origin in self._stands_for(location):
            for stage, there in self._provenance.follow(origin).items():
                found[stage] = place(stage, *there.nodes, *found.get(stage, NOWHERE).nodes)
        return found

    def _step(self, source: list[Place], target: list[Place]) -> None:
        if source:
            target.append(self._pinned)
            self._pin(source.pop(), None)

    def _pin(self, location: Place, sender: object) -> None:
        self._pinned = location
        self._pinned_everywhere = self._follow(location)
        self.changed.emit(sender)
