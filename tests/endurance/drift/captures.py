"""A program captured again and again in one window: opened again, and with Capture again."""

from pathlib import Path

from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec
from tests.endurance.drift.open_window import open_window
from tests.endurance.drift.rounds import Rounds
from tests.endurance.report import Row
from tests.endurance.working_process import PROGRAM

_FULL = 1000


def run(scale: float, folder: Path, planted: str = "") -> Row:
    """So many of them. `planted`: ``leak``, a descriptor of each stays."""
    (folder / "program.py").write_text(PROGRAM)
    spec = CaptureSpec(TargetSpec("program.py:f", str(folder)))
    with open_window(folder) as opened:
        rounds = Rounds("captures", opened, planted)
        if not rounds.next_capture(lambda: opened.session.capture_target(spec)):
            return rounds.row()
        return rounds.run(
            _FULL * scale, lambda number: opened.session.capture_target(spec, again=number % 2 == 1)
        )
