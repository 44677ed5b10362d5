"""How often code that is the same is reported faster or slower: a kernel with a remark more, and two copies of one program.

``python -m tests.benchmarks.bench_false_claims [TARGET[=INPUTS]…]``; the shipped examples where none is named. A C++ kernel that waits
for 5 % of a step is the planted fault: it must be told slower.
"""

import itertools
import sys
from collections.abc import Iterator
from statistics import median

from compiler.engine.capture.capture import LiveCapture, make_capture
from compiler.engine.experiments.ab_trial import share_values, time_interleaved
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.timing.edit_state_timing import interleaved
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.edits.edits import ReplaceKernel
from compiler.model.timing.paired_ratio import PairedRatio, paired_ratio
from tests.benchmarks.bench_capture import EXAMPLES

_TARGETS = (
    f"{EXAMPLES}/mlp_dropout.py:MLP",
    f"{EXAMPLES}/transformer_layer.py:EncoderLayer",
    f"{EXAMPLES}/conv_bn_relu.py:Net",
)
_SECONDS = 1.5
_ROUNDS, _KERNELS, _COPIES = 4, 3, 4
_WAITS = 0.05
_C = 'extern "C"'


def _quiet(text: object) -> None:
    del text


def _capture(target: str, alone: bool = True) -> LiveCapture:
    name, _, inputs = target.partition("=")
    return make_capture(
        CaptureSpec(TargetSpec(name, inputs=inputs or None), run=RunOptions(True)), "c1", _quiet, alone=alone
    )


def _kernels(live: LiveCapture) -> Iterator[tuple[str, str, str]]:
    """(stage, name, text) of those that are generated."""
    for stage in live.capture.stages:
        for kernel in stage.kernels:
            if kernel.source:
                yield stage.id, kernel.name, kernel.source


def _timed(program: EditedProgram, edit: ReplaceKernel, rounds: int) -> list[PairedRatio]:
    program.recompile((edit,), "", _quiet)
    pairs = (interleaved(program, (), (edit,), _SECONDS) for _ in range(rounds))
    return [found for one, other, _ in pairs if (found := paired_ratio(one, other)) is not None]


def _edits(live: LiveCapture) -> None:
    program, remarks = EditedProgram(live), []
    kernels = list(_kernels(live))[:_KERNELS]
    for stage, name, source in kernels:
        remark = "// looked at" if _C in source else "# looked at"
        remarks += _timed(program, ReplaceKernel(stage, name, f"{source}\n{remark}"), _ROUNDS)
    _show("a kernel with a remark more", remarks)
    _slower(program, kernels[0], remarks)
    program.recompile((), "", _quiet)


def _slower(program: EditedProgram, kernel: tuple[str, str, str], remarks: list[PairedRatio]) -> None:
    stage, name, source = kernel
    if _C not in source:
        return
    waits = round(_WAITS * median(found.first for found in remarks))
    body = source.index("{", source.index(_C)) + 1
    wait = (
        f"\n auto until = std::chrono::steady_clock::now() + std::chrono::nanoseconds({waits});"
        "\n while (std::chrono::steady_clock::now() < until);\n"
    )
    slower = f"#include <chrono>\n{source[:body]}{wait}{source[body:]}"
    _show(
        f"planted: {waits / 1000:.0f} µs more", _timed(program, ReplaceKernel(stage, name, slower), _ROUNDS)
    )


def _copies(live: LiveCapture, target: str) -> None:
    copies = [live, *(_capture(target, alone=False) for _ in range(_COPIES))]
    for copy in copies[1:]:
        share_values(live, copy)
    found = []
    for one, other in itertools.combinations(copies, 2):
        sides = [(live, live.program.callable), (one, one.compiled), (other, other.compiled)]
        _eager, first, second = time_interleaved(sides)
        found.append(paired_ratio(first, second))
    _show("two copies", [row for row in found if row is not None])


def _show(what: str, found: list[PairedRatio]) -> None:
    reported = [row for row in found if row.clear]
    faster = sum(row.ratio < 1 for row in reported)
    ratios = " ".join(f"{row.ratio:.3f}{'*' if row.clear else ''}" for row in found)
    print(
        f"  {what:<32} told {len(reported)} of {len(found)} ({faster} faster); {found[0].first / 1000:.0f} µs; {ratios}",
        flush=True,
    )


def main(targets: list[str]) -> None:
    """Print the figures."""
    print("Equal code told faster or slower")
    for target in targets or _TARGETS:
        print(target, flush=True)
        live = _capture(target)
        _edits(live)
        _copies(live, target)


if __name__ == "__main__":
    main(sys.argv[1:])
