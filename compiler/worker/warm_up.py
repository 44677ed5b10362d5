"""Loads into a worker what a capture needs, by making one of a program of ours: half of torch is imported only then."""

import contextlib
import importlib
import os
import select
import signal
import sys
import warnings
from pathlib import Path

from compiler.engine.capture.capture import make_capture
from compiler.engine.errors import EngineError
from compiler.engine.rng.rng_state import seeded
from compiler.engine.torch_internals.inductor_kernels import asked_once, header_place
from compiler.engine.torch_internals.patch.settings import forget_compiled_code
from compiler.engine.user_program.loaded_program import THIS_PROCESS
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.processes import leaving

_PROGRAM = Path(__file__).with_name("self_test_program.py")
_OF_LIBRARIES = ("torch.", "sympy.", "setuptools.", "distutils.", "packaging.")
_PATIENCE_S = 120


def warm_up() -> None:
    """Capture it, and leave nothing of it: no module, no path, no compiled code, no random numbers drawn."""
    path, modules, bytecode = list(sys.path), set(sys.modules), sys.dont_write_bytecode
    spec = CaptureSpec(TargetSpec(f"{_PROGRAM.name}:Small", str(_PROGRAM.parent)), run=RunOptions(True))
    try:
        with seeded(0), warnings.catch_warnings():
            make_capture(spec, "warm-up", lambda _text: None)
    except EngineError:
        pass  # whoever captures here meets the same, and is reported
    forget_compiled_code()
    sys.path[:], sys.dont_write_bytecode = path, bytecode
    for name in sys.modules.copy().keys() - modules:
        if str(getattr(sys.modules[name], "__file__", "") or "").startswith(str(_PROGRAM.parent)):
            del sys.modules[name]
    THIS_PROCESS.forget()


def load_for_captures() -> None:
    """Import what a capture imports, in a process that others are forked from: it spares each of them 2 s of processor time.

    A fork of it makes that capture, says what it loaded, and ends: threads that a kernel starts would not live on in forks.
    """
    for name in _loaded_by_a_capture():
        if name not in sys.modules:
            with contextlib.suppress(ImportError):  # made while it ran, as the modules of kernels
                importlib.import_module(name)
    asked_once.ask()


def _loaded_by_a_capture() -> list[str]:
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            leaving.this_is_no_fork()
            header_place.install()
            warm_up()
            loaded = " ".join(name for name in sys.modules.copy() if name.startswith(_OF_LIBRARIES))
            with os.fdopen(writes, "w") as reported:
                reported.write(loaded)
        finally:
            leaving.leave_now(0)
    os.close(writes)
    with os.fdopen(reads) as reported:
        names = reported.read().split() if select.select([reported], [], [], _PATIENCE_S)[0] else []
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return names
