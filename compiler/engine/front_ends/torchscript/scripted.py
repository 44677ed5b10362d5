"""torch.jit.script: the source of a typed subset of Python compiled, branches and loops included."""

import time
import warnings

import torch

from compiler.engine.front_ends.interface.editable_graphs import GraphHolder
from compiler.engine.front_ends.interface.result import FrontEndResult
from compiler.engine.front_ends.torchscript.stages import capture_script
from compiler.engine.user_program.loading import Program
from compiler.model.capture.capture_spec import CaptureSpec

NAME = "jit.script"


def capture(program: Program, spec: CaptureSpec, graphs: GraphHolder) -> FrontEndResult:
    """Compile the source, and show all that is made of it. Raises what torch.jit.script raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        started = time.perf_counter()
        scripted = torch.jit.script(program.callable)
        seconds = time.perf_counter() - started
        return capture_script(NAME, scripted, program, spec, torch.jit.script, seconds, graphs)
