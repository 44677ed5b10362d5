"""Many steps of a history, one after the other: what `EditTree` makes of them, in time that grows with their number.

A tree looks through all its states at each step, which is nothing for a person's click and minutes for a journal of 20,000 lines.
"""

import msgspec

from compiler.analysis.edits.history_tree import ROOT, EditState, EditTree, StateId
from compiler.model.edits.edits import Edit

_MOST_LOOKED_AT = 10_000_000
"""States gone through for jumps and for what is given up; a stranger's journal may jump between two long branches."""
_HASHED = 20
"""How many looks cost as much as to hash an edit."""


class TooManyStepsError(LookupError):
    """Going on would take too long."""


class Replay:
    """A tree being changed. Its methods do what those of `EditTree` with the same names do, in place."""

    def __init__(self, tree: EditTree) -> None:
        """Raises KeyError for a tree whose current state is not on the way to its tip."""
        self._states = {state.id: state for state in tree.states}
        self._made = tree.made
        self._on_top: dict[tuple[StateId, Edit], StateId] | None = None
        """By what an edit was made on and the edit; the oldest, where a file has more with the same. None: not asked yet."""
        self._left = _MOST_LOOKED_AT
        self._lead_to(tree.tip)
        self._place = self._places[tree.current]

    def tree(self) -> EditTree:
        """As it is now."""
        return EditTree(tuple(self._states.values()), self._way[self._place], self._way[-1], self._made)

    def with_edit(self, edit: Edit) -> None:
        """An edit on top of the current state, or the same one that is there already. Raises TooManyStepsError."""
        if self._on_top is None:
            self._look_at(_HASHED * len(self._states))
            self._on_top = {(state.parent, state.edit): state.id for state in reversed(self._states.values())}
        current = self._way[self._place]
        known = self._on_top.get((current, edit))
        if known is None:
            self._made += 1
            known = f"s{self._made}"
            self._states[known] = EditState(known, current, edit)
            self._on_top[current, edit] = known
        self._place += 1
        self._cut(self._place)
        self._way.append(known)
        self._places[known] = self._place

    def undone(self) -> None:
        """One step back."""
        self._place = max(self._place - 1, 0)

    def redone(self) -> None:
        """One step towards the tip."""
        self._place = min(self._place + 1, len(self._way) - 1)

    def at(self, state: StateId) -> None:
        """Another state is current. Raises KeyError and TooManyStepsError."""
        if state not in self._places:
            self._lead_to(state)
        self._place = self._places[state]

    def named(self, state: StateId, name: str) -> None:
        """A state with another name. Raises KeyError."""
        self._states[state] = msgspec.structs.replace(self._states[state], name=name)

    def dropped(self, state: StateId) -> None:
        """Without a state and all on top of it; who was there is at its parent. Raises KeyError and TooManyStepsError."""
        gone = {self._states[state].id}
        self._look_at(len(self._states))
        for other in self._states.values():  # parents come first
            if other.parent in gone:
                gone.add(other.id)
        for name in gone:
            del self._states[name]
        self._on_top = None
        if state in self._places:
            self._cut(self._places[state])
            self._place = min(self._place, len(self._way) - 1)

    def _lead_to(self, tip: StateId) -> None:
        """Redoing leads there."""
        way, state = [], tip
        while state != ROOT:
            way.append(state)
            state = self._states[state].parent
        self._look_at(len(way))
        self._way = [ROOT, *reversed(way)]
        self._places = {state: place for place, state in enumerate(self._way)}

    def _cut(self, place: int) -> None:
        """Redoing leads no further than before this place."""
        for gone in self._way[place:]:
            del self._places[gone]
        del self._way[place:]

    def _look_at(self, states: int) -> None:
        self._left -= states
        if self._left < 0:
            raise TooManyStepsError("too many steps")
