"""Two things beside each other: groups of rows that say what differs, how it was and how it is."""

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QWidget

from app.translation.texts import tr, tr_noop
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width

_NARROW = 620
_WHAT = Column(tr_noop("What"), width=130)
_BEFORE, _AFTER = tr_noop("Before"), tr_noop("After")


class Difference(Protocol):
    """One difference."""

    @property
    def what(self) -> str: ...
    @property
    def before(self) -> str: ...
    @property
    def after(self) -> str: ...
    @property
    def tooltip(self) -> str: ...
    @property
    def parts(self) -> "Sequence[Difference]": ...


class Differences(Protocol):
    """A titled group of differences."""

    @property
    def title(self) -> str: ...
    @property
    def rows(self) -> Sequence[Difference]: ...
    @property
    def open(self) -> bool: ...


class DifferenceTree(RowTable):
    """Rows that have parts open on demand."""

    row_clicked = Signal(object)
    """The `Difference` that was given for it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_columns("", ""), parent=parent)
        self.tree.setAccessibleName(tr("Differences"))
        self.tree.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.row_picked.connect(self._emit_row)

    def show_groups(self, groups: Sequence[Differences], before: str = "", after: str = "") -> None:
        """Show these differences instead."""
        self.set_columns(_columns(before, after))
        self.set_rows(
            [
                Row(
                    group.title,
                    (Cell(group.title, bold=True),),
                    tuple(map(_row, group.rows)),
                    open=group.open,
                    spanned=True,
                )
                for group in groups
            ]
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow dock the two sides get the room."""
        super().resizeEvent(event)
        self.tree.header().resizeSection(0, 210 if self.width() >= _NARROW else 130)

    def _emit_row(self, row: Row) -> None:
        if row.value is not None:
            self.row_clicked.emit(row.value)


def _columns(before: str, after: str) -> tuple[Column, ...]:
    sides = (before or _BEFORE, after or _AFTER)
    return (_WHAT, *(Column(title, width=Width.STRETCH) for title in sides))


def _row(row: Difference) -> Row:
    cells = (
        Cell(row.what, tooltip=f"{row.what}\n{row.tooltip}" if row.tooltip else row.what),
        Cell(row.before, tooltip=row.before, color="error", monospace=True),
        Cell(row.after, tooltip=row.after, color="good", monospace=True),
    )
    return Row((row.what, row.before, row.after), cells, tuple(map(_row, row.parts)), value=row)
