"""Whether this torch, triton and platform can compile for an absent GPU: tried on a small program, trained."""

import time
from pathlib import Path

from compiler.engine.errors import EngineError
from compiler.engine.user_program.environment import find_environment
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.gpu_target import TARGETS
from compiler.model.ir.stage import StageKind
from compiler.model.protocol.absent_gpu import CrossCompilationTested
from compiler.worker.child_processes import ReportProgress, capture_in_child

_PROGRAM = "self_test_program.py:Small"
_REMEDY = "Torch 2.11 to 2.15 on Linux with the triton that belongs to it can; capture on the CPU, or on a machine with the GPU."


_kept: list[CrossCompilationTested] = []


def try_cross_compilation(report_progress: ReportProgress) -> CrossCompilationTested:
    """Try it once; the answer is kept as long as the process lives."""
    if not _kept:
        _kept.append(_tried(report_progress))
    return _kept[0]


def _tried(report_progress: ReportProgress) -> CrossCompilationTested:
    report_progress("Trying whether this torch can compile for an absent GPU")
    environment = find_environment()
    missing = [hook.remedy for hook in environment.hooks if hook.name == "emulation_needs" and not hook.found]
    if missing:
        return CrossCompilationTested(
            Problem(f"This torch cannot compile for an absent GPU. {missing[0]}", _REMEDY)
        )
    spec = CaptureSpec(
        TargetSpec(_PROGRAM, str(Path(__file__).parent)), run=RunOptions(True), device=TARGETS["h100"]
    )
    began = time.perf_counter()
    try:
        capture = capture_in_child(spec, "self-test", report_progress)
    except EngineError as error:
        return CrossCompilationTested(error.problem)
    seconds = time.perf_counter() - began
    if failures := capture.failures():
        return CrossCompilationTested(failures[0], seconds=seconds)
    found = {
        stage.part: sum(kernel.language == "triton" for kernel in stage.kernels)
        for stage in capture.of_kind(StageKind.KERNELS)
    }
    lacking = [part for part in ("forward", "backward") if not found.get(part)]
    if lacking:
        what = f"Compiling a small program for an absent GPU gave no Triton kernel in its {' and '.join(lacking)}."
        return CrossCompilationTested(Problem(what, _REMEDY), sum(found.values()), seconds)
    return CrossCompilationTested(None, sum(found.values()), seconds)
