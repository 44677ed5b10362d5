"""Every compile of a process: what it took, how often it was used, and why it was made."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.translation.compiler_texts import translate_fixed_text
from app.translation.texts import tr, tr_noop
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width
from compiler.analysis.running.run_summary import CompileRow
from compiler.analysis.text_format.times import time_text

_NARROW = 620
"""In a narrow dock the numbers of calls give way to the reason."""
_COLUMNS = (
    Column("", tr_noop("Torch's compile id: frame / which compile of it")),
    Column(tr_noop("Compiled")),
    Column(
        tr_noop("Compile"),
        tr_noop("Wall time of this compile; a backward that was compiled later is a bar of its own"),
        right=True,
    ),
    Column(tr_noop("Kernels"), right=True, needs=_NARROW),
    Column(tr_noop("Calls"), tr_noop("How often its graph was called so far"), right=True, needs=_NARROW),
    Column(tr_noop("A call"), tr_noop("Mean of a call of its forward, without the first one"), right=True),
    Column(
        tr_noop("Why again, or why not"),
        tr_noop("The guard that failed, in torch's words, or why it runs eagerly"),
        width=Width.STRETCH,
    ),
)


class CompileTable(RowTable):
    """A click leads to the compile in the other panes."""

    picked = Signal(object)
    """A CompileRow."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_COLUMNS, tr("Filter compiles"), parent)
        self.rows: tuple[CompileRow, ...] = ()
        self.tree.setRootIsDecorated(False)
        self.row_picked.connect(lambda row: self.picked.emit(row.value))

    def show_rows(self, rows: tuple[CompileRow, ...]) -> None:
        """Show these. Rows that were there keep their place and what is selected: only what is new changes."""
        self.rows = rows
        self.set_rows([_row(row) for row in rows])


def _row(row: CompileRow) -> Row:
    name = f"{row.name} ({row.path.rpartition('/')[2]}:{row.line})"
    each = row.microseconds
    cells = (
        _tipped(0, row.id),
        Cell(name, tooltip=f"{row.path}:{row.line}"),
        _tipped(2, time_text(row.seconds * 1e9) if row.seconds is not None else "–"),
        Cell(f"{row.kernels:,}" if row.kernels else "–"),
        _tipped(4, f"{row.calls:,}" if row.calls else "–"),
        _tipped(5, time_text(each * 1e3) if each is not None else "–"),
        Cell(
            " · ".join(translate_fixed_text(part) for part in row.why),
            tooltip="\n".join(filter(None, (row.outcome or row.cause, row.caches))),
            color="error" if row.outcome else "",
        ),
    )
    return Row(row.id, cells, value=row)


def _tipped(column: int, text: str) -> Cell:
    return Cell(text, tooltip=tr(_COLUMNS[column].tip))
