"""What recording a running program costs: a compile, a step after it, and memory over many compiles."""

import json
import os
import statistics
import sys
import tempfile
from pathlib import Path

from compiler.model.timing.paired_ratio import paired_ratio
from compiler.processes.recorded_program import EDITABLE
from tests.benchmarks.measuring import line, ratio
from tests.helpers.finished_process import ran

_TREE = Path(__file__).resolve().parents[2]
_MODEL = """
import json, resource, sys, time, torch, torch_loupe
torch.set_num_threads(1)
torch._inductor.config.fx_graph_cache = False
torch._functorch.config.enable_autograd_cache = False
def network(layers=4):
    torch.manual_seed(0)
    row = torch.nn.TransformerEncoderLayer(64, 4, 128, dropout=0.0, batch_first=True)
    return torch.nn.TransformerEncoder(row, layers, enable_nested_tensor=False)
def step(model, x):
    model(x).square().mean().backward()
"""
_COMPILE = (
    _MODEL
    + """
torch.compile(torch.nn.Linear(2, 2))(torch.ones(2, 2))  # what torch loads the first time is no part of a compile
x = torch.randn(4, 16, 64)
import contextlib
began = time.perf_counter()
with torch_loupe.record() if sys.argv[1] == "yes" else contextlib.nullcontext():
    step(torch.compile(network()), x)
print(json.dumps(time.perf_counter() - began))
"""
)
_STEP = (
    _MODEL
    + """
x = torch.randn(4, 16, 64)
plain, recorded = torch.compile(network()), torch.compile(network())
step(plain, x)
def timed(model):
    began = time.perf_counter_ns()
    step(model, x)
    return time.perf_counter_ns() - began
rows = []
with torch_loupe.record():  # still recording while the steps are measured, as in a program that runs
    step(recorded, x)
    for _ in range(50):
        timed(plain), timed(recorded)
    for turn in range(1500):
        if turn % 2:
            a = timed(plain); b = timed(recorded)
        else:
            b = timed(recorded); a = timed(plain)
        rows.append([a, b])
print(json.dumps(rows))
"""
)
_MEMORY = (
    _MODEL
    + """
import contextlib
torch._dynamo.config.recompile_limit = torch._dynamo.config.cache_size_limit = 1000
def compile_all(count):
    for number in range(count):
        model = torch.compile(torch.nn.Sequential(torch.nn.Linear(8, 8 + number), torch.nn.GELU()), backend="aot_eager")
        step(model, torch.randn(2, 8))
compile_all(3)
with torch_loupe.record() if sys.argv[1] == "yes" else contextlib.nullcontext():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    compile_all(200)
print(json.dumps((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024))
"""
)


def _run(program: str, recorded: str = "yes", editable: bool = False) -> object:
    environment = {**os.environ, **({EDITABLE: "1"} if editable else {})}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "program.py")
        path.write_text(program)
        done = ran([sys.executable, str(path), recorded], _TREE, environment, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def main(rounds: int = 5) -> None:
    """Print the figures."""
    print("Cost of recording a program that runs")
    kinds = {"not": ("no", False), "recorded": ("yes", False), "editable": ("yes", True)}
    times: dict[str, list[float]] = {kind: [] for kind in kinds}
    for turn in range(rounds):
        for kind in kinds if turn % 2 else reversed(kinds):
            times[kind].append(float(str(_run(_COMPILE, *kinds[kind]))))
    line("compile of four transformer layers in training", times["not"], "s")
    for kind in ("recorded", "editable"):
        line(f"the same, {kind}", times[kind], "s")
        ratio(f"{kind} ÷ not, compile", times[kind], times["not"], "≤ 1.05")
    plain = float(str(_run(_MEMORY, "no")))
    for kind in ("recorded", "editable"):
        rows = _run(_STEP, *kinds[kind])
        assert isinstance(rows, list)
        found = paired_ratio([row[0] for row in rows], [row[1] for row in rows])
        middle = statistics.median(row[0] for row in rows) / 1e3
        print(
            f"  {kind} ÷ not, a step of {middle:,.0f} µs: "
            f"{found.ratio:.4f} [{found.low:.4f}–{found.high:.4f}] (aim ≤ 1.01)"
        )
        more = float(str(_run(_MEMORY, *kinds[kind]))) - plain
        print(f"  memory that 200 compiles take, {kind}: {more:,.0f} MB (aim ≤ 300)")


if __name__ == "__main__":
    main()
