"""Members unpacked ahead: each once, in order, not more than may wait, and the thread ends with whoever reads."""

import threading
import time

import pytest

from compiler.analysis.session_file import read_ahead
from compiler.analysis.session_file.read_ahead import ReadAhead

NAMES = [f"{number}.json" for number in range(20)]


def threads() -> int:
    return threading.active_count()


def test_what_is_asked_for_in_order_comes() -> None:
    before = threads()
    with ReadAhead(lambda name: name.encode(), NAMES) as ahead:
        assert [ahead.take(name) for name in NAMES] == [name.encode() for name in NAMES]
        assert ahead.take("other.json") is None
        assert ahead.take(NAMES[0]) is None  # once
    assert threads() == before


def test_what_cannot_be_unpacked_ahead_is_left_to_who_asks() -> None:
    with ReadAhead(lambda name: None if name == NAMES[3] else b"x", NAMES) as ahead:
        assert [ahead.take(name) for name in NAMES].index(None) == 3


def test_no_more_waits_than_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_ahead, "_MOST_AHEAD", 10)
    made: list[str] = []

    def unpack(name: str) -> bytes:
        made.append(name)
        return bytes(4)

    with ReadAhead(unpack, NAMES) as ahead:
        time.sleep(0.05)
        assert len(made) == 3
        for name in NAMES[:2]:
            assert ahead.take(name) == bytes(4)
        time.sleep(0.05)
        assert len(made) == 5
        assert [ahead.take(name) for name in NAMES[2:]] == [bytes(4)] * 18


def test_who_stops_early_waits_for_no_more() -> None:
    before, made = threads(), []

    def unpack(name: str) -> bytes:
        made.append(name)
        return bytes(read_ahead._MOST_AHEAD + 1)

    with ReadAhead(unpack, NAMES) as ahead:
        ahead.take(NAMES[0])
    assert threads() == before
    assert len(made) <= 2
