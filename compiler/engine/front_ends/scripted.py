"""torch.jit.script: the source of a typed subset of Python compiled, branches and loops included."""

import time
import warnings

import torch

from compiler.engine.front_end_results import FrontEndResult
from compiler.engine.held_graphs import GraphHolder
from compiler.engine.program import Program
from compiler.engine.script_capturing import capture_script
from compiler.model.targets import CaptureSpec

NAME = "jit.script"


def capture(program: Program, spec: CaptureSpec, graphs: GraphHolder) -> FrontEndResult:
    """Compile the source, and show all that is made of it. Raises what torch.jit.script raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        started = time.perf_counter()
        scripted = torch.jit.script(program.callable)
        seconds = time.perf_counter() - started
        return capture_script(NAME, scripted, program, spec, torch.jit.script, seconds, graphs)
