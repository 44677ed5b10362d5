"""A session that is killed in the middle of editing loses nothing: the journal always opens and holds every edit that was
made, and the next session goes on from there. `tests.endurance` does the same for hours.
"""

from pathlib import Path

import pytest

from tests.helpers.kill_rounds import LostEditError, kill_again_and_again


@pytest.mark.thorough
def test_killed_while_editing(tmp_path: Path) -> None:
    assert kill_again_and_again(tmp_path, rounds=4, steps=150) > 20


@pytest.mark.thorough
@pytest.mark.parametrize("surroundings", ["full", "jumping"])
def test_killed_while_the_disk_is_full_or_the_clock_jumps(tmp_path: Path, surroundings: str) -> None:
    assert kill_again_and_again(tmp_path, rounds=4, steps=150, surroundings=surroundings) > 20


@pytest.mark.thorough
def test_an_edit_that_is_lost_without_a_word_is_found(tmp_path: Path) -> None:
    with pytest.raises(LostEditError, match="in no journal"):
        kill_again_and_again(tmp_path, rounds=6, steps=150, surroundings="silent")
