"""``python -m tests.gpu.lower_all [TARGET…]``: the shipped examples captured for every GPU, and all their kernels lowered to
machine code; wall time a kernel. Exit status 1 where a kernel cannot be lowered.

Times are of Triton's compile down to machine code on this machine, without starting the process that does it.
"""

import argparse
import statistics
import sys
import time
from dataclasses import dataclass, field

from compiler.engine.errors import EngineError
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.gpu.lowered_stages import triton_kernels
from compiler.model.ir.gpu_target import TARGETS, GpuTarget
from compiler.model.ir.lowered_kernel import LowerAnswer, LowerKernels, LowerOrder
from compiler.worker.child_processes import capture_in_child, lower_in_child
from tests.compiler.engine.conftest import EXAMPLES

PROGRAMS = (
    "transformer_layer.py:EncoderLayer",
    "mlp_dropout.py:MLP",
    "conv_bn_relu.py:Net",
    "training_step.py:Step",
    "mlp.py:MLP",
    "layer_loop.py:Stack",
    "six_breaks.py:SixBreaks",
    "print_in_the_middle.py:forward",
    "recompiling.py:Changing",
    "breaky.py:Breaky",
)


@dataclass
class Tally:
    """What came of one GPU."""

    kernels: int = 0
    machine_code: int = 0
    faults: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


def kernels_of(program: str, target: GpuTarget) -> tuple[LowerOrder, ...]:
    """Every Triton kernel of a program, trained. Raises EngineError where it cannot be captured."""
    spec = CaptureSpec(TargetSpec(program, str(EXAMPLES)), run=RunOptions(True), device=target)
    capture = capture_in_child(spec, "capture-1", lambda _text: None)
    return tuple(LowerOrder(kernel.name, kernel.source) for kernel in triton_kernels(capture))


def count(answers: tuple[LowerAnswer, ...], target: GpuTarget, tally: Tally) -> None:
    """Add what came of some kernels."""
    for answer in answers:
        tally.kernels += 1
        if answer.problem is not None:
            tally.faults.append(f"{answer.name}: {answer.problem.what}")
            continue
        (row,) = answer.lowered
        last = row.form("amdgcn" if target.is_amd else "sass")
        tally.machine_code += last is not None and bool(last.text) and row.registers is not None
        tally.seconds.append(row.seconds)


def main(arguments: argparse.Namespace) -> int:
    """Print a line a GPU."""
    bad = 0
    for target in (TARGETS[name] for name in arguments.targets or TARGETS):
        tally, started = Tally(), time.perf_counter()
        orders: list[LowerOrder] = []
        for program in PROGRAMS[: arguments.programs]:
            try:
                orders += kernels_of(program, target)
            except EngineError as error:
                tally.faults.append(f"{program}: {error.problem.message()}")
        captured = time.perf_counter() - started
        count(lower_in_child(LowerKernels(tuple(orders), target), lambda _text: None).answers, target, tally)
        times = sorted(tally.seconds) or [0.0]
        print(f"{target.id:<8} {tally.machine_code} of {tally.kernels} kernels to machine code; a kernel {statistics.median(times):.2f} s "
              f"(median), {times[-1]:.2f} s (slowest); {captured:.0f} s for the captures, "
              f"{time.perf_counter() - started - captured:.0f} s for lowering all", flush=True)  # fmt: skip
        for fault in tally.faults:
            print(f"    {fault}", flush=True)
        bad += len(tally.faults) + tally.kernels - tally.machine_code
    return 1 if bad else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("targets", nargs="*", choices=[*TARGETS, []])
    parser.add_argument("--programs", type=int, default=len(PROGRAMS), help="only the first ones")
    sys.exit(main(parser.parse_args()))
