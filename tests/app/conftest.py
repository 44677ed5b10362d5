"""Shared by all tests of the window: an open session, and the check that a test leaves nothing behind."""

import gc
import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QSettings, QStandardPaths, QThread, QTimer
from PySide6.QtWidgets import QApplication

os.environ["LC_ALL"] = "C.UTF-8"  # the developer's language is not that of the tests
ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from app.engine_client.forking_process import ForkingProcess  # noqa: E402
from app.session.facade.session import Session  # noqa: E402
from app.translation.language import ENGLISH, shown_language  # noqa: E402
from tests.helpers import sample_capture  # noqa: E402
from tests.helpers.fake_engine import FakeEngine  # noqa: E402
from tests.helpers.opened_capture import open_capture  # noqa: E402


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path) -> None:
    """Settings and journals of a test go to its own folder, never to the developer's."""
    QStandardPaths.setTestModeEnabled(True)
    QSettings.setDefaultFormat(QSettings.Format.IniFormat)
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(tmp_path / "settings"))


def _is_torchs(thread: threading.Thread) -> bool:
    """An engine test that ran in this process before may have left torch's pool, which starts a timer when it is idle."""
    module = getattr(getattr(thread, "_target", None), "__module__", None) or ""
    return module.partition(".")[0] == "torch"


@pytest.fixture(autouse=True)
def nothing_left_behind(qapp: QApplication, workers_are_forked: ForkingProcess) -> Iterator[None]:
    """Fails a test that leaves a window, a running timer, a thread, a child process, or another language, which those after
    it in its process would meet.
    """
    windows = set(map(id, qapp.topLevelWidgets()))
    threads = set(threading.enumerate())
    children = _child_processes()
    set_aside_again: list[int] = []
    freeze = gc.freeze
    freeze()  # what is there already is not looked through again, which takes half a second a test
    # Noted, not counted: `gc.get_freeze_count` walks through all that is frozen, 70 ms each time.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gc, "freeze", lambda: (set_aside_again.append(1), freeze()))
        yield
        for _ in range(3):
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
            qapp.processEvents()
    if set_aside_again:  # the window set garbage of its own aside
        gc.unfreeze()
    gc.collect()
    left = [widget for widget in qapp.topLevelWidgets() if id(widget) not in windows and widget.isVisible()]
    left += _running(QTimer, QTimer.isActive)
    left += _running(QThread, QThread.isRunning)
    left += [thread for thread in threading.enumerate() if thread not in threads and not _is_torchs(thread)]
    left += [] if shown_language() == ENGLISH else [shown_language()]
    left += sorted(_child_processes() - children - {workers_are_forked.id})
    assert not left, f"the test left behind: {left}"


def _running(kind: type[QObject], runs: Callable[[QObject], bool]) -> list[QObject]:
    """Of those that the test made: frozen objects are not among ``gc.get_objects()``."""
    found = [thing for thing in gc.get_objects() if type(thing) is kind]
    return [
        thing for thing in found if shiboken6.isValid(thing) and runs(thing) and thing is not qapp_thread()
    ]


def qapp_thread() -> QThread:
    return QCoreApplication.instance().thread()


def _child_processes() -> set[int]:
    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    return set(map(int, children.read_text().split())) if children.exists() else set()


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine()


@pytest.fixture
def session(engine: FakeEngine, tmp_path: Path, qapp: QApplication) -> Iterator[Session]:
    """A session with nothing open."""
    made = Session(engine, journals=tmp_path / "journals")
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def open_session(session: Session, engine: FakeEngine) -> Session:
    """A session with the sample capture in it, as if just captured."""

    return open_capture(session, sample_capture.capture())
