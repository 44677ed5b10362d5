"""Kernel times as the live timings see them beside torch.utils.benchmark.Timer on the same kernel with the same tensors.

By turns, in rounds, with one thread. Before the timer calls a kernel, a step is run and the kernels before it are
called: alone, again and again, it would find its data in nearer caches than it does in a step, and in-place kernels drift.
"""

import functools
import os
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch.utils.benchmark import Timer

from compiler.analysis.timing.kernel_work import kernel_work
from compiler.engine.capture.capture import LiveCapture, make_capture
from compiler.engine.records.wrapper_kernels import read_kernels
from compiler.engine.timing.cpu_timing import TimingRun
from compiler.engine.torch_internals.live.live_graphs import module_globals
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.ir.tensor_types import describe_bytes
from compiler.model.timing.paired_ratio import paired_ratio
from compiler.model.timing.timings import TimingSettings
from tests.benchmarks.bench_capture import EXAMPLES

_KEEPING = {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": str(1 << 40), "MALLOC_TOP_PAD_": str(1 << 28)}
"""The allocator keeps its memory: else a step gets its buffers as fresh pages, which the first kernel to write them pays
for, and the timer, which writes the same buffer again and again, does not.
"""
_ROUNDS = 15
_CALLS = 15
_LEAST_NS = 20_000
_AIM = 0.05
_Key = tuple[str, str]
"""(part, kernel id)."""
_Call = tuple[str, Callable[..., Any], tuple[Any, ...], dict[str, Any]]


class _Noting:
    """Stands for a module of kernels, or a kernel, and keeps the arguments of each call."""

    def __init__(
        self,
        real: Any,
        name: str,
        calls: list[_Call],
    ) -> None:
        self._real, self._name, self._calls = real, name, calls

    def __getattr__(self, name: str) -> Any:
        return _Noting(getattr(self._real, name), f"{self._name}.{name}", self._calls)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self._calls.append((self._name, self._real, args, kwargs))
        return self._real(*args, **kwargs)


def _calls_of(live: LiveCapture) -> list[tuple[_Key, Callable[[], Any]]]:
    """((part, kernel id), a call of it with the tensors that it had in a step) in running order."""
    swapped = []
    calls: list[_Call] = []
    for dynamo_graph in live.live.dynamo_graphs:
        records = {record.part: record for record in dynamo_graph.record.inductor_graphs}
        for inductor_graph in dynamo_graph.inductor_graphs:
            record = records[inductor_graph.part]
            scope = module_globals(inductor_graph.module)
            for name in {kernel.name for kernel in read_kernels(record)} & set(scope):
                scope[name] = _Noting(scope[name], f"{inductor_graph.part} {name}", calls)
            scope["extern_kernels"] = _Noting(
                scope["extern_kernels"], f"{inductor_graph.part} extern_kernels", calls
            )
            text = record.wrapper_text
            exec(text[text.index("class Runner") : text.index("def get_args")], scope)
            swapped.append((inductor_graph, inductor_graph.swap(scope["call"])))
    live.stepper.step(live.compiled)
    for inductor_graph, plain in swapped:
        inductor_graph.swap(plain)
    counts: dict[str, int] = {}
    found = []
    for name, function, args, kwargs in calls:
        counts[name] = counts.get(name, 0) + 1
        part, _, kernel = name.partition(" ")
        key = part, kernel if counts[name] == 1 else f"{kernel}#{counts[name]}"
        found.append((key, functools.partial(function, *args, **kwargs)))
    return found


def main() -> None:
    """Print every kernel above 20 µs."""
    print(
        "Live timings ÷ torch.utils.benchmark.Timer, one thread, medians of rounds interleaved [95 % interval]"
    )
    torch.set_num_threads(1)
    inference, training = RunOptions(training=False, gradients=False), RunOptions(training=True)
    here = str(Path(__file__).parent)
    print(" One kernel alone, again and again, in both:")
    near = total = 0
    for name in ("gelu", "softmax", "layer_norm", "row_sums", "product"):
        for inputs in ("torch.randn(128, 512)", "torch.randn(512, 512)", "torch.randn(1024, 1024)"):
            if name == "product" and "128" in inputs:
                continue
            target = TargetSpec(f"one_kernel_programs.py:{name}", here, inputs)
            found = _compare(
                f"{name} of {inputs[12:-1]}", make_capture(CaptureSpec(target, run=inference), "c", _quiet)
            )
            near, total = near + found[0], total + found[1]
    print(f"  {near} of {total} within 5 % (aim: all)")
    print(
        " Kernels of models in their step; the timer finds the caches as calls of the step's other kernels leave them:"
    )
    for name, inputs in (
        ("mlp.py:MLP", "torch.randn(2048, 64)"),
        ("transformer_layer.py:EncoderLayer", "torch.randn(8, 64, 64)"),
    ):
        spec = CaptureSpec(TargetSpec(name, str(EXAMPLES), inputs), run=training)
        near, total = _compare(name, make_capture(spec, "capture-1", _quiet))
        print(f"  {name}: {near} of {total} within 5 %")


def _quiet(_text: str) -> None:
    pass


@torch.no_grad()
def _timer_ns(live: LiveCapture, calls: list[tuple[_Key, Callable[[], Any]]], index: int) -> float:
    """Nanoseconds of one call by torch's own benchmark, the median of single calls. A whole step and the calls before it in
    a step are made first, so that caches and clock rate are what they are in a step.
    """

    def before() -> None:
        live.stepper.step(live.compiled)
        for _, call in calls[:index]:
            call()

    timer = Timer("call()", "before()", globals={"call": calls[index][1], "before": before}, num_threads=1)
    return statistics.median(timer.timeit(1).median for _ in range(_CALLS)) * 1e9


def _compare(name: str, live: LiveCapture) -> tuple[int, int]:
    """(kernels within 5 %, kernels above 20 µs)."""
    work = kernel_work(live.capture)
    single = False
    pairs: dict[_Key, list[tuple[float, float]]] = {}
    sizes: dict[_Key, int] = {}
    for _ in range(_ROUNDS):
        run = TimingRun(live, TimingSettings(iterations=_CALLS, warm_up=2, eager_every=0), "c")
        report = run.run(lambda event: None, lambda: False)
        # Kept from one round to the next, the tensors would drive those of the step to other addresses, and how the
        # addresses of what is read and written lie to one another can make a third of a kernel's time.
        calls = _calls_of(live)
        places = {key: index for index, (key, _) in enumerate(calls)}
        single = len(calls) == 1
        for row in report.kernels:
            key = row.kernel.part, row.kernel.place.nodes[0]
            if row.summary is not None and key in places and row.summary.median > _LEAST_NS:
                pairs.setdefault(key, []).append((row.summary.median, _timer_ns(live, calls, places[key])))
                sizes[key] = work[row.kernel.place].bytes or 0
        del calls
    near = total = 0
    for key, found in pairs.items():
        ours, theirs = ([pair[index] for pair in found] for index in (0, 1))
        ratio = paired_ratio([round(value) for value in theirs], [round(value) for value in ours])
        if ratio is None:
            continue
        total += 1
        near += abs(ratio.ratio - 1) <= _AIM
        what = f"{key[0]} {key[1]}" if not single else name
        print(
            f"    {ratio.ratio:5.3f} [{ratio.low:.3f}–{ratio.high:.3f}]  live {statistics.median(ours) / 1e3:8.1f} µs  timer "
            f"{statistics.median(theirs) / 1e3:8.1f} µs  {describe_bytes(sizes[key]):>10}  {what[:64]}",
            flush=True,
        )
    return near, total


if __name__ == "__main__":
    if _KEEPING.keys() - os.environ.keys():
        os.execve(
            sys.executable,
            [sys.executable, "-m", "tests.benchmarks.bench_timing_agreement"],
            {**os.environ, **_KEEPING},
        )
    main()
