"""The table of front ends: one row each, filled as cells come."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractItemView, QWidget

from app.translation.texts import tr, tr_noop
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row
from compiler.analysis.text_format.times import time_text
from compiler.model.capture.front_ends import COMPARED
from compiler.model.front_end_comparison.front_end_matrix import (
    FrontEndCell,
    Judgement,
    Outcome,
    format_verdict,
)
from compiler.model.ir.tensor_types import describe_bytes

_WIDE = 1000
"""Pixels; where less is given, longer texts are cut, and whole in their tooltips."""
_COLUMNS = (
    Column(tr_noop("Front end"), most=190),
    Column(
        tr_noop("Example"),
        tr_noop(
            "Beside eager: results, arguments and buffers after the call, gradients, and what is printed."
        ),
        most=_WIDE,
    ),
    Column(
        tr_noop("Other inputs"),
        tr_noop(
            "Inputs you gave and inputs that were found by trying. Red: something else than eager's, and no error."
        ),
        most=210,
    ),
    Column(tr_noop("Graphs"), most=_WIDE, right=True),
    Column(
        tr_noop("Ops"),
        tr_noop("Calls in its graphs; of eager the aten operations that were dispatched in the forward."),
        most=_WIDE,
        right=True,
    ),
    Column(
        tr_noop("Capture"),
        tr_noop("The capture itself; of torch.compile the first call, which compiles."),
        most=_WIDE,
        right=True,
    ),
    Column(
        tr_noop("Run (median)"),
        tr_noop("Forward on the example, interleaved with eager in the same process."),
        most=_WIDE,
        right=True,
    ),
    Column(tr_noop("Quartiles"), most=_WIDE, right=True),
    Column(
        tr_noop("÷ eager"),
        tr_noop(
            "Its time over eager's, of pairs run one after the other; grey where the two cannot be told apart."
        ),
        most=_WIDE,
        right=True,
    ),
    Column(
        tr_noop("Peak memory"),
        tr_noop(
            "Most that one forward had allocated at a time, as torch's allocator saw it: the GPU's, where it runs there."
        ),
        most=_WIDE,
        right=True,
    ),
)


class MatrixTable(RowTable):
    """Knows rows by the front end's name."""

    chosen = Signal(str)
    opened = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_COLUMNS, parent=parent)
        self.tree.setAccessibleName(tr("Front ends"))
        self.tree.setRootIsDecorated(False)
        self.tree.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.tree.header().setStretchLastSection(True)
        self.current_changed.connect(lambda _: self.chosen.emit(self.front_end()))
        self.activated.connect(lambda row: self.opened.emit(row.key))
        self.show_cells({}, "", ())

    def front_end(self) -> str:
        """The front end that is looked at, or empty."""
        row = self.current()
        return str(row.key) if row is not None else ""

    def show_cells(self, cells: dict[str, FrontEndCell], running: str, waiting: tuple[str, ...]) -> None:
        """Fill all rows."""
        rows = []
        for front_end in COMPARED:
            name = front_end.name
            made: tuple[Cell, ...] = ()
            if name in cells:
                made = _cells(cells[name])
            elif name == running or name in waiting:
                made = (Cell(tr("running") if name == running else tr("waits"), color="dim_text"),)
            rows.append(Row(name, (Cell(front_end.title, tooltip=front_end.lesson), *made)))
        self.set_rows(rows)


def _cells(cell: FrontEndCell) -> tuple[Cell, ...]:
    if cell.problem is not None:
        return (
            Cell(tr("skipped"), color="dim_text")
            if cell.skipped
            else Cell(tr("not captured"), color="warning"),
            Cell(_short(cell.problem.what), tooltip=cell.problem.what, color="dim_text"),
        )
    run, ratio, example = cell.run, cell.ratio, cell.of_example()
    spread = tr("{time} to {time2}").format(time=time_text(run.low), time2=time_text(run.high)) if run else ""
    clear = ratio is not None and ratio.clear
    return (
        _verdict((example,) if example else ()),
        _verdict(cell.of_others()),
        Cell(str(cell.graphs)),
        Cell(str(cell.operations)),
        Cell(f"{cell.capture_seconds * 1e3:,.0f} ms"),
        Cell(time_text(run.median) if run else ""),
        Cell(spread),
        Cell(
            f"{'' if clear else '~'}{ratio.ratio:.2f}" if ratio is not None else "",
            color="dim_text" if not clear or ratio is None else "good" if ratio.ratio < 1 else "",
        ),
        Cell(describe_bytes(cell.peak_bytes) if cell.peak_bytes is not None else ""),
    )


def _verdict(judgements: tuple[Judgement, ...]) -> Cell:
    words = format_verdict(judgements)
    outcomes = {judgement.outcome for judgement in judgements}
    lost = any(judgement.loses_something for judgement in judgements)
    warned = not outcomes.isdisjoint((Outcome.REFUSED, Outcome.DIED)) or lost
    return Cell(words, tooltip=words, color="warning" if warned else "good", alarm=Outcome.WRONG in outcomes)


def _short(what: str) -> str:
    """The error without which front end it was, which the row says."""
    _, _, rest = what.partition("does not take this program: ")
    return rest or what
