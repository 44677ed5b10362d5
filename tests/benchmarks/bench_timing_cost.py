"""What live timings cost per iteration: the same compiled program with and without clocks, interleaved."""

import time
from collections.abc import Callable
from typing import Any

import torch

from compiler.engine.capture.capture import LiveCapture, make_capture
from compiler.engine.timing.cpu_timing import TimingRun
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.timing.timings import TimingSettings
from tests.benchmarks.bench_capture import EXAMPLES
from tests.benchmarks.measuring import line, ratio

_BATCH = 50
_WARM_UP = 20


def _batch(live: LiveCapture, program: Callable[..., Any], run: TimingRun, iterations: int) -> float:
    """Thread CPU seconds of one iteration, over a batch."""
    spent = 0.0
    for _ in range(iterations):
        run.log.clear()  # or the clocks would go on writing into the log of the step before
        started = time.thread_time()
        live.stepper.step(program)
        spent += time.thread_time() - started
    return spent / iterations


def main(repeats: int = 100) -> None:
    """Print the figures. One thread, CPU time of that thread: other processes do not count."""
    print("Cost of live timings per iteration")
    torch.set_num_threads(1)
    for name, inputs in (
        ("mlp.py:MLP", "torch.randn(512, 64)"),
        ("transformer_layer.py:EncoderLayer", "torch.randn(8, 64, 64)"),
    ):
        spec = CaptureSpec(TargetSpec(name, str(EXAMPLES), inputs), run=RunOptions(training=True))
        live = make_capture(spec, "capture-1", lambda text: None)
        run = TimingRun(live, TimingSettings(), "capture-1")
        without: list[float] = []
        with_clocks: list[float] = []
        for _ in range(5):
            _batch(live, live.compiled, run, _BATCH)
        for repeat in range(repeats):
            for clocked in (False, True) if repeat % 2 else (True, False):
                program = run.put_clocks_in() if clocked else live.compiled
                _batch(live, program, run, _WARM_UP)
                (with_clocks if clocked else without).append(_batch(live, program, run, _BATCH))
                run.take_clocks_out()
        run.put_clocks_in()
        kernels = len(run.log.kernels)
        run.take_clocks_out()
        line(f"{name}: step without clocks", without, "µs", 1e6)
        line(f"{name}: step with clocks on {kernels} kernels", with_clocks, "µs", 1e6)
        ratio(f"{name}: with ÷ without", with_clocks, without, "≤ 1.02 at 50 µs kernels")


if __name__ == "__main__":
    main()
