"""Edits as a tree of states: what is tried after going back begins another branch, and nothing made is lost."""

from typing import TypeAlias

import msgspec

from compiler.model.edits.edits import Edit

StateId: TypeAlias = str
ROOT: StateId = ""
"""The program as captured."""
_LONGEST_ID = 12


class EditState(msgspec.Struct, frozen=True):
    """One more edit on top of another state."""

    id: StateId
    parent: StateId
    edit: Edit
    name: str = ""
    """What the person calls it."""


class EditTree(msgspec.Struct, frozen=True):
    """Every state, and where the person is. Invariant: a parent stands before its children."""

    states: tuple[EditState, ...] = ()
    current: StateId = ROOT
    tip: StateId = ROOT
    """Where redoing leads; the current state is on the way there."""
    made: int = 0
    """How many states there ever were, so that no id is given twice."""

    def state(self, state_id: StateId) -> EditState:
        """The state of that id. Raises KeyError."""
        for state in self.states:
            if state.id == state_id:
                return state
        raise KeyError(state_id)

    def children(self, state_id: StateId) -> tuple[EditState, ...]:
        """The states made right on top of one, oldest first."""
        return tuple(state for state in self.states if state.parent == state_id)

    def path(self, state_id: StateId) -> tuple[EditState, ...]:
        """The states from the program as captured to one, itself included. Raises KeyError."""
        by_id = {state.id: state for state in self.states}
        found = []
        while state_id != ROOT:
            found.append(by_id[state_id])
            state_id = found[-1].parent
        return tuple(reversed(found))

    def edits(self, state_id: StateId) -> tuple[Edit, ...]:
        """The edits that lead to a state. Raises KeyError."""
        return tuple(state.edit for state in self.path(state_id))

    def with_edit(self, edit: Edit) -> "EditTree":
        """An edit on top of the current state, which becomes current: the state that is there already, if the same edit
        was made there before.
        """
        known = next((state for state in self.children(self.current) if state.edit == edit), None)
        if known is not None:
            return msgspec.structs.replace(self, current=known.id, tip=known.id)
        fresh = EditState(f"s{self.made + 1}", self.current, edit)
        return EditTree((*self.states, fresh), fresh.id, fresh.id, self.made + 1)

    def at(self, state_id: StateId) -> "EditTree":
        """Another state is current; redoing leads where it led, if that is behind it. Raises KeyError."""
        self.path(state_id)
        on_the_way = state_id == ROOT or any(state.id == state_id for state in self.path(self.tip))
        return msgspec.structs.replace(self, current=state_id, tip=self.tip if on_the_way else state_id)

    def undone(self) -> "EditTree":
        """One step back."""
        return self if self.current == ROOT else self.at(self.state(self.current).parent)

    def redone(self) -> "EditTree":
        """One step towards the tip."""
        ahead = self.path(self.tip)[len(self.path(self.current)) :]
        return self.at(ahead[0].id) if ahead else self

    def named(self, state_id: StateId, name: str) -> "EditTree":
        """A state with another name. Raises KeyError."""
        self.state(state_id)
        return msgspec.structs.replace(
            self,
            states=tuple(
                msgspec.structs.replace(state, name=name) if state.id == state_id else state
                for state in self.states
            ),
        )

    def dropped(self, state_id: StateId) -> "EditTree":
        """Without a state and all that is on top of it; who was there is at its parent. Raises KeyError."""
        parent = self.state(state_id).parent
        gone = {state_id}
        for state in self.states:
            if state.parent in gone:
                gone.add(state.id)
        left = tuple(state for state in self.states if state.id not in gone)
        current = parent if self.current in gone else self.current
        tip = current if self.tip in gone else self.tip
        if self.tip in gone and self.current not in gone:
            # redoing led into what is gone: it leads as far as before that, which is behind the current state or is it
            ahead = [state.id for state in self.path(self.tip) if state.id not in gone]
            tip = ahead[-1] if ahead else ROOT
        return EditTree(left, current, tip, self.made)


def line_of_edits(edits: tuple[Edit, ...], undone: int = 0) -> EditTree:
    """A tree without branches, the last edits undone."""
    states = tuple(
        EditState(f"s{number}", f"s{number - 1}" if number > 1 else ROOT, edit)
        for number, edit in enumerate(edits, 1)
    )
    back = max(len(states) - undone, 0)
    return EditTree(
        states, states[back - 1].id if back else ROOT, states[-1].id if states else ROOT, len(states)
    )


def is_whole(tree: EditTree) -> bool:
    """Whether a tree from a file can be used: parents before children, ids once, places known."""
    known = {ROOT}
    for state in tree.states:
        if state.id in known or state.parent not in known or not state.id:
            return False
        number = state.id.removeprefix("s")
        if number.isdecimal() and (len(number) > _LONGEST_ID or int(number) > tree.made):
            return False  # the next edits would be given it once more
        known.add(state.id)
    if tree.current not in known or tree.tip not in known or tree.made < len(tree.states):
        return False
    return tree.current == ROOT or any(state.id == tree.current for state in tree.path(tree.tip))
