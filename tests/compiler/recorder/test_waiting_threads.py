"""Two threads call the same function before it is compiled: torch compiles it twice, and calls that its own bug."""

from pathlib import Path

import pytest

from tests.compiler.recorder.test_recorded_runs import captured, loupe_run, written

pytestmark = pytest.mark.engine

_PROGRAM = """
import threading, time, torch
called = threading.Event()

def backend(graph, inputs):
    called.wait(60)
    time.sleep(0.5)  # the other thread asks for the lock meanwhile
    return graph.forward

@torch.compile(backend=backend)
def double(x):
    return x * 2

def late():
    called.set()
    double(torch.ones(3))

other = threading.Thread(target=late)
backend_began = threading.Timer(1.0, other.start)
backend_began.start()
double(torch.ones(3))
backend_began.join()
other.join()
double(torch.ones(3, 3))
"""


@pytest.mark.thorough
def test_a_compile_that_another_thread_made_meanwhile_is_the_reason(tmp_path: Path) -> None:
    loupe_run(tmp_path, "-o", "run.loupe", str(written(tmp_path, _PROGRAM)))
    capture = captured(tmp_path / "run.loupe")
    meanwhile, another_shape = capture.recompiles
    (entry,) = meanwhile.entries
    assert not entry.failed
    assert "another thread compiled it" in entry.note
    again = next(frame for frame in capture.frames if frame.id == meanwhile.compile_id)
    assert "another thread compiled it" in again.recompile_reasons[0]
    assert all(tried.failed for tried in another_shape.entries)
