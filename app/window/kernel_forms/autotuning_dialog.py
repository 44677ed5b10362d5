"""What torch timed on the GPU while it compiled: every candidate with its time, the fastest first."""

from PySide6.QtWidgets import QWidget

from app.translation.texts import tr, tr_noop
from app.widgets.form_dialog import FormDialog
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import set_column
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width
from compiler.model.capture.capture import Capture
from compiler.model.capture.gpu_autotuning import TEMPLATE, Candidate, MeasuredChoice

_SIZE = (1240, 620)
_COLUMNS = (
    Column(tr_noop("Candidate"), width=300),
    Column(tr_noop("Time"), right=True),
    Column(tr_noop("Over the fastest")),
    Column(tr_noop("Configuration"), width=Width.STRETCH),
)
_ABOUT = tr_noop(
    "Times are torch's own, on the GPU of this capture. For a matrix product they are of templates and library calls "
    "(max-autotune); for a generated kernel of its blocks and warps, at the first launch."
)


class MeasuredDialog(FormDialog):
    """A row a decision, its candidates below it."""

    def __init__(self, capture: Capture, parent: QWidget | None = None) -> None:
        super().__init__(tr("Measured choices"), parent)
        self.resize(*_SIZE)
        about = WrappedLabel(tr(_ABOUT), self)
        self.table = RowTable(_COLUMNS, parent=self)
        self.table.tree.setAccessibleName(tr("Measured choices"))
        self.table.tree.setAlternatingRowColors(True)
        self.table.set_rows([_choice(choice) for choice in capture.measured])
        set_column(self, about, (self.table, 1))


def _choice(choice: MeasuredChoice) -> Row:
    kind = tr("templates and libraries") if choice.what == TEMPLATE else tr("configurations")
    best = choice.candidates[0].seconds if choice.candidates else None
    cells = (
        Cell(choice.subject, tooltip=choice.subject),
        Cell(),
        Cell(),
        Cell(f"{len(choice.candidates)} {kind}"),
    )
    return Row(choice.subject, cells, tuple(_candidate(row, best) for row in choice.candidates), open=True)


def _candidate(row: Candidate, best: float | None) -> Row:
    spent = f"{row.seconds * 1e6:,.2f} µs" if row.seconds is not None else tr("could not run")
    over = f"{row.seconds / best:.2f} ×" if row.seconds is not None and best else ""
    cells = (
        Cell(row.name, tooltip=row.name),
        Cell(spent),
        Cell(over),
        Cell(row.configuration, tooltip=row.configuration),
    )
    return Row(row.name, cells)
