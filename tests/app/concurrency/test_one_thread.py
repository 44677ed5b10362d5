"""A thread beside the window's."""

import sys
import threading

from PySide6.QtCore import QObject

from app.concurrency.one_thread import OneThread


def test_the_window_gets_the_interpreter_back_soon_while_a_thread_works(qapp):
    usual = sys.getswitchinterval()
    first, second, end = QObject(), QObject(), threading.Event()
    threads = OneThread(first), OneThread(second)
    seen = []
    begun = threading.Barrier(3)
    for thread in threads:
        thread.run(lambda: (begun.wait(20), end.wait(20), seen.append(sys.getswitchinterval())))
    begun.wait(20)
    assert sys.getswitchinterval() < usual / 10
    end.set()
    for thread in threads:
        thread.wait()
    assert sys.getswitchinterval() == usual
    assert len(seen) == 2
