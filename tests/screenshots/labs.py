"""Small pictures of the panes that the Labs page offers, light and dark, of the real panes at work."""

from pathlib import Path

from PySide6.QtCore import Qt

from app.window.pane_table import LABS
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.ir.gpu_target import TARGETS
from tests.screenshots.small_png import write_small
from tests.screenshots.stage_hand import StageHand

_WIDTH, _HEIGHT = 320, 192
_PANE = (760, 456)
_CORNER = (480, 288)
"""What is seen of it: words stay readable."""


def take_pictures(hand: StageHand, examples: Path, pictures: Path) -> None:
    """Each lab with something in it."""
    folder = pictures / "labs"
    folder.mkdir(exist_ok=True)
    hand.session.undo_stack.setClean()
    hand.capture("trace_forgets.py:Bent", examples)
    hand.session.front_ends.start(search=False)
    hand.until(lambda: not hand.session.front_ends.busy)
    for name in LABS:
        if name != "lowering":
            _picture(hand, name, folder)
    before = hand.session.capture
    target = TargetSpec("mlp_dropout.py:MLP", str(examples))
    hand.session.open_program(CaptureSpec(target, run=RunOptions(training=True), device=TARGETS["h100"]))
    hand.until(lambda: hand.session.capture is not before and not hand.session.busy)
    hand.session.lowering.lower()
    hand.until(lambda: not hand.session.lowering.asking)
    _picture(hand, "lowering", folder)


def _picture(hand: StageHand, name: str, folder: Path) -> None:
    pane = hand.pane(name)
    dock = hand.window.show_panes().docks[name]
    dock.setFloating(True)
    dock.resize(*_PANE)
    for look in ("light", "dark"):
        hand.window.set_look(look)
        hand.settle()
        picture = pane.grab().toImage().copy(0, 0, *_CORNER)
        small = picture.scaled(
            _WIDTH,
            _HEIGHT,
            Qt.AspectRatioMode.KeepAspectRatioByExpanding,
            Qt.TransformationMode.SmoothTransformation,
        )
        write_small(small.copy(0, 0, _WIDTH, _HEIGHT), folder / f"{name}-{look}.png")
    hand.window.set_look("light")
    dock.setFloating(False)
    dock.hide()
