"""``python -m tests.compiler.engine.causes.beside_torchs_bisector [MODEL…]``: every planted fault, looked for by
``torch._inductor.compiler_bisector`` and by the loupe one after the other: what each found, and how long it took.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import torch
from torch._inductor.compiler_bisector import CompilerBisector

from compiler.engine.accuracy.eager_reference import eager_reference
from compiler.engine.capture.capture import make_capture
from compiler.engine.causes.find_cause import find_cause
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.experiments.causes import FindCause
from tests.compiler.engine.causes.fault_sweep import OWN, outside
from tests.compiler.engine.causes.fault_table import EVERY, Fault

_SUBSYSTEMS = {
    "decomposition": ("decomposition",),
    "lowering": ("lowerings",),
    "joint pass": ("joint_graph_passes",),
    "pass": ("pre_grad_passes", "post_grad_passes"),
    "partition": ("aot_eager_decomp_partition_cse",),
}


def main(names: list[str]) -> None:
    """Print a row for each fault that makes a model wrong, and the counts."""
    ours, theirs, seconds = 0, 0, []
    with tempfile.TemporaryDirectory() as folder:
        targets = {**OWN, **outside(Path(folder))}
        for name in names or ["Small"]:
            for fault in (row for row in EVERY if not row.program):
                row = _both(targets[name], fault)
                if row is None:
                    continue
                named, own_seconds, exact, other_seconds, words = row
                ours, theirs = ours + named, theirs + exact
                seconds.append((own_seconds, other_seconds))
                print(
                    f"{name:14} {fault.name:44} loupe {'named' if named else 'no':6} {own_seconds:6.1f} s   "
                    f"torch {'named' if exact else 'no':6} {other_seconds:6.1f} s  {words}",
                    flush=True,
                )
    print(
        f"{len(seconds)} faults: the loupe named {ours}, torch {theirs}; medians "
        f"{statistics.median(row[0] for row in seconds):.1f} s and {statistics.median(row[1] for row in seconds):.1f} s"
    )


def _both(target: str, fault: Fault) -> tuple[bool, float, bool, float, str] | None:
    spec = CaptureSpec(TargetSpec(target), run=RunOptions(gradients=True))
    with fault.plant():
        began = time.perf_counter()
        program = EditedProgram(make_capture(spec, "c1", lambda text: None))
        found = find_cause(program, FindCause("c1"), lambda text: None)
        own_seconds = time.perf_counter() - began
        if not found.wrong:
            return None
        began = time.perf_counter()
        result = CompilerBisector.do_bisect(_is_right(program))
        other_seconds = time.perf_counter() - began
    if result is None:
        return fault.is_named(found), own_seconds, False, other_seconds, "nothing found"
    words = f"{result.backend}, {result.subsystem}, {result.bisect_number}: {(result.debug_info or '').strip()[:60]}"
    wanted = {subsystem for kind in fault.kinds for subsystem in _SUBSYSTEMS.get(kind, ())}
    return fault.is_named(found), own_seconds, result.subsystem in wanted, other_seconds, words


def _is_right(program: EditedProgram) -> Callable[[], bool]:
    """What torch's bisector asks again and again: compile from nothing, run a step, and judge it by the same rule."""
    base = program.base
    reference = eager_reference(base.program, base.stepper)

    def ask() -> bool:
        torch._dynamo.reset()
        try:
            results = base.stepper.compared_step(torch.compile(base.program.callable))
        except Exception:  # a stage that cannot be run is taken for right
            return True
        return reference.judge("", results, "").agrees is not False

    return ask


if __name__ == "__main__":
    main(sys.argv[1:])
