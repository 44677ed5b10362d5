"""Layers of a predicted step: time, the three ceilings, and which of them bounds it. Equal layers are one row."""

from PySide6.QtWidgets import QWidget

from app.translation.texts import tr, tr_noop
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width
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

_TIME = "999.9 ms"
_COLUMNS = (
    Column(tr_noop("Layer, phase"), width=Width.STRETCH, wraps=True),
    Column(tr_noop("Together"), width=_TIME, right=True),
    Column(tr_noop("Each"), width=_TIME, right=True, needs=700),
    Column(tr_noop("Compute"), width=_TIME, right=True, needs=620),
    Column(tr_noop("Memory"), width=_TIME, right=True, needs=620),
    Column(tr_noop("Network"), width=_TIME, right=True, needs=620),
    Column(tr_noop("Bound by"), width="compute"),
    Column(tr_noop("Launches"), width="Launches", right=True, needs=760),
)
_TOGETHER = 1
_WORDS = {
    COMPUTE: tr_noop("The GPU's arithmetic"),
    MEMORY: tr_noop("The bandwidth of its memory"),
    NETWORK: tr_noop("Its kernels wait for a collective"),
    LAUNCH: tr_noop("The host launches more slowly than the GPU computes"),
}


class LayerTable(RowTable):
    """Sorted by time at first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_COLUMNS, tr("Filter layers"), parent)
        self.tree.setRootIsDecorated(False)
        self.sort_by(_TOGETHER, descending=True)

    def show_prediction(self, reported: PredictedStep | None) -> None:
        """Fill it; None clears."""
        rows = equal_layers(reported.time.layers) if reported is not None else ()
        self.set_rows([_row(*row) for row in rows])


def _row(name: str, row: LayerTime, count: int) -> Row:
    times = (row.seconds * count, row.seconds, row.compute, row.memory, row.network)
    cells = (
        Cell(f"{name}\n{row.phase}"),
        *(Cell(time_text(seconds * 1e9) if seconds > 0 else "–", seconds) for seconds in times),
        Cell(row.bound, tooltip=tr(_WORDS[row.bound])),
        Cell(str(row.launches), row.launches),
    )
    return Row((name, row.phase), cells)
