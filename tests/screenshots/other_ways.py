"""Pictures of what torch has beside torch.compile on this machine: its other front ends, and kernels for a GPU."""

from pathlib import Path

from PySide6.QtCore import Qt

from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.capture.front_ends import COMPARED
from compiler.model.gpu.lowered_stages import triton_kernels
from compiler.model.ir.gpu_target import TARGETS
from compiler.model.ir.ids import place
from compiler.model.ir.stage import StageKind
from tests.screenshots.stage_hand import StageHand

_MATRIX_S = 900.0


def take_pictures(hand: StageHand, examples: Path, pictures: Path) -> None:
    """One program under every front end, and a kernel for an H100 down to its instructions."""
    hand.session.undo_stack.setClean()
    _front_ends(hand, examples, pictures)
    _gpu_kernels(hand, examples, pictures)


def _front_ends(hand: StageHand, examples: Path, pictures: Path) -> None:
    hand.capture("trace_forgets.py:Net", examples)
    hand.session.front_ends.start()
    hand.window.show_workspace("explore")
    pane = hand.pane("front_ends")
    area = hand.window.show_panes()
    area.resizeDocks([area.docks["front_ends"]], [int(area.height() * 0.62)], Qt.Orientation.Vertical)
    hand.until(lambda: not hand.session.front_ends.busy, _MATRIX_S)
    pane.table.make_current(COMPARED[3].name)
    hand.picture(pictures / "front-ends.png")


def _gpu_kernels(hand: StageHand, examples: Path, pictures: Path) -> None:
    session = hand.session
    target = TargetSpec("transformer_layer.py:EncoderLayer", str(examples))
    before = session.capture
    session.capture_target(CaptureSpec(target, run=RunOptions(training=True), device=TARGETS["h100"]))
    hand.until(lambda: session.capture is not before and not session.busy)
    kernel = next(row for row in triton_kernels(session.capture) if "softmax" in row.name)
    hand.window.show_workspace("edit")
    hand.pane("lowering")
    area = hand.window.show_panes()
    area.resizeDocks([area.docks["lowering"]], [int(area.height() * 0.42)], Qt.Orientation.Vertical)
    tall = [area.docks["code"], area.docks["inspector"]]
    area.resizeDocks(tall, [int(area.height() * 0.4), int(area.height() * 0.15)], Qt.Orientation.Vertical)
    session.lowering.show(kernel.name)
    hand.until(lambda: not session.lowering.asking and session.lowering.now(kernel.name) is not None)
    source = session.capture.of_kind(StageKind.SOURCE)[0]
    line = next(
        number
        for number, text in enumerate(source.content.file.text.split("\n"), 1)  # type: ignore[union-attr]
        if "softmax" in text and "weights" in text
    )
    session.selection.select(place(source.id, f"L{line}"))
    hand.picture(pictures / "gpu-kernels.png")
