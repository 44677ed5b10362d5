"""The kernels with their medians, spreads, shares and what the last recompile changed."""

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QWidget

from app.session.timing.timing_recorder import TimingRecorder
from app.translation.texts import tr, tr_noop
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width
from compiler.analysis.text_format.times import change_text, summary_text, time_text
from compiler.model.ir.ids import Place
from compiler.model.timing.timings import TimedKernel, TimingSummary

_COLUMNS = (
    Column(tr_noop("Kernel"), width=Width.STRETCH),
    Column(tr_noop("Part"), width="10/10 backward", needs=480),
    Column(tr_noop("Language"), width="Language ", needs=760),
    Column(tr_noop("Median"), width="9,999 µs ", right=True),
    Column(tr_noop("IQR"), width="9,999 µs", right=True, needs=620),
    Column(tr_noop("Share of step"), width="Share of step ", right=True, bar=True),
    Column(tr_noop("Before → after"), width="999 µs → 999 µs", right=True, needs=560),
    Column(tr_noop("Change"), width="~10.00x ", right=True),
    Column(tr_noop("Outliers"), width="Outliers ", right=True, needs=820),
)
"""Names, medians and shares are always shown. Widths are for the widest text to expect: rows change twice a second."""
_SHARE, _BEFORE, _CHANGE, _OUTLIERS = 5, 6, 7, 8


class KernelTable(RowTable):
    """Row by row the recorder's kernels; the rows selected are those whose curves are drawn."""

    rows_chosen = Signal(list)
    """Indices of the kernels of the selected rows."""
    kernel_clicked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_COLUMNS, tr("Filter kernels"), parent)
        self._kernels: tuple[TimedKernel, ...] = ()
        self._names: dict[Place, str] = {}
        self.tree.setRootIsDecorated(False)
        self.tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # layers differ at the end
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.sort_by(_SHARE, descending=True)
        self.leave_out((_BEFORE, _CHANGE))
        self.selection_changed.connect(self._chosen)
        self.row_picked.connect(lambda row: self.kernel_clicked.emit(row.value))

    def show_times(self, recorder: TimingRecorder, names: Mapping[Place, str]) -> bool:
        """Bring the numbers up to date; `names`: kernels by what and where they compute. True when the kernels are others than before, so that the rows are new."""
        earlier = recorder.baseline.kernels if recorder.baseline is not None else ()
        live = bool(recorder.kernels)
        kernels = recorder.kernels if live else tuple(row.kernel for row in earlier)
        changed = kernels != self._kernels or names != self._names
        self._kernels, self._names = kernels, dict(names)
        step = recorder.dissected_summary()
        before = {row.kernel.place: row.summary for row in earlier}
        self.leave_out(() if earlier else (_BEFORE, _CHANGE))
        counts_outliers = live and not self.tree.isColumnHidden(_OUTLIERS)
        rows = []
        for index, kernel in enumerate(kernels):
            now = recorder.summary(index) if live else None
            outliers = (
                _outliers(recorder.outliers(index), now.count)
                if now is not None and counts_outliers
                else Cell()
            )
            name = names.get(kernel.place, kernel.name)
            cells = (
                *_about(kernel, name),
                *_times(kernel, now, step),
                *_changes(before.get(kernel.place), now),
                outliers,
            )
            rows.append(Row(kernel.place, cells, value=index, found_by=kernel.name))
        self.set_rows(rows)
        return changed

    def select_kernels(self, indices: set[int]) -> None:
        """Select these rows, as a selection elsewhere asks for. Kernels that have no row yet are asked for again
        when the rows are made.
        """
        self.select({self._kernels[index].place for index in indices if index < len(self._kernels)})
        self._chosen()

    def selected_kernels(self) -> list[int]:
        """Indices of the kernels whose rows are selected."""
        return sorted(row.value for row in self.selected() if isinstance(row.value, int))

    def _chosen(self) -> None:
        self.rows_chosen.emit(self.selected_kernels())


def _about(kernel: TimedKernel, name: str) -> tuple[Cell, Cell, Cell]:
    tip = tr("{name}\n{name2}\nClick to select it in every pane.").format(name=name, name2=kernel.name)
    return Cell(name, tooltip=tip, monospace=True), Cell(_part(kernel)), Cell(kernel.language)


def _part(kernel: TimedKernel) -> str:
    return f"{kernel.place.stage.partition(':')[0]} {kernel.part}"


def _times(
    kernel: TimedKernel, now: TimingSummary | None, step: TimingSummary | None
) -> tuple[Cell, Cell, Cell]:
    """Median, spread and share."""
    if now is None:
        return Cell("–", -1.0, tr("did not run")), Cell("", -1.0), Cell("", -1.0)
    share = now.median / step.median if step is not None and step.median else None
    spread = now.high - now.low
    color = "backward" if _part(kernel).endswith("backward") else "forward"
    shown = f"{share:.1%}" if share is not None else ""
    return (
        Cell(
            time_text(now.median),
            now.median,
            tr("{time} in {count:,} samples").format(time=summary_text(now), count=now.count),
        ),
        Cell(time_text(spread), spread),
        Cell(shown, share if share is not None else -1.0, fraction=share, bar_color=color),
    )


def _changes(before: TimingSummary | None, now: TimingSummary | None) -> tuple[Cell, Cell]:
    """What it took before the recompile, and the ratio."""
    if before is None or now is None:
        return Cell(f"{time_text(before.median)} →" if before is not None else ""), Cell()
    change = change_text(before, now)
    color = "good" if now.median < before.median else "error"
    ratio = Cell(
        change,
        now.median / before.median if before.median else 0.0,
        tr("Time after over time before; ~ where the quartiles overlap"),
        color="dim_text" if change.startswith("~") else color,
    )
    return Cell(f"{time_text(before.median)} → {time_text(now.median)}"), ratio


def _outliers(outliers: int, count: int) -> Cell:
    return Cell(
        f"{outliers / count:.1%}" if outliers else tr("none"),
        outliers / count,
        tr("{outliers:,} of {count:,} samples lie more than 1.5 IQR above the upper quartile").format(
            outliers=outliers, count=count
        ),
    )
