"""A cancel waits for the end of an import: in a process of its own, since it interrupts the main thread."""

import sys
from pathlib import Path

import pytest

from tests.helpers.finished_process import ran

pytestmark = pytest.mark.engine

SCRIPT = """
import sys, threading, time
sys.path.insert(0, {folder!r})
from compiler.worker import interrupting

interrupting.is_reloaded = lambda path: "library" not in path
interrupter = interrupting.Interrupter()
busy = True
threading.Timer(0.2, lambda: interrupter.interrupt(lambda: busy)).start()
try:
    import {module}
    print("imported", sys.modules[{module!r}].done)
    if {stop}:
        busy = False
    time.sleep(1.0)
    print("slept")
except KeyboardInterrupt:
    print("interrupted", {module!r} in sys.modules)
"""
SLOW = """
import time
for _ in range(80):
    time.sleep(0.01)
done = True
"""


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("module", "stop", "said"),
    [
        ("library", False, "imported True\ninterrupted True\n"),  # after the import, which is whole
        ("library", True, "imported True\nslept\n"),  # the request it was for is done by then
        ("programs", False, "interrupted False\n"),  # the user's own file is interrupted at once
    ],
)
def test_a_cancel_never_leaves_a_library_half_imported(tmp_path: Path, module: str, stop: bool, said: str):
    (tmp_path / f"{module}.py").write_text(SLOW)
    script = SCRIPT.format(folder=str(tmp_path), module=module, stop=stop)
    done = ran([sys.executable, "-c", script], timeout=120)
    assert done.stdout == said, done.stderr


WHOLE = """
import threading, time
from compiler.worker import interrupting

def send():
    for _ in range(60):
        time.sleep(0.01)
    print("sent")

interrupter = interrupting.Interrupter([send.__code__])
answering = True
threading.Timer(0.1, lambda: interrupter.interrupt(lambda: answering)).start()
began = time.monotonic()
try:
    send()
    time.sleep(60)
except KeyboardInterrupt:
    answering = False
    print("interrupted", time.monotonic() - began < 30)
threading.Timer(0.1, lambda: interrupter.interrupt(lambda: answering)).start()
time.sleep(0.5)
print("took the next request")
"""


def test_a_cancel_waits_for_the_end_of_a_message_and_leaves_the_next_request_alone() -> None:
    """Half a message made all that came after it unreadable; a signal that came late made the request that was just taken vanish."""
    done = ran([sys.executable, "-c", WHOLE], timeout=120)
    assert done.stdout == "sent\ninterrupted True\ntook the next request\n", done.stderr
