"""Everything that one configuration of a kernel needs, beside what it needed before it was edited."""

from PySide6.QtWidgets import QWidget

from app.translation.texts import tr, tr_noop
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width
from compiler.analysis.gpu.lowering_diff import INDENT, NeedRow, need_rows
from compiler.model.ir.lowered_kernel import Lowered

_COLUMNS = (
    Column(tr_noop("What")),
    Column(tr_noop("Before"), width=Width.STRETCH),
    Column(tr_noop("Now"), width=Width.STRETCH),
)
_BEFORE = 1


class NeedsView(RowTable):
    """Rows that changed are in the colour of edits."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_COLUMNS, parent=parent)
        self.tree.setAccessibleName(tr("What the kernel needs"))

    def show_needs(self, before: Lowered | None, now: Lowered | None) -> None:
        """Show a configuration; `before` is the one it is compared with."""
        self.leave_out({_BEFORE} if before is None else ())
        groups: list[list[NeedRow]] = []
        for row in need_rows(before, now) if now is not None else ():
            if not groups or not row.what.startswith(INDENT):
                groups.append([])
            groups[-1].append(row)
        self.set_rows([_row(head, tuple(map(_row, inside))) for head, *inside in groups])


def _row(row: NeedRow, inside: tuple[Row, ...] = ()) -> Row:
    what = row.what.strip()
    color = "edited" if row.before and row.before != row.after else ""
    cells = (
        Cell(what),
        Cell(row.before, tooltip=row.before),
        Cell(row.after, tooltip=row.after, color=color),
    )
    return Row(what, cells, inside, open=True)
