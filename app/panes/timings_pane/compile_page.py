"""The page of compile time: by phase, pass, kernel build and stage; what adds up to the wall time, and what is the rest."""

from PySide6.QtWidgets import QWidget

from app.session.facade.session import Session
from app.translation.texts import tr, tr_noop
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import set_column
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width
from compiler.analysis.text_format.times import time_text
from compiler.analysis.timing.compile_times import REST, TimedRow, by_build, by_pass, by_phase, by_stage
from compiler.model.capture.capture import Capture

_COLUMNS = (
    Column(tr_noop("What"), width=Width.STRETCH),
    Column(tr_noop("Time"), width="999.9 ms", right=True),
    Column(tr_noop("Of the wall time"), width="Of the wall time", right=True, bar=True),
    Column(tr_noop("Times"), width="Times", right=True, needs=560),
    Column(tr_noop("Where"), width="0/0, 1/0, 2/0 forward", needs=700),
)
_MOST_DEPTH = 40
_OPEN_SHARE = 0.25
"""A phase that takes at least so much of the whole is shown open."""
_LEAST_REST = 0.001
"""Of the whole: less of it is no rest worth a word."""
_TIPS = {
    "whole compile": tr_noop(
        "Torch's own phases, one inside the other; each adds up, what no phase covers is the rest"
    ),
    "passes over graphs": tr_noop("Passes run inside the phases above"),
    "kernel builds": tr_noop(
        "Runs of the C++ compiler; they go on side by side, so together they may exceed the wall time"
    ),
    "stages": tr_noop(
        "As they stand in the pipeline; a stage may hold others' time, such as the builds of its kernels"
    ),
}


class CompilePage(QWidget):
    """Filled by `refresh`."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._capture: Capture | None = None
        self.summary = WrappedLabel("", self)
        self.table = RowTable(_COLUMNS, tr("Filter phases, passes and builds"), self)
        set_column(self, self.summary, (self.table, 1), margins=(0, 4, 0, 0), spacing=3)

    def refresh(self) -> None:
        """Draw the capture shown, if it is another one."""
        capture = self._session.capture
        if capture is self._capture:
            return
        self._capture = capture
        if capture is None:
            self.table.set_rows(())
            self.summary.setText(tr("Nothing is captured yet."))
            return
        whole = by_phase(capture)
        groups = [row for row in (whole, by_pass(capture), by_build(capture), by_stage(capture)) if row.rows]
        self.table.set_rows([_row(group, capture.seconds) for group in groups])
        self.summary.setText(_summary(capture, whole))

    def mark_selected(self) -> None:
        """Nothing here is a node."""


def _row(row: TimedRow, whole: float, depth: int = 0) -> Row:
    """Phases that take much are shown open as far as those around them are."""
    share = row.seconds / whole if whole else 0.0
    is_rest = row.name == REST
    cells = (
        Cell(row.name, tooltip="" if depth else tr(_TIPS[row.name]), monospace=bool(depth) and not is_rest),
        Cell(time_text(row.seconds * 1e9), row.seconds),
        Cell(f"{share:.1%}", share, fraction=share, bar_color="dim_text" if is_rest else "accent"),
        Cell(f"{row.count:,}" if row.count > 1 else ""),
        Cell(row.detail, tooltip=row.detail),
    )
    inside = row.rows if depth < _MOST_DEPTH else ()
    children = tuple(_row(part, whole, depth + 1) for part in inside)
    return Row(row.name, cells, children, open=not depth or share >= _OPEN_SHARE)


def _summary(capture: Capture, whole: TimedRow) -> str:
    what = tr("This recompile") if capture.parent else tr("This capture, its first run included,")
    text = tr("{what} took {time} of wall time with everything listening.").format(
        what=what, time=time_text(capture.seconds * 1e9)
    )
    if not whole.rows:
        return tr("{text} Torch's phases were not recorded with it.").format(text=text)
    rest = next((row.seconds for row in whole.rows if row.name == REST), 0.0)
    if rest < _LEAST_REST * whole.seconds:
        return tr("{text} Torch's phases cover all of it.").format(text=text)
    return tr(
        "{text} Torch's phases cover {time}; the rest, {time2}, is the program's "
        "own run and what no phase names."
    ).format(text=text, time=time_text((whole.seconds - rest) * 1e9), time2=time_text(rest * 1e9))
