"""``make screenshots``: renews the pictures of the README with a real window and a real worker; needs no display."""

import os
import tempfile
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt

from compiler.model.ir.ids import place
from compiler.model.ir.stage import StageKind
from tests.screenshots import labs, other_ways, recorded_run, six_breaks
from tests.screenshots.stage_hand import StageHand

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "resources" / "examples"
PICTURES = ROOT / "resources" / "pictures"
DYNAMO, JOINT = "0/0:dynamo", "0/0:joint"
_SAMPLES = 400


def main() -> None:
    """Take every picture."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        hand = StageHand(Path(scratch))
        try:
            hand.picture(PICTURES / "empty-state.png")
            six_breaks.take_pictures(hand, EXAMPLES, PICTURES)
            hand.capture("breaky.py:Breaky", EXAMPLES)
            _edit_and_judge(hand)
            _compare(hand)
            _time(hand)
            other_ways.take_pictures(hand, EXAMPLES, PICTURES)
            labs.take_pictures(hand, EXAMPLES, PICTURES)
            _joint_graph(hand)
            recorded_run.take_pictures(hand, Path(scratch), PICTURES)
        finally:
            hand.close()


def _edit_and_judge(hand: StageHand) -> None:
    """The relu of the first graph becomes a gelu; its line is selected."""
    session = hand.session
    graph = session.stage_with_edits(DYNAMO).graph
    relu = next(node.id for node in graph.nodes if node.target == "torch.relu") if graph else ""
    session.selection.select(place(DYNAMO, relu))
    hand.act("edit.this_relu_to_gelu")
    hand.act("edit.recompile")
    hand.until(lambda: len(session.captures) == 2 and not session.busy)
    source = session.capture.of_kind(StageKind.SOURCE)[0] if session.capture else None
    if source is not None:
        lines = sorted(session.selection.pinned_in(source.id))
        session.selection.select(place(source.id, lines[0]))
    hand.window.show_workspace("explore")
    hand.pane("history")
    hand.picture(PICTURES / "window-light.png")
    hand.window.set_look("dark")
    hand.picture(PICTURES / "window-dark.png")
    hand.window.set_look("light")


def _compare(hand: StageHand) -> None:
    """What the gelu made of the joint graph, in one drawing, with both programs beside it."""
    hand.window.show_workspace("edit")
    area = hand.window.show_panes()
    for name in ("source", "code", "inspector"):
        area.docks[name].hide()
    hand.session.show_stage(JOINT)
    hand.session.comparison.show_stage(JOINT)
    pane = hand.pane("compare")
    hand.until(lambda: hand.session.comparison.result is not None and pane.is_idle())
    area.resizeDocks([area.docks["pipeline"]], [230], Qt.Orientation.Horizontal)
    area.resizeDocks([area.docks["history"]], [int(area.height() * 0.68)], Qt.Orientation.Vertical)
    hand.settle()
    pane.walk(1)
    hand.picture(PICTURES / "compare.png")
    hand.window.reset_arrangement()
    hand.session.show_stage(DYNAMO)


def _time(hand: StageHand) -> None:
    """Timings while they run."""
    recorder = hand.session.timings
    hand.window.show_workspace("performance")
    pane = hand.pane("timings")
    pane.controls.start.click()
    hand.until(lambda: bool(recorder.kernels) and len(recorder.samples(0)) >= _SAMPLES)
    kernels = recorder.kernels
    chosen = next(index for index, kernel in enumerate(kernels) if "gelu" in kernel.name)
    hand.session.selection.select(kernels[chosen].place)
    hand.picture(PICTURES / "timings.png")
    pane.controls.start.click()
    hand.until(lambda: not recorder.running)


def _joint_graph(hand: StageHand) -> None:
    """Twelve layers, forward and backward side by side."""
    hand.session.undo_stack.setClean()
    hand.capture("deep_model.py:DeepEncoder", Path(__file__).parent)
    hand.window.show_workspace("edit")
    area = hand.window.show_panes()
    for name, dock in area.docks.items():
        dock.setVisible(name in ("pipeline", "code", "inspector"))
    hand.session.show_stage(JOINT)
    hand.settle()
    hand.pane("graph").fit()
    hand.picture(PICTURES / "joint-graph.png")


if __name__ == "__main__":
    main()
