"""Equal layers: how long a session file of a large model takes to open, and how each stage of it is folded.

``python -m tests.benchmarks.bench_layers [FILE.loupe …]``; without one, a transformer of torch with 12 layers is captured.
For each file: reading in fresh processes, beside unpacking alone; then for each stage its nodes, the boxes at first sight, the layers
that are one box ×N (of equal layers the first is open beside it), and how long it takes to find them.
"""

import os
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from app.canvas.layout_job import MOST_BOXES
from app.graph_layout.arrange import arrange, prepare
from app.graph_layout.initial_collapse import first_view
from app.graph_layout.repeated_blocks import runs
from compiler.analysis.queries.computed_modules import by_modules
from compiler.analysis.repeated_text.repeated_lines import repeated_in
from compiler.analysis.session_file.session_file import read_session
from compiler.model.capture.capture import Capture
from compiler.model.diagrams.diagrams import diagram
from compiler.model.ir.ids import StageId
from compiler.model.ir.stage import Stage, WrapperStage
from tests.app.graph_layout.sample_diagrams import FixedSizes
from tests.benchmarks.measuring import line, ratio, timed
from tests.helpers.finished_process import ran

_READ = """
import sys, time
from pathlib import Path
from compiler.analysis.session_file.session_file import read_with_digest
began, clock = time.process_time(), time.perf_counter()
data, _ = read_with_digest(Path(sys.argv[1]))
assert not data.left_out, data.left_out
status = Path("/proc/self/status")
rss = [int(row.split()[1]) for row in status.read_text().splitlines() if row.startswith("VmRSS")] if status.exists() else [0]
print(time.perf_counter() - clock, time.process_time() - began, rss[0] / 1e3)
"""
_NET = """
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        layer = torch.nn.TransformerEncoderLayer(64, 4, 128, dropout=0.0, batch_first=True)
        self.encoder = torch.nn.TransformerEncoder(layer, 12, enable_nested_tensor=False)
        self.head = torch.nn.Linear(64, 10)

    def forward(self, x):
        return self.head(self.encoder(x))


def example_inputs():
    return (torch.randn(2, 16, 64),)
"""
_OPENINGS = 5


def main() -> None:
    """Print the figures."""
    paths = [Path(text) for text in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as scratch:
        for path in paths or [_captured(Path(scratch))]:
            _show(path)


def _captured(folder: Path) -> Path:
    program, path = folder / "net.py", folder / "layers.loupe"
    program.write_text(_NET)
    command = [sys.executable, "-m", "app", "capture", f"{program}:Net", "--train", "-o", str(path)]
    seconds = timed(
        lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    )
    print(f"12 layers of torch.nn.TransformerEncoder, captured in {seconds:.0f} s")
    return path


def _show(path: Path) -> None:
    print(f"{path.name}, {path.stat().st_size / 1e6:.1f} MB, load {os.getloadavg()[0]:.1f}")
    plain, opened, busy, memory = [], [], [], []
    for _ in range(_OPENINGS):
        plain.append(timed(lambda: _unpack(path)))
        reported = ran([sys.executable, "-c", _READ, str(path)], check=True)
        clock, processor, resident = map(float, reported.stdout.split())
        opened.append(clock)
        busy.append(processor)
        memory.append(resident)
    line("read and checked", opened)
    line("processor time of it", busy)
    line("resident then", memory, "MB")
    ratio("read and checked ÷ unpacked", opened, plain, "≤ 6")
    for capture in read_session(path).captures[:1]:
        for stage in capture.stages:
            _fold(stage, capture)


def _unpack(path: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            archive.read(name)


def _fold(stage: Stage, capture: Capture) -> None:
    shown = diagram(stage)
    if isinstance(stage.content, WrapperStage):
        _fold_text(stage.id, stage.content.code.text)
    if shown is None:
        return
    began = time.perf_counter()
    shown = by_modules(stage, shown, capture)
    prepared = prepare(shown)
    collapsed = first_view(prepared.trees, MOST_BOXES)
    found = [
        f"{run.id.partition('@')[0]} ×{run.repeats}"
        for tree in prepared.trees
        for run in runs(tree, collapsed)
    ]
    seconds = time.perf_counter() - began
    boxes = len(arrange(prepared, FixedSizes(), collapsed).boxes)
    print(
        f"  {stage.id:<28}{len(shown.nodes):>7,} nodes {boxes:>6,} boxes {seconds:>6.2f} s   {', '.join(found) or '–'}"
    )


def _fold_text(stage: StageId, text: str) -> None:
    began = time.perf_counter()
    runs = repeated_in(text)
    seconds = time.perf_counter() - began
    lines = text.count("\n")
    left = lines - sum(run.period * (run.repeats - 1) for run in runs)
    found = ", ".join(f"{run.period} lines ×{run.repeats}" for run in runs) or "–"
    print(f"  {stage:<28}{lines:>7,} lines {left:>6,} seen  {seconds:>6.2f} s   {found}")


if __name__ == "__main__":
    main()
