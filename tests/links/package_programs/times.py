"""``python -m tests.links.package_programs.times [name…]``: eager ÷ compiled as the loupe says it, and as a script without
the loupe measures it in a process of its own: a loop of steps of each, in turns, in both orders.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.helpers.finished_process import ran
from tests.links.package_programs.catalog import PROGRAMS

_TREE = Path(__file__).resolve().parents[3]
_PAIRS = 60
_STEPS = 10
"""In a loop, of which the first three do not count."""
_THREADS = 2
_PLAIN = """
import json, statistics, sys, time
import torch
torch.set_num_threads({threads})
sys.path.insert(0, {folder!r})
import {module} as program
torch.manual_seed(0)
eager = program.{name}().eval()
inputs = program.example_inputs()
compiled = torch.compile(eager)
def timed(run):
    steps = []
    for _ in range({steps}):
        began = time.perf_counter_ns()
        run(*inputs)
        steps.append(time.perf_counter_ns() - began)
    return statistics.median(steps[3:])
ratios = []
with torch.no_grad():
    for _ in range(10):
        timed(eager), timed(compiled)
    for pair in range({pairs}):
        if pair % 2:
            first, second = timed(eager), timed(compiled)
        else:
            second, first = timed(compiled), timed(eager)
        ratios.append(first / second)
ratios.sort()
print(json.dumps([statistics.median(ratios), ratios[{outside}], ratios[-1 - {outside}]]))
"""


def said_ratio(target: str, folder: Path) -> dict[str, Any]:
    """What the loupe says of a program in inference: the ratio with its interval, and the sentence."""
    import time

    import torch

    from compiler.engine.capture.capture import make_capture
    from compiler.engine.timing.cpu_timing import TimingRun
    from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
    from compiler.model.timing.paired_ratio import format_ratio
    from compiler.model.timing.timings import TimingSettings

    torch.set_num_threads(_THREADS)
    run = RunOptions(training=False, gradients=False)
    live = make_capture(CaptureSpec(TargetSpec(target, str(folder)), run=run), "capture-1", lambda text: None)
    ends = time.perf_counter() + 6
    counted = [0]

    def stop() -> bool:
        counted[0] += 1
        return counted[0] > 8 * _PAIRS or time.perf_counter() > ends

    report = TimingRun(live, TimingSettings(eager_every=1), "capture-1").run(lambda batch: None, stop)
    said = report.ratio
    return {
        "said": [said.ratio, said.low, said.high],
        "busy": said.others,
        "sentence": format_ratio(said, "compiled", "eager"),
    }


def plain_ratio(folder: Path, module: str, name: str) -> list[float]:
    """The same without us, in a process of its own: the median of pairs, and an interval of it."""
    plain = _PLAIN.format(
        folder=str(folder),
        module=module,
        name=name,
        pairs=_PAIRS,
        steps=_STEPS,
        threads=_THREADS,
        outside=_PAIRS // 2 - 8,
    )
    done = ran([sys.executable, "-c", plain], check=True)
    ratios: list[float] = json.loads(done.stdout.splitlines()[-1])
    return ratios


def _one(name: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        target = PROGRAMS[name].write(Path(folder))
        return {**said_ratio(target, Path(folder)), "plain": plain_ratio(Path(folder), name, "Program")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--one")
    options = parser.parse_args()
    if options.one:
        print(json.dumps(_one(options.one)))
        return
    for name in options.names:
        command = [sys.executable, "-m", __spec__.name, "--one", name]
        done = ran(command, _TREE)
        lines = done.stdout.strip().splitlines()
        row = json.loads(lines[-1]) if lines and not done.returncode else {"error": done.stderr[-500:]}
        print(json.dumps({"program": name, **row}), flush=True)


if __name__ == "__main__":
    main()
