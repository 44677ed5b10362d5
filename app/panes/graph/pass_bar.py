"""The bar above the canvas that steps through the passes which made the graph."""

import textwrap
from html import escape

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QLabel,
    QSizePolicy,
    QSlider,
    QToolButton,
    QWidget,
)

from app.session.facade.session import Session
from app.theme import current, fonts
from app.theme.icons import icon
from app.translation.texts import and_more, tr, tr_all, tr_noop
from app.widgets.buttons.tool_button import tool_button
from app.widgets.labels.elided_label import ElidedLabel
from app.widgets.layouts.boxes import row_of, set_column
from compiler.analysis.text_format.times import time_text
from compiler.analysis.text_format.visible_text import visible
from compiler.model.ir.ids import StageId
from compiler.model.ir.passes import LINES
from compiler.model.passes.pass_replay import Replay, ReplayStep

_ENDS = {
    "fusion": (tr_noop("Before fusion"), tr_noop("After all fusion steps")),
    LINES: (tr_noop("Before the first line"), tr_noop("After the last line")),
}
"""What the two ends of steps that are no passes are called, by their phase."""
_ENDS_OF_PASSES = (tr_noop("Before the first pass"), tr_noop("After all passes"))
_FEW, _MANY = 2, 40
_TIP_WIDTH = 110
"""How many names are reported, and how many where the mouse rests."""


class PassBar(QWidget):
    """Back and forward, the pass and its time, what it did. Hidden for stages that no pass made."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("passBar")
        self._passes = session.passes
        self._stage_id: StageId = ""
        self.back = self._button("back", tr("One pass or line back ([)"), -1)
        self.forward = self._button("forward", tr("One pass or line onwards (])"), 1)
        self.slider = QSlider(Qt.Orientation.Horizontal, self)
        self.slider.setAccessibleName(tr("Passes"))
        self.slider.setFixedWidth(110)
        self.slider.setPageStep(1)
        self.slider.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.name = ElidedLabel("", self)
        self.name.setFont(fonts.interface(bold=True))
        self.counts = ElidedLabel("", self)
        self.counts.setEnabled(False)
        tip = tr("Also stop at passes that changed nothing")
        self.every = tool_button(self, tr("All"), tip, name=tr("Every pass"))
        self.every.setCheckable(True)
        self.compare = tool_button(
            self,
            tr("Compare"),
            tr("What this pass did: the graph before it beside the graph after it"),
            lambda: session.comparison.show_passes(self._stage_id, self._passes.position(self._stage_id)),
            name=tr("Compare with the graph before this pass"),
        )
        self.did = QLabel(self)
        self.did.setTextFormat(Qt.TextFormat.RichText)
        self.did.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        row = row_of(self.back, self.slider, self.forward, spacing=4)
        row.addSpacing(6)
        row.addWidget(self.name, 1)
        row.addWidget(self.compare)
        row.addWidget(self.every)
        set_column(self, row, self.counts, self.did, margins=(10, 2, 10, 3), spacing=1)
        self.slider.valueChanged.connect(self._on_slider)
        self.every.toggled.connect(self._on_every)
        self._passes.changed.connect(self._fill)
        current.signals().changed.connect(self._dress)
        self.hide()

    def _button(self, name: str, tip: str, direction: int) -> QToolButton:
        button = tool_button(self, "", tip, lambda: self._passes.step(self._stage_id, direction))
        button.setIcon(icon(name))
        button.setIconSize(QSize(14, 14))
        button.setObjectName(f"pass-{name}")
        return button

    def show_stage(self, stage_id: StageId) -> None:
        """Step through the passes of this stage; an empty id for none."""
        self._stage_id = stage_id
        self._fill()

    def _fill(self) -> None:
        replay = self._passes.replay(self._stage_id)
        self.setVisible(replay is not None)
        if replay is None:
            return
        stops, position = self._passes.stops(self._stage_id), self._passes.position(self._stage_id)
        index = _index(stops, position)
        for widget in (self.slider, self.every):
            widget.blockSignals(True)
        self.slider.setRange(0, len(stops) - 1)
        self.slider.setValue(index)
        self.every.setChecked(self._passes.every)
        self.every.setVisible(replay.steps[0].phase != LINES)
        for widget in (self.slider, self.every):
            widget.blockSignals(False)
        self.back.setEnabled(index > 0)
        self.forward.setEnabled(position is not None)
        step = self._passes.step_shown(self._stage_id)
        self.name.setText(_title(replay, position, step))
        self.counts.setText(_counts(replay, position))
        self.did.setText(_did(step, _FEW) if step is not None else "")
        self.did.setVisible(step is not None)
        self.did.setToolTip(_did_all(step) if step is not None else "")

    def _on_slider(self, index: int) -> None:
        self._passes.go_to(self._stage_id, self._passes.stops(self._stage_id)[index])

    def _on_every(self, on: bool) -> None:
        self._passes.every = on

    def _dress(self) -> None:
        for button, name in ((self.back, "back"), (self.forward, "forward")):
            button.setIcon(icon(name))
        self._fill()


def _index(stops: list[int | None], position: int | None) -> int:
    """The stop at a position, or the one before it (a pass that changed nothing may not count)."""
    if position is None:
        return len(stops) - 1
    return max(index for index, stop in enumerate(stops) if stop is not None and stop <= position)


def _title(replay: Replay, position: int | None, step: ReplayStep | None) -> str:
    before, after = tr_all(_ENDS.get(replay.steps[0].phase, _ENDS_OF_PASSES))
    if position is None:
        return after
    if step is None:
        return before
    phase = "" if step.phase in _ENDS else f"{step.phase.replace('_', '-')}: "
    seconds = f"   {_time(step.seconds)}" if step.seconds else ""
    return f"{phase}{step.name}{seconds}"


def _time(seconds: float) -> str:
    return time_text(seconds * 1e9)


def _counts(replay: Replay, position: int | None) -> str:
    """``3 of 7 that changed something, 22 ran``."""
    changing = [number for number, step in enumerate(replay.steps, 1) if step.changed_anything]
    if replay.steps[0].phase == LINES:
        return tr("{value} of {count} steps that lines made").format(
            value=len(changing) if position is None else position, count=len(changing)
        )
    ran = tr("{count} ran").format(count=len(replay.steps))
    if not changing:
        return tr("none changed anything · {ran}").format(ran=ran)
    at = len(changing) if position is None else sum(number <= position for number in changing)
    fusing = replay.steps[0].phase == "fusion"
    edits = "" if position is None or fusing else tr(" · only looked at: edits are made after all passes (])")
    return tr("{at} of {count} that changed something · {ran}{edits}").format(
        at=at, count=len(changing), ran=ran, edits=edits
    )


def _rows(step: ReplayStep, most: int) -> tuple[tuple[str, tuple[str, ...], str], ...]:
    """What a pass did, to which nodes, in which colour."""
    colors = current.colors()
    became = dict(step.became)
    gone = [f"{old} → {_names(became[old], most)}" if became.get(old) else old for old in step.removed]
    if step.phase == "fusion" and step.made:
        gone = []
    return (
        (tr("made"), step.made, colors.good),
        (tr("changed"), step.changed, colors.edited),
        (tr("removed"), tuple(gone), colors.error),
    )


def _did_all(step: ReplayStep) -> str:
    """The same in lines of plain text, with more names."""
    rows = [f"{word} {_names(names, _MANY)}" for word, names, _ in _rows(step, _MANY) if names]
    rows += [tr("reordered")] if step.reordered else []
    lines = (textwrap.fill(row, _TIP_WIDTH) for row in (*(rows or [tr("changed nothing")]), step.note))
    return "\n".join(line for line in lines if line)


def _did(step: ReplayStep, most: int) -> str:
    """What a pass did, made and changed in the colours of their boxes."""
    parts = [
        f'<span style="color:{color};font-weight:600">{word}</span> {escape(visible(_names(names, most)))}'
        for word, names, color in _rows(step, most)
        if names
    ]
    parts += [tr("reordered")] if step.reordered else []
    note = f" {_dim(step.note)}" if step.note else ""
    return (" &nbsp; ".join(parts) or _dim(tr("changed nothing"))) + note


def _names(names: tuple[str, ...], most: int) -> str:
    return ", ".join(names[:most]) + and_more(len(names) - most)


def _dim(text: str) -> str:
    return f'<span style="color:{current.colors().dim_text}">{escape(visible(text))}</span>'
