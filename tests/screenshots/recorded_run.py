"""A program that compiles at every step, and the same with what the Run pane advises: two pictures of real runs."""

import subprocess
import sys
from pathlib import Path

from compiler.installation import HOME
from tests.screenshots.stage_hand import StageHand

_STORM = HOME / "tests" / "running" / "programs" / "storm.py"
_CURE = "import torch._dynamo\n\ntorch._dynamo.config.allow_unspec_int_on_nn_module = True\n"


def take_pictures(hand: StageHand, scratch: Path, pictures: Path) -> None:
    """Record, open, take the picture."""
    text = _STORM.read_text()
    for name, program in (
        ("run-storm", text),
        ("run-cured", text.replace("import torch\n", f"import torch\n{_CURE}", 1)),
    ):
        folder = scratch / name
        folder.mkdir()
        (folder / "train.py").write_text(program)
        _record(folder)
        before = hand.session.capture
        hand.session.open_file(folder / "run.loupe")
        hand.until(lambda before=before: hand.session.capture is not before)
        hand.window.show_workspace("run")
        hand.pane("run")
        hand.picture(pictures / f"{name}.png")


def _record(folder: Path) -> None:
    command = [
        sys.executable,
        "-P",
        "-m",
        "torch_loupe",
        "run",
        "--no-window",
        "--quiet",
        "-o",
        "run.loupe",
        "train.py",
    ]
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
