"""A program that is saved again and again in somebody's editor while the window watches it."""

from pathlib import Path

from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec
from tests.endurance.drift.open_window import open_window
from tests.endurance.drift.rounds import Rounds
from tests.endurance.report import Row
from tests.endurance.working_process import PROGRAM

_FULL = 2000


def run(scale: float, folder: Path, planted: str = "") -> Row:
    """So many of them. `planted`: ``leak``, a descriptor of each stays."""
    file = folder / "program.py"
    file.write_text(PROGRAM)

    def save(number: int) -> None:
        fresh = folder / ".program.py.new"  # as editors save that never leave half a file behind
        fresh.write_text(PROGRAM.replace("2.5", f"{2.5 + (number + 1) % 2}"))
        fresh.replace(file)

    with open_window(folder) as opened:
        rounds, session = Rounds("saves", opened, planted), opened.session
        spec = CaptureSpec(TargetSpec("program.py:f", str(folder)))
        if not rounds.next_capture(lambda: session.capture_target(spec)):
            return rounds.row()
        session.watch.set_on(True)
        try:
            return rounds.run(_FULL * scale, save)
        finally:
            session.watch.set_on(False)
