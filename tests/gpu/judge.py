"""``python -m tests.gpu.judge OUT.json``: our live timings on this machine's GPU against plain torch and `triton.testing`.

Kernel times (CUPTI, as the timings pane shows them) against `do_bench` of the same kernel on arguments like its own; a
step while it is watched against one that is not; a capture against a plain cold compile. Prints a line a figure.
"""

import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import triton

from compiler.engine.capture.capture import LiveCapture, make_capture
from compiler.engine.timing.gpu_timing import GpuTimingRun
from compiler.engine.torch_internals.live.live_graphs import module_globals
from compiler.engine.torch_internals.patch import settings
from compiler.engine.user_program.device_placement import moved
from compiler.engine.user_program.loading import load_program
from compiler.engine.user_program.stepper import Stepper, set_mode
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec
from compiler.model.timing.timings import TimingBatch, TimingReport, TimingSettings
from tests.gpu.programs import PROGRAMS

_LONG_US = 20.0


_LARGE = {
    "mlp": "torch.randn(65536, 512)",
    "block": "torch.randn(32, 2048, 512, dtype=torch.bfloat16)",
    "conv": "torch.randn(512, 16, 112, 112)",
}
"""Inputs for which kernels take longer than the gap between two launches."""


def _spec(name: str, training: bool, large: bool = False) -> CaptureSpec:
    program = PROGRAMS[name]
    inputs = _LARGE.get(name, program.inputs) if large else program.inputs
    target = TargetSpec(f"{program.path.name}:{program.name}", str(program.path.parent), inputs or None)
    mode = training if program.name[0].isupper() else None
    return CaptureSpec(target, CompileOptions(), RunOptions(mode, gradients=training), run_on="cuda")


def _kernel_benches(live: LiveCapture) -> dict[str, tuple[float, float, float]]:
    """Kernel id by stage → microseconds by `do_bench`, on the arguments that it got in one step."""
    found: dict[str, tuple[float, float, float]] = {}
    for dynamo_graph in live.live.dynamo_graphs:
        for inductor_graph in dynamo_graph.inductor_graphs:
            names = module_globals(inductor_graph.module)
            for name, kernel in names.items():
                if name.startswith("triton_") and hasattr(kernel, "run"):
                    found.update(_bench(live, name, kernel, inductor_graph.part))
    return found


def _bench(live: LiveCapture, name: str, kernel: Any, part: str) -> dict[str, tuple[float, float, float]]:
    seen: list[tuple[Any, Any]] = []
    original = kernel.run

    def noting(*args: Any, **kwargs: Any) -> Any:
        if not seen:
            seen.append(
                ([arg.clone() if isinstance(arg, torch.Tensor) else arg for arg in args], dict(kwargs))
            )
        return original(*args, **kwargs)

    kernel.run = noting
    try:
        live.stepper.step(live.compiled)
    finally:
        kernel.run = original
    if not seen:
        return {}
    args, kwargs = seen[0]
    kwargs["stream"] = torch._C._cuda_getCurrentRawStream(0)
    cold = 1e3 * float(triton.testing.do_bench(lambda: original(*args, **kwargs), return_mode="median"))
    return {
        f"{part}:{name}": (
            cold,
            _back_to_back(lambda: original(*args, **kwargs)),
            _seen_in_bench(name, lambda: original(*args, **kwargs)),
        )
    }


def _seen_in_bench(name: str, run: Callable[[], Any]) -> float:
    """Microseconds by CUPTI of the launches that `do_bench` makes: what its events hold beside the kernel is left out."""
    with torch.profiler.profile(
        activities=[torch.profiler.ProfilerActivity.CUDA], acc_events=True
    ) as profile:
        triton.testing.do_bench(run, warmup=5, rep=20)
    spent = [
        event.duration_ns() / 1e3
        for event in profile.profiler.kineto_results.events()
        if event.device_type() != torch.autograd.DeviceType.CPU and event.name() == name
    ]
    return statistics.median(spent) if spent else float("nan")


def _back_to_back(run: Callable[[], Any], count: int = 200) -> float:
    """Microseconds between two CUDA events with so many launches between them: no gap is in it, and the cache is warm."""
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    spent = []
    for _ in range(5):
        torch.cuda.synchronize()
        begin.record()
        for _ in range(count):
            run()
        end.record()
        torch.cuda.synchronize()
        spent.append(1e3 * begin.elapsed_time(end) / count)
    return statistics.median(spent)


def _steps(live: LiveCapture, count: int = 200) -> list[float]:
    spent = []
    for _ in range(count):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        live.stepper.step(live.compiled)
        torch.cuda.synchronize()
        spent.append((time.perf_counter() - begin) * 1e6)
    return spent


def _cold(name: str, training: bool) -> float:
    spec = _spec(name, training)
    settings.forget_compiled_code()
    program = load_program(spec.target, spec.run.seed)
    moved(program, "cuda")
    set_mode(program, spec.run)
    stepper = Stepper(program, spec.run)
    stepper.step(program.callable)
    with settings.capturing():
        began = time.perf_counter()
        stepper.step(torch.compile(program.callable))
        torch.cuda.synchronize()
        return time.perf_counter() - began


def _fresh_cache(number: int) -> None:
    import os

    for key in ("TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR"):
        os.environ[key] = f"/tmp/judge-{number}-{key.lower()}"


def _ratio(name: str, training: bool, rounds: int) -> tuple[float, list[float], list[float]]:
    plain, watched = [], []
    for number in range(rounds + 1):
        for ours in (False, True) if number % 2 else (True, False):
            _fresh_cache(2 * number + ours)
            spent = (
                make_capture(_spec(name, training), "c", lambda text: None).capture.seconds
                if ours
                else _cold(name, training)
            )
            if number:
                (watched if ours else plain).append(spent)
    return statistics.median(watched) / statistics.median(plain), plain, watched


def _judge(name: str, training: bool, reported: Callable[[str], None]) -> dict[str, Any]:
    live = make_capture(_spec(name, training, large=True), "c", lambda text: None)
    _steps(live, 50)
    unwatched: list[float] = []
    watched: list[float] = []
    settings_ = TimingSettings(iterations=100, warm_up=3, eager_every=0)
    report: TimingReport | None = None
    for _ in range(6):
        unwatched += _steps(live, 100)
        batches: list[TimingBatch] = []
        report = GpuTimingRun(live, settings_, "c").run(
            lambda event, kept=batches: kept.append(event) if isinstance(event, TimingBatch) else None,
            lambda: False,
        )
        watched += [step / 1e3 for batch in batches for step in batch.compiled]
    assert report is not None
    slow = statistics.median(watched) / statistics.median(unwatched)
    reported(
        f"{name} {'train' if training else 'infer'}: step watched {statistics.median(watched):.1f} µs ÷ not "
        f"{statistics.median(unwatched):.1f} µs = {slow:.4f}"
    )
    bench = _kernel_benches(live)
    rows = []
    for row in report.kernels:
        key = f"{row.kernel.part}:{row.kernel.name}"
        if row.summary is not None and key in bench:
            rows.append((key, row.summary.median / 1e3, *bench.pop(key)))
    for key, ours, cold, warm, seen in rows:
        if cold > _LONG_US:
            reported(
                f"  {key:<70.70} {ours:9.2f} µs, do_bench {cold:9.2f} ({ours / cold:.3f}), events back to back {warm:9.2f} "
                f"({ours / warm:.3f}), CUPTI of do_bench's launches {seen:9.2f} ({ours / seen:.3f}; {seen / cold:.3f})"
            )
    return {"program": name, "training": training, "watched": slow, "kernels": rows}


def main() -> None:
    """All figures."""
    lines: list[str] = []

    def reported(line: str) -> None:
        lines.append(line)
        print(line, flush=True)

    results = [
        _judge(name, training, reported)
        for name, training in (("mlp", True), ("block", True), ("red", False), ("conv", True))
    ]
    ratios = {}
    for name in ("mlp", "block") if "--capture" in sys.argv else ():
        ratios[name] = _ratio(name, True, 4)
        reported(
            f"{name}: capture ÷ plain cold compile {ratios[name][0]:.3f} ({len(ratios[name][1])} rounds interleaved)"
        )
    Path(sys.argv[1]).write_text(
        json.dumps(
            {
                "torch": torch.__version__,
                "gpu": torch.cuda.get_device_name(),
                "judged": results,
                "ratios": ratios,
            }
        )
    )


if __name__ == "__main__":
    main()
