"""A slow module is loaded beside the window, and its owner may go meanwhile."""

import threading

import pytest
import shiboken6
from PySide6.QtCore import QObject

from app.concurrency.late_module import LateModule


def test_who_waits_is_reported_in_the_windows_thread(qtbot) -> None:
    owner = QObject()
    late = LateModule("colorsys", owner)
    reported = []
    late.loaded.connect(lambda: reported.append(threading.current_thread()))
    late.begin()
    late.begin()
    qtbot.waitUntil(lambda: bool(reported))
    assert reported == [threading.main_thread()]
    assert late.module.__name__ == "colorsys"
    shiboken6.delete(owner)


def test_an_owner_may_go_before_it_is_there(qtbot, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on, owner = threading.Event(), QObject()
    monkeypatch.setattr("app.concurrency.late_module.import_module", lambda _: go_on.wait(20))
    late = LateModule("colorsys", owner)
    late.begin()
    threading.Timer(0.2, go_on.set).start()
    with qtbot.captureExceptions() as raised:
        shiboken6.delete(owner)
        qtbot.wait(50)
    assert not raised
