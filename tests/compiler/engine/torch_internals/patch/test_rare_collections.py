"""Full cycle collections come with memory, and nothing of it is left behind."""

import gc
import sys
import weakref
from collections.abc import Iterator

import pytest

from compiler.engine.torch_internals.patch import rare_collections as rare
from compiler.engine.torch_internals.patch.rare_collections import rare_collections
from tests.helpers.full_collections import full_collections

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(
        sys.platform != "linux" or sys.version_info >= (3, 14), reason="Python collects as it does"
    ),
]


class Cycle:
    def __init__(self) -> None:
        self.own = self


@pytest.fixture
def full() -> Iterator[list[int]]:
    """A number for each full collection."""
    with full_collections() as seen:
        yield seen


def make(count: int = 1_500_000) -> list[list[int]]:
    """Objects that stay, which Python looks through in full some times."""
    return [[] for _ in range(count)]


@pytest.mark.thorough
def test_objects_that_stay_are_not_looked_through_again_and_again(full: list[int]) -> None:
    kept = make()
    usual = len(full)
    full.clear()
    with rare_collections():
        kept += make()
        assert full == []
    assert usual > 0
    assert len(kept) == 3_000_000


def test_what_is_young_is_collected_still() -> None:
    with rare_collections():
        gone = weakref.ref(Cycle())
        kept = make(300_000)
    assert gone() is None
    assert kept


@pytest.mark.thorough
def test_memory_that_grows_has_all_looked_through_once(
    full: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    held = [1 << 30]
    monkeypatch.setattr(rare, "resident_bytes", lambda: held[0])
    monkeypatch.setattr(rare, "free_memory", lambda: 64 << 30)
    with rare_collections():
        old = weakref.ref(Cycle())
        kept = make()
        assert full == []
        held[0] += rare._MOST_GROWTH + 1
        kept += make()
        assert len(full) == 1
        kept += make()
        assert len(full) == 1, "memory did not grow again"
    assert old() is None
    assert kept


def test_a_machine_with_little_left_collects_earlier(
    full: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    held = [1 << 30]
    monkeypatch.setattr(rare, "resident_bytes", lambda: held[0])
    monkeypatch.setattr(rare, "free_memory", lambda: 400 << 20)
    with rare_collections():
        held[0] += 101 << 20
        kept = make()
    assert len(full) == 1
    assert kept


def test_thresholds_are_put_back_also_from_inside_another() -> None:
    before = gc.get_threshold()
    with rare_collections():
        inside = gc.get_threshold()
        with rare_collections():
            assert gc.get_threshold() == inside
        assert gc.get_threshold() == inside
    assert gc.get_threshold() == before
    assert inside != before
    assert rare._rarely._watch not in gc.callbacks


@pytest.mark.thorough
def test_what_a_program_chooses_stays(full: list[int]) -> None:
    before = gc.get_threshold()
    try:
        with rare_collections():
            gc.set_threshold(500, 5, 5)
            kept = make()
        assert gc.get_threshold() == (500, 5, 5)
        assert full
        assert kept
    finally:
        gc.set_threshold(*before)


def test_a_collector_that_is_off_stays_off(full: list[int]) -> None:
    gc.disable()
    try:
        with rare_collections():
            kept = make()
            assert not gc.isenabled()
        assert not gc.isenabled()
        assert full == []
        assert kept
    finally:
        gc.enable()
