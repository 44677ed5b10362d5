"""Loads into a worker what a capture needs, by making one of a program of ours: half of torch is imported only then."""

import sys
import warnings
from pathlib import Path

from compiler.engine.capture.capture import make_capture
from compiler.engine.errors import EngineError
from compiler.engine.rng.rng_state import seeded
from compiler.engine.torch_internals.patch.settings import forget_compiled_code
from compiler.engine.user_program.loaded_program import THIS_PROCESS
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec

_PROGRAM = Path(__file__).with_name("self_test_program.py")


def warm_up() -> None:
    """Capture it, and leave nothing of it: no module, no path, no compiled code, no random numbers drawn."""
    path, modules, bytecode = list(sys.path), set(sys.modules), sys.dont_write_bytecode
    spec = CaptureSpec(TargetSpec(f"{_PROGRAM.name}:Small", str(_PROGRAM.parent)), run=RunOptions(True))
    try:
        with seeded(0), warnings.catch_warnings():
            make_capture(spec, "warm-up", lambda _text: None)
    except EngineError:
        pass  # whoever captures here meets the same, and is told
    forget_compiled_code()
    sys.path[:], sys.dont_write_bytecode = path, bytecode
    for name in sys.modules.keys() - modules:
        if str(getattr(sys.modules[name], "__file__", "") or "").startswith(str(_PROGRAM.parent)):
            del sys.modules[name]
    THIS_PROCESS.forget()
