"""Triton kernels, a row each, with their configurations inside: registers, memory, warps, occupancy."""

from dataclasses import dataclass

import msgspec
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.translation.texts import tr, tr_noop
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row
from compiler.analysis.gpu.lowering_diff import format_configuration
from compiler.analysis.gpu.occupancy import occupancy
from compiler.model.ir.lowered_kernel import LowerAnswer, Lowered

_COLUMNS = (
    Column(tr_noop("Kernel"), width=320),
    Column(tr_noop("Registers"), right=True),
    Column(tr_noop("Spilled"), right=True),
    Column(tr_noop("Shared"), right=True),
    Column(tr_noop("Occupancy"), right=True, bar=True),
    Column(tr_noop("Limited by")),
    Column(tr_noop("Configuration")),
)


@dataclass(frozen=True)
class KernelRow:
    """A kernel and what is known of it."""

    name: str
    """Torch's own."""
    title: str
    """What and where it computes."""
    calls: int
    answer: LowerAnswer | None
    before: LowerAnswer | None
    """Of the same kernel before it was edited."""
    state: str = ""
    """What stands in place of figures: being lowered, why it cannot be."""


class KernelList(RowTable):
    """A click asks for a kernel, one on a row inside it for a configuration."""

    picked = Signal(str, int)
    """A kernel, and which of its lowered configurations."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_COLUMNS, tr("Filter kernels"), parent)
        self.tree.setExpandsOnDoubleClick(False)
        self.current_changed.connect(self._emit_row)

    def show_kernels(self, rows: list[KernelRow]) -> None:
        """Show these, the current one unfolded."""
        self.set_rows([_kernel(row, row.name == self.at()[0]) for row in rows])

    def at(self) -> tuple[str, int]:
        """The current kernel and configuration; an empty name for none."""
        row = self.current()
        return row.key if row is not None else ("", 0)  # type: ignore[return-value]  # what `_kernel` gave

    def choose(self, kernel: str) -> None:
        """Make a kernel's row the current one, without telling that it was picked."""
        self.select({(kernel, 0)})

    def _emit_row(self, row: Row | None) -> None:
        if row is not None:
            self.picked.emit(*self.at())


def _kernel(row: KernelRow, is_open: bool) -> Row:
    often = tr("called %n time(s)", None, row.calls)
    title = f"{row.title} ×{row.calls}" if row.calls > 1 else row.title
    name = Cell(title, tooltip=f"{row.title}\n{row.name}, {often}")
    lowered = row.answer.lowered if row.answer is not None else ()
    if not lowered:
        empty = (Cell(),) * (len(_COLUMNS) - 2)
        return Row((row.name, 0), (name, *empty, Cell(row.state, color="dim_text")))
    before = row.before.lowered[0] if row.before is not None and row.before.lowered else None
    inside = tuple(
        Row(
            (row.name, index),
            (
                Cell(
                    tr("made after a first launch") if other.after_launch else tr("candidate"),
                    tooltip=row.name,
                ),
                *_figures(other, None),
            ),
        )
        for index, other in enumerate(lowered[1:], 1)
    )
    return Row((row.name, 0), (name, *_figures(lowered[0], before)), inside, open=is_open)


def _figures(row: Lowered, before: Lowered | None) -> tuple[Cell, ...]:
    """Of all columns behind the name; what an edit changed is in its colour, with what it was."""
    now, held = _texts(row), occupancy(row)
    was = _texts(before) if before is not None else now
    registers, spilled, shared, share = (
        Cell(new if new == old else f"{old} → {new}", color="" if new == old else "edited")
        for new, old in zip(now, was, strict=True)
    )
    if row.spilled_bytes:
        spilled = msgspec.structs.replace(spilled, color="error")
    if held is not None:
        source = tr("{words}\nComputed, not measured, by {source}").format(
            words=held.words(), source=held.source
        )
        share = msgspec.structs.replace(share, fraction=held.share, tooltip=source)
    limit = Cell(held.limits() if held is not None and held.share < 1 else "")
    configuration = format_configuration(row)
    changed = before is not None and format_configuration(before) != configuration
    return registers, spilled, shared, share, limit, Cell(configuration, color="edited" if changed else "")


def _texts(row: Lowered) -> tuple[str, str, str, str]:
    held = occupancy(row)
    return (
        str(row.registers) if row.registers is not None else "–",
        f"{row.spilled_bytes:,} B" if row.spilled_bytes is not None else "–",
        f"{row.shared_bytes:,} B",
        f"{held.share:.0%}" if held is not None else "–",
    )
