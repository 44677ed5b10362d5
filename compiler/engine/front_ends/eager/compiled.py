"""torch.compile as one front end among others, for the comparison: counted and run, its stages are not read here."""

import time
from typing import Any

import torch

from compiler.engine.front_ends.interface.result import FrontEndResult
from compiler.engine.torch_internals.dynamo.counted_graphs import counting_backend
from compiler.engine.user_program.loading import Program
from compiler.model.capture.capture_spec import CaptureSpec


def capture(program: Program, spec: CaptureSpec) -> FrontEndResult:
    """Compile with graph breaks where they are needed. Raises what torch.compile raises."""
    return _capture(program, spec, spec.compile.fullgraph)


def capture_whole(program: Program, spec: CaptureSpec) -> FrontEndResult:
    """Compile as one graph. Raises what torch.compile raises."""
    return _capture(program, spec, True)


def _capture(program: Program, spec: CaptureSpec, fullgraph: bool) -> FrontEndResult:
    operations: list[int] = []
    compiled: Any = torch.compile(
        program.callable,
        fullgraph=fullgraph,
        dynamic=spec.compile.dynamic,
        backend=counting_backend(spec.compile, operations),
    )
    started = time.perf_counter()
    with torch.set_grad_enabled(spec.run.gradients), torch.random.fork_rng(devices=[]):
        compiled(*program.args, **program.kwargs)
    seconds = time.perf_counter() - started
    return FrontEndResult((), compiled, len(operations), sum(operations), seconds)
