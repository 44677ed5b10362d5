"""TorchScript's IR as a text that can be changed and run, and the saved program run by C++: question and answer."""

import msgspec

from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.ir.diagnostics import Problem
from compiler.model.timing.verdicts import Comparison


class RunScript(msgspec.Struct, frozen=True, tag="run_script"):
    """Script or trace a program, and run its IR, changed or not, on the example inputs. Replies with `ScriptRun`."""

    spec: CaptureSpec
    """Its front end is ``jit.script`` or ``jit.trace``."""
    text: str | None = None
    """The IR to run in place of the program's own."""
    save: str = ""
    """Write the program (not a changed text) to this ``.pt`` file."""
    in_cpp: bool = False
    """Load the saved program with a C++ program and run it there too; building that takes a minute, once."""


class ScriptRun(msgspec.Struct, frozen=True, tag="script_run"):
    """What came of it."""

    text: str
    """The IR that was run. Weights are inputs of the graph, named by their paths."""
    summary: str
    """One sentence: whether its results are those of the program."""
    problem: Problem | None = None
    """Why it could not be run; `line` is one of the text."""
    comparison: Comparison | None = None
    """Its results beside those of the program run eagerly."""
    cpp: str = ""
    """What the C++ program printed, and how its results compare with Python's."""
    notes: tuple[str, ...] = ()
    """What was written, and what this torch does not do."""
