"""``python -m tests.gpu RECORDING.json.xz``: what we cross-compile against what a real GPU compiled, text by text.

A recording holds the wrappers that Inductor wrote on a GPU for the programs of `recorded_programs`, with the torch it
was; run this with the same torch, since texts change with it. What names a process (AOT id, cache paths, the hash of
the Triton build) is blanked. Prints a line a program; exit status 1 where anything differs.
"""

import difflib
import json
import lzma
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import torch

from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.ir.gpu_target import find_target
from compiler.model.ir.stage import WrapperStage
from compiler.model.protocol.absent_gpu import Answer, Order
from tests.gpu.programs import ALL
from tests.gpu.recorded_padding import as_recorded

_BLANKED = (
    (re.compile(r"'backend_hash': '[^']*'"), "'backend_hash': ''"),
    (re.compile(r"# AOT ID: .*"), "# AOT ID"),
    (re.compile(r"# kernel path: .*"), "# kernel path"),
    (re.compile(r"(# device\(.*\)) [0-9a-f]+$", re.MULTILINE), r"\1"),
    (re.compile(r"/(?:tmp|[^ '\"]*torchinductor)[^ '\"]*"), "PATH"),
)
_COMMENT = re.compile(r"^[ \t]*#.*\n", re.MULTILINE)
_KERNEL = re.compile(r"(\w+) = async_compile\.triton\('\w+', '''(.*?)'''", re.DOTALL)


ABOUT = ("v", "gpu", "python", "sets")
"""What a recording says of its process beside its programs."""


def clean(text: str) -> str:
    """Without what names a process."""
    for pattern, instead in _BLANKED:
        text = pattern.sub(instead, text)
    return text.strip()


def wrappers_of(capture: Capture | None) -> list[str]:
    """Their texts."""
    stages = capture.stages if capture is not None else ()
    return [stage.content.code.text for stage in stages if isinstance(stage.content, WrapperStage)]


def cross_compiled(
    name: str, training: bool, gpu: str, assume: tuple[tuple[str, str], ...] = ()
) -> Capture | None:
    """A program in `ALL`. `assume`: what to take where the GPU would measure."""
    program = ALL[name]
    with tempfile.TemporaryDirectory() as scratch:
        order, answer = Path(scratch, "order"), Path(scratch, "answer")
        spec = CaptureSpec(
            TargetSpec(
                f"{program.path.name}:{program.name}", str(program.path.parent), program.inputs or None
            ),
            run=RunOptions(training if program.name[0].isupper() else None, gradients=training),
            device=find_target(gpu),
            assume=assume,
        )
        order.write_bytes(msgspec.msgpack.encode(Order(spec, "capture-1")))
        command = [sys.executable, "-m", "compiler.worker.child", "cross_compile", str(order), str(answer)]
        # torch keeps what it found by measuring, in its folder
        own = os.environ | {"TORCHINDUCTOR_CACHE_DIR": str(Path(scratch, "inductor"))}
        quiet = subprocess.DEVNULL
        subprocess.run(command, check=True, stdout=quiet, stderr=quiet, env=own)
        made = msgspec.msgpack.decode(answer.read_bytes(), type=Answer)
    if made.capture is None:
        print(made.problem.message() if made.problem else "no capture")
    return made.capture


class Compared(NamedTuple):
    """One program, evaluated or trained."""

    name: str
    kernels: int
    same_kernels: int
    wrappers: int
    same_wrappers: int
    but_for_comments: int
    """Wrappers that differ in comments alone: the names in a person's source that they say, which follow the version of Python."""
    difference: str
    """The first lines that differ."""
    more: int
    """Wrappers that only we wrote: of graphs that the GPU's machine has not."""

    @property
    def counts(self) -> str:
        """For a person."""
        but = f", {self.but_for_comments} more but for comments" if self.but_for_comments else ""
        more = f", {self.more} only here" if self.more else ""
        return f"kernels {self.same_kernels}/{self.kernels}, whole wrappers {self.same_wrappers}/{self.wrappers}{but}{more}"


def read_recording(path: Path) -> dict[str, Any]:
    """A recording, packed with xz or plain."""
    data = path.read_bytes()
    recording: dict[str, Any] = json.loads(lzma.decompress(data) if path.suffix == ".xz" else data)
    return recording


def compare(
    recording: dict[str, Any], gpu: str, wanted: str = "", padding: str | None = None
) -> Iterator[Compared]:
    """Cross-compile each recorded program whose name begins with `wanted`, and compare text by text. Those matrix products are
    padded that the GPU padded, which it found by measuring: as `padding` has it, else as the texts do.
    """
    for name in (key for key in recording if key not in ABOUT and not key.endswith("_ma")):
        if not name.startswith(wanted):
            continue
        base, _, mode = name.rpartition("_")
        theirs = [clean(text) for text in recording[name]["src"]]
        compiled = partial(cross_compiled, base, mode == "train", gpu)
        made = as_recorded(theirs, compiled) if padding is None else compiled((("padding", padding),))
        ours = [clean(text) for text in wrappers_of(made)]
        yield compare_texts(name, theirs, ours)


def compare_texts(name: str, theirs: list[str], ours: list[str]) -> Compared:
    """Wrappers that a GPU's machine wrote against those that were cross-compiled, both cleaned."""
    mine = {found for wrapper in ours for found in _KERNEL.findall(wrapper)}
    want = {found for wrapper in theirs for found in _KERNEL.findall(wrapper)}
    equal = len(want & mine)  # wrappers of one program name different kernels alike
    whole = sum(text in ours for text in theirs)
    uncommented = {_COMMENT.sub("", text) for text in ours}
    but = sum(text not in ours and _COMMENT.sub("", text) in uncommented for text in theirs)
    more = max(len(ours) - len(theirs), 0)
    return Compared(name, len(want), equal, len(theirs), whole, but, _difference(ours, theirs), more)


def _difference(ours: list[str], theirs: list[str]) -> str:
    lines: list[str] = []
    for text in theirs:
        if text not in ours and ours:

            def likeness(other: str, text: str = text) -> float:
                return difflib.SequenceMatcher(None, other[:4000], text[:4000]).quick_ratio()

            nearest = max(ours, key=likeness)
            lines += list(difflib.unified_diff(text.split("\n"), nearest.split("\n"), lineterm="", n=0))[:12]
    return "\n".join(lines)


def main() -> int:
    """Compare program by program."""
    recording = read_recording(Path(sys.argv[1]))
    gpu = sys.argv[2] if len(sys.argv) > 2 else "h200"
    print(f"recorded with torch {recording['v']}, emulated {gpu} with torch {torch.__version__}")
    same = total = 0
    for row in compare(recording, gpu):
        same, total = same + row.same_kernels, total + row.kernels
        print(f"  {row.name:<24} {row.counts}", flush=True)
        if row.difference:
            print(row.difference)
    print(f"kernels of identical text: {same} of {total}")
    return int(same != total)


if __name__ == "__main__":
    sys.exit(main())
