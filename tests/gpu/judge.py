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

from compiler.engine.capturing import LiveCapture, make_capture
from compiler.engine.gpu_timing import GpuTimingRun
from compiler.engine.moving import moved
from compiler.engine.program import load_program
from compiler.engine.running import Stepper, set_mode
from compiler.engine.torch_internals import settings
from compiler.engine.torch_internals.live_regions import module_globals
from compiler.model.targets import CaptureSpec, CompileOptions, RunOptions, TargetSpec
from compiler.model.timings import TimingReport, TimingSettings
from tests.gpu.programs import PROGRAMS

_LONG_US = 20.0


def _spec(name: str, training: bool) -> CaptureSpec:
    program = PROGRAMS[name]
    target = TargetSpec(
        f"{program.path.name}:{program.name}", str(program.path.parent), program.inputs or None
    )
    mode = training if program.name[0].isupper() else None
    return CaptureSpec(target, CompileOptions(), RunOptions(mode, gradients=training), run_on="cuda")


def _kernel_benches(live: LiveCapture) -> dict[str, float]:
    """Kernel id by stage → microseconds by `do_bench`, on the arguments that it got in one step."""
    found: dict[str, float] = {}
    for region in live.live.regions:
        for unit in region.units:
            names = module_globals(unit.module)
            for name, kernel in names.items():
                if name.startswith("triton_") and hasattr(kernel, "run"):
                    found.update(_bench(live, name, kernel, unit.part))
    return found


def _bench(live: LiveCapture, name: str, kernel: Any, part: str) -> dict[str, float]:
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
    return {
        f"{part}:{name}": 1e3
        * float(triton.testing.do_bench(lambda: original(*args, **kwargs), return_mode="median"))
    }


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


def _judge(name: str, training: bool, told: Callable[[str], None]) -> dict[str, Any]:
    live = make_capture(_spec(name, training), "c", lambda text: None)
    unwatched = _steps(live)
    run = GpuTimingRun(live, TimingSettings(iterations=600, eager_every=0), "c")
    report: TimingReport = run.run(lambda event: None, lambda: False)
    unwatched += _steps(live)
    bench = _kernel_benches(live)
    rows = []
    for row in report.kernels:
        key = f"{row.kernel.part}:{row.kernel.name}"
        if row.summary is not None and key in bench:
            rows.append((key, row.summary.median / 1e3, bench.pop(key)))
    slow = report.compiled.median / 1e3 / statistics.median(unwatched) if report.compiled else 0.0
    told(f"{name} {'train' if training else 'infer'}: step watched ÷ not {slow:.4f}")
    for key, ours, theirs in rows:
        mark = "  " if theirs < _LONG_US else "* "
        told(f"  {mark}{key:<80} {ours:9.2f} µs, do_bench {theirs:9.2f} µs, ratio {ours / theirs:.3f}")
    return {"program": name, "training": training, "watched": slow, "kernels": rows}


def main() -> None:
    """All figures."""
    lines: list[str] = []

    def told(line: str) -> None:
        lines.append(line)
        print(line, flush=True)

    results = [
        _judge(name, training, told)
        for name, training in (("mlp", True), ("block", True), ("red", False), ("conv", True))
    ]
    ratios = {}
    for name in ("mlp", "block"):
        ratios[name] = _ratio(name, True, 4)
        told(
            f"{name}: capture ÷ plain cold compile {ratios[name][0]:.3f} ({len(ratios[name][1])} rounds by turns)"
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
