"""One sitting: ``python -m tests.endurance.random_user.sitting SEED STEPS FOLDER [PLANTED]``; prints what it found as JSON."""

import faulthandler
import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QCoreApplication, QSize, QTimer
from PySide6.QtGui import QDesktopServices

from app.actions.workspace_table import WORKSPACES
from app.session.files import external_editor
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import place
from compiler.model.ir.stage import FxStage
from tests.endurance.event_loop import StandingStill
from tests.endurance.random_user.faults import Faults
from tests.endurance.random_user.hands import Hands, no_files
from tests.screenshots.stage_hand import StageHand

EXAMPLES = Path(__file__).resolve().parents[3] / "resources" / "examples"
PROGRAMS = (
    "mlp.py:MLP", "mlp_dropout.py:MLP", "breaky.py:Breaky", "conv_bn_relu.py:Net", "transformer_layer.py:EncoderLayer",
    "recompiling.py:Changing", "lost_branch.py:Branch", "six_breaks.py:SixBreaks", "training_step.py:Step", "no_such.py:Net",
)  # fmt: skip
_LEFT_OUT = {"file.quit", "file.machine"}
"""They end the sitting, or leave this machine."""
_PLANTED: dict[str, Callable[[], object]] = {
    "raise": lambda: 1 / 0,
    "stand": lambda: time.sleep(1.5),
    "crash": lambda: os.kill(os.getpid(), signal.SIGSEGV),
}
_LONGEST_S = 1.0
"""The loop may stand still that long, without what other processes took of the processor."""


class Sitting:
    """A window and somebody who does not know what they want."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.random, self.folder = Random(seed), folder
        self.faults = Faults()
        self._steps = (folder / "steps").open("w", encoding="utf-8")
        (folder / "programs").mkdir()
        for file in EXAMPLES.glob("*.py"):
            shutil.copy(file, folder / "programs")
        (folder / "files").mkdir()
        no_files(folder / "files")
        QDesktopServices.openUrl = lambda _url: True  # type: ignore[method-assign, assignment]
        external_editor.QProcess.startDetached = lambda *_: (True, 1)  # type: ignore[method-assign, assignment]
        self.hand = StageHand(folder)
        self.hands = Hands(self.random, self.hand.window, self.log)
        self.still = StandingStill(self.hand.window)
        self.captures: set[str] = set()
        self.reported: list[Problem] = []
        self.kinds = (
            *(self._act,) * 6, *(self._edit,) * 5, self._recompile, self._recompile, *(self.hands.click,) * 8, *(self.hands.press,) * 6, self.hands.type, *(self._select,) * 4,
            *(self._stage,) * 3, self._workspace, self._resize, self._wait, self._undo, self._pane, self._program, self._file,
        )  # fmt: skip

    def log(self, step: str) -> None:
        """Note it where a crash can't take it."""
        self.faults.step = step
        self._steps.write(f"{step}\n")
        self._steps.flush()

    def sit(self, steps: int, planted: str = "") -> dict[str, object]:
        """Do so many things, undo all, and save."""
        self._program(first=True)
        for index in range(steps):
            if index == steps // 2 and planted:
                QTimer.singleShot(0, _PLANTED[planted])
            self.random.choice(self.kinds)()
            self._look()
        self.log("end")
        self._end()
        return {
            "steps": steps, "captures": len(self.captures), "worst": self.still.worst_own, "faults": self.faults.listed(),
        }  # fmt: skip

    def _look(self) -> None:
        before = self.still.worst_own
        limit = time.monotonic() + self.random.choice((0.0, 0.02, 0.02, 0.2))
        QCoreApplication.processEvents()
        self.hand.until(lambda: time.monotonic() >= limit)
        self.captures.update(capture.id for capture in self.hand.session.captures)
        for problem in self.hand.session.problems:
            if "report" in problem.message() and problem not in self.reported:
                self.reported.append(problem)
                self.faults.note(f"{problem.message()} {problem.detail[-300:]}".replace("\n", " "))
        if self.still.worst_own > max(before, _LONGEST_S):
            self.faults.note(f"the window stood still for {self.still.worst_own:.1f} s")

    def _act(self) -> None:
        actions = self.hand.window.actions_by_id
        can = [
            name for name, action in actions.actions.items() if action.isEnabled() and name not in _LEFT_OUT
        ]
        name = self.random.choice(can)
        self.log(f"act {name}")
        actions.run(name)

    def _edit(self) -> None:
        """A node, and something that is done to it."""
        self._select()
        QCoreApplication.processEvents()
        actions = self.hand.window.actions_by_id
        actions.update()
        can = [
            name for name, row in actions.rows.items() if row.of_graph and actions.actions[name].isEnabled()
        ]
        if can:
            name = self.random.choice(can)
            self.log(f"edit {name}")
            actions.run(name)

    def _recompile(self) -> None:
        self.log(f"recompile {len(self.hand.session.edits)} edits")
        self.hand.session.recompile()
        if self.random.random() < 0.5:
            self._wait()

    def _select(self) -> None:
        stage = self.hand.session.stage
        if stage is not None and isinstance(stage.content, FxStage) and stage.content.graph.nodes:
            node = self.random.choice(stage.content.graph.nodes).id
            self.log(f"select {node} of {stage.id}")
            self.hand.session.selection.select(place(stage.id, node))

    def _stage(self) -> None:
        capture = self.hand.session.capture
        if capture is not None and capture.stages:
            stage = self.random.choice(capture.stages)
            self.log(f"show {stage.id}")
            self.hand.session.show_stage(stage.id)

    def _workspace(self) -> None:
        name = self.random.choice(WORKSPACES).id
        self.log(f"workspace {name}")
        self.hand.window.show_workspace(name)

    def _pane(self) -> None:
        area = self.hand.window.show_panes()
        name = self.random.choice(sorted(area.panes))
        self.log(f"pane {name}")
        area.show_pane(name)

    def _resize(self) -> None:
        size = QSize(self.random.randint(300, 1900), self.random.randint(200, 1100))
        self.log(f"resize {size.width()}×{size.height()}")
        self.hand.window.resize(size)

    def _wait(self) -> None:
        self.log("wait")
        limit = time.monotonic() + 5
        self.hand.until(lambda: not self.hand.session.working or time.monotonic() > limit)

    def _undo(self) -> None:
        self.log("undo")
        (self.hand.session.undo if self.random.random() < 0.6 else self.hand.session.redo)()

    def _program(self, first: bool = False) -> None:
        if not first and self.random.random() < 0.7:
            return  # what is edited is to live for a while
        target = self.random.choice(PROGRAMS[:-1] if first else PROGRAMS)
        self.log(f"capture {target}")
        training = self.random.random() < 0.5
        spec = CaptureSpec(
            TargetSpec(target, str(self.folder / "programs")), run=RunOptions(training=training)
        )
        self.hand.session.open_program(spec)
        if first or self.random.random() < 0.7:
            begin, limit = time.monotonic() + 0.5, time.monotonic() + 120
            self.hand.until(lambda: self.hand.session.working or time.monotonic() > begin)
            self.hand.until(lambda: not self.hand.session.working or time.monotonic() > limit)

    def _file(self) -> None:
        path = self.folder / "files" / f"{self.random.randrange(3)}.loupe"
        if path.exists() and self.random.random() < 0.5:
            self.log(f"open {path.name}")
            self.hand.session.open_file(path)
        elif self.hand.session.capture is not None:
            self.log(f"save {path.name}")
            self.hand.session.save_file(path)

    def _end(self) -> None:
        """Nobody waits for ever: what goes on is cancelled, all is undone, and the file that is saved is read again."""
        self.hands.deleteLater()
        self.hand.session.cancel()
        limit = time.monotonic() + 120
        self.hand.until(lambda: not self.hand.session.working or time.monotonic() > limit)
        if self.hand.session.working:
            self.faults.note(f"busy 120 s after all was cancelled: {self.hand.session.status_text}")
        self.hand.close()


def main() -> None:
    """Sit down."""
    faulthandler.enable()
    seed, steps, folder, *planted = sys.argv[1:]
    sitting = Sitting(int(seed), Path(folder))
    sys.stdout.write(json.dumps(sitting.sit(int(steps), *planted)) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
