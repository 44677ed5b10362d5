"""Work in a thread: what large work made is collected once and set aside, so that no frame stops for it."""

import gc
import threading
import time
import weakref
from collections.abc import Iterator

import pytest
import shiboken6

from app.concurrency import idle_collection
from app.concurrency.file_worker import BackgroundWork
from app.concurrency.newest_work import NewestWork


@pytest.fixture
def nothing_frozen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(idle_collection, "_next_full", time.monotonic() + 60)
    monkeypatch.setattr(idle_collection, "_CALM_MILLISECONDS", 1)
    gc.unfreeze()
    yield
    gc.unfreeze()


def done(work, qtbot) -> object:
    jobs = NewestWork(KeyboardInterrupt)
    with qtbot.waitSignal(jobs.done, timeout=5000) as reported:
        jobs.start(work, lambda: None)
    qtbot.wait(20)
    return reported.args[0]


@pytest.mark.thorough
def test_what_large_work_made_is_set_aside(qtbot, nothing_frozen):
    made = done(lambda: [[] for _ in range(2 * idle_collection.MUCH)], qtbot)
    assert gc.get_freeze_count() > 2 * idle_collection.MUCH
    assert len(made) == 2 * idle_collection.MUCH


@pytest.mark.thorough
def test_small_work_costs_no_collection(qtbot, nothing_frozen):
    done(lambda: [[]], qtbot)
    assert gc.get_freeze_count() == 0


@pytest.mark.thorough
def test_cycles_that_were_set_aside_are_collected_a_minute_later(qtbot, nothing_frozen, monkeypatch):
    class Cycle:
        def __init__(self) -> None:
            self.me = self

    def cycles() -> int:
        gc.unfreeze()
        return sum(type(thing) is Cycle for thing in gc.get_objects())

    kept = [Cycle()]
    large = lambda: [[] for _ in range(2 * idle_collection.MUCH)]  # noqa: E731
    done(large, qtbot)
    assert gc.is_tracked(kept[0])
    kept.clear()
    assert cycles() == 1
    gc.freeze()
    monkeypatch.setattr(idle_collection, "_next_full", time.monotonic() + 0.05)
    collection = idle_collection.IdleCollection()
    collection.after(idle_collection.MUCH)  # it asks again when it is time
    qtbot.waitUntil(lambda: idle_collection._next_full > time.monotonic() + 50)
    assert cycles() == 0


@pytest.mark.thorough
def test_a_full_pass_comes_the_later_the_longer_it_takes(nothing_frozen, monkeypatch):
    monkeypatch.setattr(gc, "collect", lambda: time.sleep(0.4))
    idle_collection._collect()
    assert idle_collection._next_full - time.monotonic() > 0.39 * idle_collection._SHARE


@pytest.mark.thorough
def test_what_was_read_is_set_aside_in_the_thread(nothing_frozen):
    kept = [[] for _ in range(idle_collection.MUCH)]
    assert not idle_collection.set_aside(idle_collection.MUCH - 1)
    assert gc.get_freeze_count() == 0
    assert idle_collection.set_aside(len(kept))
    assert gc.get_freeze_count() > idle_collection.MUCH


@pytest.mark.thorough
def test_the_collector_waits_until_what_large_work_made_is_collected(qtbot, nothing_frozen):
    """Else it would look at all of it just before it is on show."""
    jobs, seen = NewestWork(KeyboardInterrupt), []
    jobs.done.connect(lambda made: seen.append((gc.isenabled(), made)))
    with qtbot.waitSignal(jobs.done, timeout=5000):
        jobs.start(lambda: [[] for _ in range(2 * idle_collection.MUCH)], lambda: None)
    assert not seen[0][0]
    qtbot.waitUntil(gc.isenabled)
    assert gc.get_freeze_count() > 2 * idle_collection.MUCH


@pytest.mark.parametrize("size", [1, 2 * idle_collection.MUCH])
def test_the_collector_is_on_again_whatever_became_of_the_work(qtbot, size):
    jobs = NewestWork(KeyboardInterrupt)
    jobs.start(lambda: [[] for _ in range(size)], lambda: None)
    jobs.cancel()
    jobs.start(lambda: [[] for _ in range(size)], lambda: None)
    assert not gc.isenabled()
    jobs.wait()
    shiboken6.delete(jobs)  # what it would have been told is lost with it
    assert gc.isenabled()
    qtbot.wait(1)
    assert gc.isenabled()


def test_the_collector_is_on_again_after_work_that_nobody_waits_for(qtbot):
    jobs = NewestWork(KeyboardInterrupt)
    jobs.start(list, lambda: None)
    jobs.cancel()
    jobs.wait()
    qtbot.waitUntil(gc.isenabled)


def test_nothing_that_work_held_is_kept(qtbot):
    """PySide keeps about one in forty of the runnables that Qt's pool deletes."""

    class Held:
        pass

    jobs, left = NewestWork(KeyboardInterrupt), []
    for _ in range(400):
        held = Held()
        left.append(weakref.ref(held))
        with qtbot.waitSignal(jobs.done, timeout=5000):
            jobs.start(lambda held=held: held is None, lambda: None)
        del held
    jobs.wait()  # the last is told of before its thread lets go of it
    gc.collect()
    assert not [one for one in left if one() is not None]


def test_whoever_goes_away_is_reported_nothing(qtbot):
    """The thread is waited for, and then has nobody to tell."""
    work, ready, reported = BackgroundWork(), threading.Event(), []
    work.run(lambda: ready.wait(5), reported.append, reported.append, ())
    threading.Timer(0.05, ready.set).start()
    shiboken6.delete(work)
    qtbot.wait(1)
    assert not reported
