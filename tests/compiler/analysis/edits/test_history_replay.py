"""A replay of many steps leaves what the tree makes of each, in a time that grows with their number."""

import itertools
import time
from collections import deque

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler.analysis.edits.history_replay import Replay, TooManyStepsError
from compiler.analysis.edits.history_tree import ROOT, EditState, EditTree, is_whole
from tests.compiler.analysis.edits.test_history_tree import STEPS, edit

_TWINS = EditTree(
    (EditState("a", ROOT, edit(1)), EditState("b", ROOT, edit(1)), EditState("c", "a", edit(2))), "a", "c", 3
)
"""As no window makes it, but a file may say."""


@given(st.sampled_from((EditTree(), _TWINS)), STEPS)
def test_it_does_what_the_tree_does(tree: EditTree, steps: list[tuple[str, int]]) -> None:
    replay = Replay(tree)
    for what, number in steps:
        ids = [state.id for state in tree.states]
        chosen = ids[number % len(ids)] if ids else ROOT
        if what in ("drop", "name") and not ids:
            continue
        match what:
            case "edit":
                tree = tree.with_edit(edit(number))
                replay.with_edit(edit(number))
            case "undo":
                tree = tree.undone()
                replay.undone()
            case "redo":
                tree = tree.redone()
                replay.redone()
            case "go":
                tree = tree.at(chosen)
                replay.at(chosen)
            case "drop":
                tree = tree.dropped(chosen)
                replay.dropped(chosen)
            case _:
                tree = tree.named(chosen, f"n{number}")
                replay.named(chosen, f"n{number}")
        assert replay.tree() == tree


def test_a_state_that_is_not_there_is_refused() -> None:
    replay = Replay(EditTree().with_edit(edit(1)))
    for step in (replay.at, replay.dropped, lambda state: replay.named(state, "x")):
        with pytest.raises(KeyError):
            step("s9")
    assert replay.tree() == EditTree().with_edit(edit(1))


@pytest.mark.thorough
def test_jumping_to_and_fro_is_given_up() -> None:
    replay = Replay(EditTree())
    for number in range(2000):
        replay.with_edit(edit(number))
    replay.at(ROOT)
    for number in range(2000):
        replay.with_edit(edit(5000 + number))
    ends = itertools.islice(itertools.cycle(("s2000", "s4000")), 200_000)
    with pytest.raises(TooManyStepsError):
        deque(map(replay.at, ends), maxlen=0)


def test_a_long_journal_takes_no_square_of_time() -> None:
    """20,000 edits made and taken back; step by step on the tree it took minutes."""
    began = time.process_time()
    replay = Replay(EditTree())
    for number in range(20_000):
        replay.with_edit(edit(number))
    for _ in range(20_000):
        replay.undone()
    assert time.process_time() - began < 5
    assert replay.tree().current == ROOT


def test_a_tree_whose_next_id_is_taken_is_not_whole() -> None:
    """The state made next would be its own parent, and its path have no end."""
    assert not is_whole(EditTree((EditState("s2", ROOT, edit(1)),), "s2", "s2", 1))
    assert not is_whole(EditTree((EditState("s" + "9" * 5000, ROOT, edit(1)),), ROOT, ROOT, 1))
    assert is_whole(EditTree((EditState("s1", ROOT, edit(1)),), "s1", "s1", 1))
    assert is_whole(_TWINS)
