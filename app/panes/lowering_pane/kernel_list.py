"""Triton kernels, a row each, with their configurations inside: registers, memory, warps, occupancy."""

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import QHeaderView, QTreeWidgetItem, QWidget

from app.theme import current
from app.translation.texts import tr, tr_all, tr_noop
from app.widgets.bar_delegate import FRACTION_ROLE, BarDelegate
from app.widgets.filter_tree import FilterTree
from compiler.analysis.gpu.lowering_diff import format_configuration
from compiler.analysis.gpu.occupancy import occupancy
from compiler.model.ir.lowered_kernel import LowerAnswer, Lowered

_COLUMNS = (
    tr_noop("Kernel"),
    tr_noop("Registers"),
    tr_noop("Spilled"),
    tr_noop("Shared"),
    tr_noop("Occupancy"),
    tr_noop("Limited by"),
    tr_noop("Configuration"),
)
_NAME, _REGISTERS, _SPILLED, _SHARED, _OCCUPANCY, _LIMIT, _CONFIGURATION = range(len(_COLUMNS))
_NAME_WIDTH = 175
_KERNEL_ROLE = int(Qt.ItemDataRole.UserRole) + 60
_ROW_ROLE = _KERNEL_ROLE + 1


@dataclass(frozen=True)
class KernelRow:
    """A kernel and what is known of it."""

    name: str
    answer: LowerAnswer | None
    before: LowerAnswer | None
    """Of the same kernel before it was edited."""
    state: str = ""
    """What stands in place of figures: being lowered, why it cannot be."""


class KernelList(FilterTree):
    """A click asks for a kernel, one on a row inside it for a configuration."""

    picked = Signal(str, int)
    """A kernel, and which of its lowered configurations."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr_all(_COLUMNS), tr("Filter kernels"), parent)
        self.tree.setItemDelegate(BarDelegate(self.tree))
        self.tree.setExpandsOnDoubleClick(False)
        self.stretch_column(_NAME)
        self.tree.header().setSectionResizeMode(_NAME, QHeaderView.ResizeMode.Interactive)
        self.tree.header().resizeSection(_NAME, _NAME_WIDTH)
        self.tree.currentItemChanged.connect(self._tell)

    def show_kernels(self, rows: list[KernelRow]) -> None:
        """Show these; the current row stays."""
        kept = self.current()
        self.tree.blockSignals(True)
        self.tree.clear()
        for row in rows:
            item = self._item(row.name, 0, row.name)
            lowered = row.answer.lowered if row.answer is not None else ()
            if lowered:
                self._fill(item, lowered[0], row.before.lowered[0] if row.before is not None else None)
            else:
                item.setText(_CONFIGURATION, row.state)
                item.setForeground(_CONFIGURATION, QBrush(QColor(current.colors().dim_text)))
            self.tree.addTopLevelItem(item)
            for index, other in enumerate(lowered[1:], 1):
                inside = self._item(
                    tr("made after a first launch") if other.after_launch else tr("candidate"),
                    index,
                    row.name,
                )
                self._fill(inside, other, None)
                item.addChild(inside)
            item.setExpanded(row.name == kept[0])
        self.tree.blockSignals(False)
        self.apply_filter()
        if kept[0]:
            self.choose(*kept)

    def current(self) -> tuple[str, int]:
        """The current kernel and configuration; an empty name for none."""
        item = self.tree.currentItem()
        return (item.data(0, _KERNEL_ROLE), item.data(0, _ROW_ROLE)) if item is not None else ("", 0)

    def choose(self, kernel: str, row: int = 0) -> None:
        """Make a kernel's row the current one, without telling that it was picked."""
        for item in self.items():
            if item.data(0, _KERNEL_ROLE) == kernel:
                inside = item.child(row - 1) if row else item
                self.tree.blockSignals(True)
                self.tree.setCurrentItem(inside or item)
                self.tree.blockSignals(False)
                self.tree.scrollToItem(item)
                return

    def _item(self, text: str, row: int, kernel: str) -> QTreeWidgetItem:
        item = QTreeWidgetItem([text])
        item.setData(0, _KERNEL_ROLE, kernel)
        item.setData(0, _ROW_ROLE, row)
        item.setToolTip(0, kernel)
        return item

    def _fill(self, item: QTreeWidgetItem, row: Lowered, before: Lowered | None) -> None:
        colors = current.colors()
        held = occupancy(row)
        old = _figures(before) if before is not None else {}
        for column, text in _figures(row).items():
            changed = column in old and old[column] != text
            reported = changed and column != _CONFIGURATION
            item.setText(column, f"{old[column]} → {text}" if reported else text)
            if column != _CONFIGURATION:
                item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            if changed:
                item.setForeground(column, QBrush(QColor(colors.edited)))
        if row.spilled_bytes:
            item.setForeground(_SPILLED, QBrush(QColor(colors.error)))
        if held is not None:
            item.setData(_OCCUPANCY, FRACTION_ROLE, held.share)
            item.setToolTip(
                _OCCUPANCY,
                tr("{words}\nComputed, not measured, by {source}").format(
                    words=held.words(), source=held.source
                ),
            )
            item.setText(_LIMIT, held.limits() if held.share < 1 else "")

    def _tell(self, *_: object) -> None:
        name, row = self.current()
        if name:
            self.picked.emit(name, row)


def _figures(row: Lowered) -> dict[int, str]:
    held = occupancy(row)
    return {
        _REGISTERS: str(row.registers) if row.registers is not None else "–",
        _SPILLED: f"{row.spilled_bytes:,} B" if row.spilled_bytes is not None else "–",
        _SHARED: f"{row.shared_bytes:,} B",
        _OCCUPANCY: f"{held.share:.0%}" if held is not None else "–",
        _CONFIGURATION: format_configuration(row),
    }
