"""Layers of a predicted step: time, the three ceilings, and which of them bounds it. Equal layers are one row."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.panes.timings_pane.narrow_columns import NarrowColumns, fix_widths
from app.widgets.filter_tree import SORT_ROLE, FilterTree, SortableItem
from compiler.analysis.prediction.equal_layers import equal_layers
from compiler.analysis.text_format.times import time_text
from compiler.model.prediction.predicted_step import (
    COMPUTE,
    LAUNCH,
    MEMORY,
    NETWORK,
    LayerTime,
    PredictedStep,
)

_COLUMNS = ("Layer", "Phase", "Together", "Each", "Compute", "Memory", "Network", "Bound by", "Launches")
_LAYER, _PHASE, _SUM, _EACH, _COMPUTE, _MEMORY, _NETWORK, _BOUND, _LAUNCHES = range(len(_COLUMNS))
_WORDS = {
    COMPUTE: "The GPU's arithmetic",
    MEMORY: "The bandwidth of its memory",
    NETWORK: "Its kernels wait for a collective",
    LAUNCH: "The host launches more slowly than the GPU computes",
}


class LayerTable(FilterTree):
    """Sorted by time at first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_COLUMNS, "Filter layers", parent)
        tree = self.tree
        tree.setRootIsDecorated(False)
        tree.setSortingEnabled(True)
        tree.sortByColumn(_SUM, Qt.SortOrder.DescendingOrder)
        fix_widths(
            tree,
            _LAYER,
            {
                _PHASE: "optimizer",
                _SUM: "999.9 ms",
                _EACH: "999.9 ms",
                _COMPUTE: "999.9 ms",
                _MEMORY: "999.9 ms",
                _NETWORK: "999.9 ms",
                _BOUND: "compute",
                _LAUNCHES: "Launches",
            },
        )
        NarrowColumns(
            tree, {_LAUNCHES: 760, _EACH: 700, _MEMORY: 620, _COMPUTE: 620, _NETWORK: 620, _PHASE: 300}
        )

    def show_prediction(self, reported: PredictedStep | None) -> None:
        """Fill it; None clears."""
        self.tree.clear()
        rows = equal_layers(reported.time.layers) if reported is not None else ()
        self.tree.addTopLevelItems([_item(name, row, count) for name, row, count in rows])
        self.apply_filter()


def _item(name: str, row: LayerTime, count: int) -> SortableItem:
    item = SortableItem([name])
    item.setText(_PHASE, row.phase)
    figures = {
        _SUM: row.seconds * count,
        _EACH: row.seconds,
        _COMPUTE: row.compute,
        _MEMORY: row.memory,
        _NETWORK: row.network,
    }
    for column, seconds in figures.items():
        item.setText(column, time_text(seconds * 1e9) if seconds > 0 else "–")
        item.setData(column, SORT_ROLE, seconds)
    item.setText(_BOUND, row.bound)
    item.setToolTip(_BOUND, _WORDS[row.bound])
    item.setText(_LAUNCHES, str(row.launches))
    item.setData(_LAUNCHES, SORT_ROLE, row.launches)
    for column in (*figures, _LAUNCHES):
        item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    return item
