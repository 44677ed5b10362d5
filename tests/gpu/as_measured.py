"""``python -m tests.gpu.as_measured RECORDING.json``: registers, spills and shared memory from lowering against what a
driver reported for the kernels that ran.

A recording holds, of programs compiled on a GPU, the wrappers and for each kernel the configuration that won there with
the driver's figures (``src`` and ``k``: ``[configuration, …, registers, spills, shared memory]``). Run it with the same torch
and Triton. Every candidate is lowered, those that Inductor makes after a first launch too. Exit status 1 where a figure
differs or a configuration is not among the candidates.
"""

import json
import re
import sys
import time
from pathlib import Path

from compiler.model.ir.gpu_target import TARGETS
from compiler.model.ir.lowered_kernel import KernelsLowered, Lowered, LowerKernels, LowerOrder
from compiler.worker.child_processes import lower_in_child

_KERNEL = re.compile(r"(\w+) = async_compile\.triton\('\w+', '''(.*?)'''", re.DOTALL)
_EVERY = 100

Measured = tuple[str, str, str, int, int]
"""Program, kernel, configuration, registers, shared memory."""


def main(path: Path) -> int:
    """Lower all kernels of the recording and compare."""
    started = time.perf_counter()
    wanted, sources = read(path)
    orders = tuple(LowerOrder(key, source, (), _EVERY) for key, source in sources.items())
    answers = _lowered(orders)
    equal = missing = dynamic = 0
    for program, kernel, configuration, registers, shared in wanted:
        rows = answers.get((program, kernel), {})
        row = rows.get(configuration)
        if row is None:
            missing += 1
            print(f"{program} {kernel}: {configuration} is not among {len(rows)} candidates")
        elif (row.registers, row.shared_bytes) != (registers, shared):
            print(
                f"{program} {kernel}: {row.registers}, {row.shared_bytes} B; measured {registers}, {shared} B"
            )
        else:
            equal += 1
            dynamic += row.after_launch
    print(f"{equal} of {len(wanted)} kernels as the driver reported ({dynamic} of them with a configuration that Inductor makes "
          f"after a first launch), {missing} configurations not found; {time.perf_counter() - started:.0f} s")  # fmt: skip
    return 0 if equal == len(wanted) else 1


def read(path: Path) -> tuple[list[Measured], dict[str, str]]:
    """What was measured, and the source of each kernel by ``program kernel``."""
    wanted: list[Measured] = []
    sources: dict[str, str] = {}
    for program, held in json.loads(path.read_text()).items():
        if not isinstance(held, dict) or program.endswith("_ma"):
            continue
        for wrapper in held["src"]:
            for kernel, source in _KERNEL.findall(wrapper):
                found = held["k"].get(kernel)
                if found is not None and f"{program} {kernel}" not in sources:
                    sources[f"{program} {kernel}"] = source
                    wanted.append((program, kernel, found[0], found[2], found[4]))
    return wanted, sources


def _lowered(orders: tuple[LowerOrder, ...]) -> dict[tuple[str, str], dict[str, Lowered]]:
    """By program and kernel, then by configuration."""
    plain = tuple(LowerOrder(order.name.partition(" ")[2], order.source, (), _EVERY) for order in orders)
    reply: KernelsLowered = lower_in_child(LowerKernels(plain, TARGETS["h200"]), lambda _text: None)
    found: dict[tuple[str, str], dict[str, Lowered]] = {}
    for order, answer in zip(orders, reply.answers, strict=True):
        program, _, kernel = order.name.partition(" ")
        if answer.problem is not None:
            print(f"{order.name}: {answer.problem.what}")
        found[program, kernel] = {row.configuration: row for row in answer.lowered}
    return found


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
