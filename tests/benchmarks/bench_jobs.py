"""Three users' jobs in a window of 1280×800, by mouse and keys alone: clicks, keys and seconds of the clock.

A click fails where what is clicked is hidden, covered or disabled, so a job that needs a pane fetched first cannot be done.
Seconds are the machine's: nobody reads or thinks here. `--pictures FOLDER` keeps what the lecture's room sees.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTabBar, QWidget

from app.widgets.code_editor import CodeEditor
from app.widgets.labels.link_label import LinkLabel
from compiler.analysis.remedies import remedies_for
from tests.helpers.node_rect import node_rect
from tests.helpers.table_reader import row_of
from tests.screenshots.stage_hand import StageHand

_EXAMPLES = Path(__file__).resolve().parents[2] / "resources" / "examples"
_REMEDIES = (
    "capture_scalar_outputs",
    "torch.where",
    "disable",
    "Let print run after",
    "info",
    "dynamic_output_shape",
)
"""A word of the remedy that an engineer takes, in whatever order the list asks for them."""
_TIMED_KERNELS = 20
_LECTURE_LINE = 16
"""Of `mlp_dropout.py`: linear, relu and dropout in one line."""
_READABLE = 9
"""Pixels: a box lower than this cannot be read by a room."""


class Hand:
    """Clicks on what can be seen, and counts."""

    def __init__(self, stage: StageHand, pictures: Path | None = None) -> None:
        self.stage = stage
        self._pictures = pictures
        self.clicks = self.keys = 0
        self._began = time.monotonic()

    def click(self, widget: QWidget, at: QPoint | None = None, double: bool = False) -> None:
        """Raises AssertionError where a user could not."""
        at = at if at is not None else widget.rect().center()
        assert widget.isVisible(), f"{widget} is hidden"
        assert widget.isEnabled(), f"{widget} is disabled"
        seen = widget.window().childAt(widget.mapTo(widget.window(), at))
        assert seen is widget or widget.isAncestorOf(seen), f"{widget} is covered by {seen}"
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=at)
        self.clicks += 1
        QApplication.processEvents()

    def link(self, label: LinkLabel, words: str) -> None:
        """Click on a link that has these words."""
        found = label.document().find(words)
        assert not found.isNull(), f"no {words!r} in {label.plain()!r}"
        found.setPosition(found.selectionStart() + 1)
        rect = label.cursorRect(QTextCursor(found))
        self.click(label.viewport(), rect.center())

    def row(self, tree: Any, number: int) -> None:
        """Click on a row of a table, at its second column."""
        index = tree.model().index(number, 1)
        tree.scrollTo(index)
        self.click(tree.viewport(), tree.visualRect(index).center())

    def line(self, editor: CodeEditor, number: int) -> None:
        """Click on a line that is wholly in view."""
        assert editor.is_line_visible(number), f"line {number} is out of view"
        top, height = next((top, height) for line, top, height in editor.visible_lines() if line == number)
        self.click(editor.viewport(), QPoint(60, int(top + height / 2)))

    def tab(self, title: str) -> None:
        """Click on the tab of a dock."""
        bars = (bar for bar in self.stage.window.findChildren(QTabBar) if bar.isVisible())
        bar, index = next((b, i) for b in bars for i in range(b.count()) if b.tabText(i) == title)
        self.click(bar, bar.tabRect(index).center())

    def look(self, name: str) -> None:
        """What the room sees now."""
        self.stage.settle()
        if self._pictures is not None:
            self.stage.window.grab().save(str(self._pictures / f"{name}.png"))

    def key(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Press a key in the window."""
        QTest.keyClick(QApplication.focusWidget() or self.stage.window, key, modifiers)
        self.keys += 1
        QApplication.processEvents()

    def until(self, done: Callable[[], bool]) -> None:
        """Wait for the program."""
        try:
            self.stage.until(done)
        except TimeoutError:
            self.stage.window.grab().save(os.path.join(tempfile.gettempdir(), "stuck.png"))
            raise

    def print_job(self, job: str, more: str = "") -> None:
        """One line, from the end of the capture on."""
        seconds = time.monotonic() - self._began
        print(f"  {job:<52} {self.clicks} clicks, {self.keys} keys, {seconds:.1f} s{more}", flush=True)


def six_breaks(stage: StageHand) -> None:
    """An engineer: from six breaks to none, each remedy tried on a copy, looked at, and kept."""
    session, hand = stage.session, Hand(stage)
    for _ in _REMEDIES:
        shown = _made(stage, "breaks")
        hand.until(shown.isVisible)
        rows = shown.list.rows
        offered = [[r.title for r in remedies_for(session.capture, row.first)] for row in rows]
        number, title = next(
            (index, title)
            for index, titles in enumerate(offered)
            for title in titles
            if any(w in title for w in _REMEDIES)
        )
        hand.row(shown.list.table.tree, number)
        hand.link(shown.remedies.words, title[:18])
        trial = _made(stage, "trial")
        hand.until(trial.isVisible)
        hand.click(trial.proposal.try_button)
        hand.until(lambda: not session.trials.running)
        before = session.capture
        hand.click(trial.proposal.keep_button)
        hand.until(lambda before=before: session.capture is not before and not session.busy)
        stage.settle()
    left = len(session.capture.breaks) if session.capture is not None else -1
    hand.print_job("six breaks to none (aim: 5 minutes)", f", {left} breaks left")
    assert left == 0


def dearest_line(stage: StageHand) -> None:
    """An ML engineer: which line costs most, and why."""
    session, hand = stage.session, Hand(stage)
    hand.click(_switch(stage, "performance"))
    timings = _made(stage, "timings")
    hand.click(timings.controls.start)
    recorder = session.timings
    hand.until(lambda: bool(recorder.kernels) and len(recorder.samples(0)) > _TIMED_KERNELS)
    source = _made(stage, "source")
    hand.until(lambda: source.slowest.isEnabled() and "eager" in timings.headline.text())
    hand.click(source.slowest)
    pinned = session.selection.pinned
    hand.print_job(
        "which line costs most, and why (aim: 30 s)",
        f", at {' '.join(sorted(pinned.nodes))}: {timings.headline.text()[:90]}",
    )
    assert pinned
    hand.click(timings.controls.start)
    stage.until(lambda: not recorder.running)


def lecture(stage: StageHand, pictures: Path | None = None) -> None:
    """A lecturer: from a line to the kernel that computes it, an edit, its verdict, and back."""
    session, window, hand = stage.session, stage.window, Hand(stage, pictures)
    hand.click(window.welcome.more)
    hand.look("start")
    card = window.findChild(QWidget, "example_mlp_dropout")
    assert card is not None
    hand.click(card)
    hand.until(lambda: session.capture is not None and not session.busy)
    stage.settle()
    source, pipeline, graph = _made(stage, "source"), _made(stage, "pipeline"), _made(stage, "graph")
    hand.line(source.editor, _LECTURE_LINE)
    hand.look("line")
    hand.tab("Bytecode")
    hand.look("bytecode")
    hand.tab("Source")
    hand.tab("Code")
    sizes = _dock_sizes(stage)
    tree, code = pipeline.stages.tree, _made(stage, "code")
    for kind in ("dynamo_graph", "joint_graph", "fused_loop_ir", "kernels"):
        wanted = _stage(stage, kind)
        hand.click(tree.viewport(), row_of(pipeline.stages, wanted).center())
        hand.until(lambda wanted=wanted: session.stage is not None and session.stage.id == wanted)
        hand.look(kind.replace(" ", "_"))
        shown = any(map(code.editor.is_line_visible, code.editor.pinned)) and code.editor.isVisible()
        assert shown, f"nothing in Code is seen to belong to the line, at {kind}"
    hand.click(tree.viewport(), row_of(pipeline.stages, _stage(stage, "dynamo_graph")).center())
    stage.settle()
    box = node_rect(graph, "relu")
    assert box.height() >= _READABLE, f"relu is {box} in the drawing"
    hand.click(graph.view.viewport(), box.center().toPoint())
    hand.key(Qt.Key.Key_G)
    hand.until(lambda: bool(session.edits))
    hand.look("edited")
    hand.key(Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    hand.until(lambda: session.verdict is not None and not session.busy)
    hand.look("verdict")
    hand.key(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    hand.until(lambda: not session.edits and not session.busy)
    hand.until(lambda: not session.has_uncompiled_edits)
    hand.look("undone")
    assert source.editor.isVisible()
    assert source.editor.is_line_visible(_LECTURE_LINE)
    assert _LECTURE_LINE in source.editor.pinned, f"Source has {source.editor.pinned}"
    assert _dock_sizes(stage) == sizes, "panes changed their sizes"
    hand.print_job(
        "from a line to its kernel, an edit, and back", f", at line {_LECTURE_LINE}, no splitter touched"
    )


def _dock_sizes(stage: StageHand) -> dict[str, tuple[int, int]]:
    """Of the panes in front."""
    docks = stage.window.show_panes().docks.items()
    return {name: dock.size().toTuple() for name, dock in docks if not dock.visibleRegion().isEmpty()}


def _stage(stage: StageHand, kind: str) -> str:
    """A stage of the forward."""
    capture = stage.session.capture
    return next(s.id for s in capture.stages if s.kind.value == kind and s.part != "backward")


def _made(stage: StageHand, name: str) -> Any:
    """A pane of the workspace in front, which must not have to be fetched."""
    pane = stage.window.show_panes().panes[name]
    stage.until(lambda: getattr(pane, "pane", pane) is not None)
    return getattr(pane, "pane", pane)


def _switch(stage: StageHand, workspace: str) -> QWidget:
    found = stage.window.findChild(QWidget, f"workspace_{workspace}")
    assert found is not None
    return found


def main() -> int:
    """One job after the other, each in a window of its own."""
    captured: dict[str, tuple[str, Callable[[StageHand], None]]] = {
        "six_breaks": ("six_breaks.py:SixBreaks", six_breaks),
        "dearest_line": ("transformer_layer.py:EncoderLayer", dearest_line),
    }
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("jobs", nargs="*", choices=[*captured, "lecture", []], help="all of them without one")
    parser.add_argument("--pictures", type=Path, help="a folder for pictures of the lecture")
    parser.add_argument("--look", choices=("light", "dark"), default="light")
    options = parser.parse_args()
    for name in options.jobs or (*captured, "lecture"):
        with tempfile.TemporaryDirectory() as scratch:
            stage = StageHand(Path(scratch))
            stage.window.set_look(options.look)
            stage.window.resize(1280, 800)
            stage.window.activateWindow()
            stage.until(stage.window.isActiveWindow)
            if name == "lecture":
                lecture(stage, options.pictures)
            else:
                target, job = captured[name]
                stage.capture_as_it_comes(target, _EXAMPLES)
                job(stage)
            stage.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
