"""The kernels with their medians, spreads, shares and what the last recompile changed."""

from collections.abc import Mapping

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QWidget

from app.session.timing.timing_recorder import TimingRecorder
from app.theme import current, fonts
from app.widgets.bar_delegate import BAR_COLOR_ROLE, FRACTION_ROLE, BarDelegate
from app.widgets.filter_tree import FILTER_ROLE, SORT_ROLE, FilterTree, SortableItem
from compiler.analysis.text_format.times import change_text, summary_text, time_text
from compiler.model.ir.ids import Place
from compiler.model.timing.timings import TimedKernel, TimingSummary

_COLUMNS = (
    "Kernel",
    "Part",
    "Language",
    "Median",
    "IQR",
    "Share of step",
    "Before → after",
    "Change",
    "Outliers",
)
_NAME, _PART, _LANGUAGE, _MEDIAN, _SPREAD, _SHARE, _BEFORE, _CHANGE, _OUTLIERS = range(len(_COLUMNS))
_WIDEST = (
    "",
    "10/10 backward",
    "extern",
    "9,999 µs",
    "9,999 µs",
    "100.0%",
    "999 µs → 999 µs",
    "~10.00x",
    "99.9%",
)
_HIDDEN_BELOW = {_LANGUAGE: 760, _OUTLIERS: 820, _SPREAD: 620, _PART: 480, _BEFORE: 560}
"""Pixels of width that a column needs before it is shown; names, medians and shares always are."""
_INDEX_ROLE = int(Qt.ItemDataRole.UserRole)


class KernelTable(FilterTree):
    """Row by row the recorder's kernels; the rows selected are those whose curves are drawn."""

    rows_chosen = Signal(list)
    """Indices of the kernels of the selected rows."""
    kernel_clicked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_COLUMNS, "Filter kernels", parent)
        self._rows: list[SortableItem] = []
        self._kernels: tuple[TimedKernel, ...] = ()
        self._names: dict[Place, str] = {}
        self._has_baseline = False
        self.tree.setRootIsDecorated(False)
        self.tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # layers differ at the end
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.tree.setSortingEnabled(True)
        self.tree.sortByColumn(_SHARE, Qt.SortOrder.DescendingOrder)
        self.tree.setItemDelegateForColumn(_SHARE, BarDelegate(self.tree))
        self._set_widths()
        self._fit_columns()
        self.tree.itemSelectionChanged.connect(self._chosen)
        self.tree.itemClicked.connect(lambda item: self.kernel_clicked.emit(item.data(_NAME, _INDEX_ROLE)))
        self.tree.itemActivated.connect(lambda item: self.kernel_clicked.emit(item.data(_NAME, _INDEX_ROLE)))

    def show_times(self, recorder: TimingRecorder, names: Mapping[Place, str]) -> bool:
        """Bring the numbers up to date; `names`: kernels by what and where they compute. True when the kernels are others than before, so that the rows are new."""
        earlier = recorder.baseline.kernels if recorder.baseline is not None else ()
        live = bool(recorder.kernels)
        kernels = recorder.kernels if live else tuple(row.kernel for row in earlier)
        changed = kernels != self._kernels or names != self._names
        if changed:
            self._names = dict(names)
            self._make_rows(kernels)
        step = recorder.dissected_summary()
        before = {row.kernel.place: row.summary for row in earlier}
        if self._has_baseline != bool(earlier):
            self._has_baseline = bool(earlier)
            self._fit_columns()
        self.tree.setSortingEnabled(False)
        for index, (item, kernel) in enumerate(zip(self._rows, self._kernels, strict=True)):
            now = recorder.summary(index) if live else None
            self._write(item, now, step, before.get(kernel.place))
            if now is not None and not self.tree.isColumnHidden(_OUTLIERS):
                _write_outliers(item, recorder.outliers(index), now.count)
        self.tree.setSortingEnabled(True)
        return changed

    def _set_widths(self) -> None:
        """Widths are set once by the widest text to expect: measuring rows twice a second would be too slow."""
        header, metrics = self.tree.header(), self.fontMetrics()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(_NAME, QHeaderView.ResizeMode.Stretch)
        for column, sample in enumerate(_WIDEST):
            widest = max(metrics.horizontalAdvance(sample), metrics.horizontalAdvance(_COLUMNS[column]) + 14)
            header.resizeSection(column, widest + 18)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def _fit_columns(self) -> None:
        """A narrow table keeps what is looked for most; without times before an edit there is no change to show."""
        for column, needed in _HIDDEN_BELOW.items():
            self.tree.setColumnHidden(column, self.width() < needed)
        if not self._has_baseline:
            for column in (_BEFORE, _CHANGE):
                self.tree.setColumnHidden(column, True)

    def select_kernels(self, indices: set[int]) -> None:
        """Select these rows, as a selection elsewhere asks for. Kernels that have no row yet are asked for again
        when the rows are made.
        """
        indices = {index for index in indices if index < len(self._rows)}
        with QSignalBlocker(self.tree):
            for index, item in enumerate(self._rows):
                item.setSelected(index in indices)
        if indices:
            self.tree.scrollToItem(self._rows[min(indices)])
        self._chosen()

    def selected(self) -> list[int]:
        """Indices of the kernels whose rows are selected."""
        return sorted(item.data(_NAME, _INDEX_ROLE) for item in self.tree.selectedItems())

    def row_of(self, index: int) -> SortableItem:
        """The row of a kernel."""
        return self._rows[index]

    def _chosen(self) -> None:
        self.rows_chosen.emit(self.selected())

    def _make_rows(self, kernels: tuple[TimedKernel, ...]) -> None:
        self.tree.clear()
        self._kernels = kernels
        self._rows = []
        for index, kernel in enumerate(kernels):
            graph = kernel.place.stage.partition(":")[0]
            name = self._names.get(kernel.place, kernel.name)
            item = SortableItem([name, f"{graph} {kernel.part}", kernel.language])
            item.setData(_NAME, _INDEX_ROLE, index)
            item.setFont(_NAME, fonts.monospace())
            item.setData(_NAME, FILTER_ROLE, kernel.name)
            item.setToolTip(_NAME, f"{name}\n{kernel.name}\nClick to select it in every pane.")
            for column in (_MEDIAN, _SPREAD, _OUTLIERS, _SHARE, _BEFORE, _CHANGE):
                item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self._rows.append(item)
        self.tree.addTopLevelItems(list(self._rows))
        self.apply_filter()

    def _write(
        self,
        item: SortableItem,
        now: TimingSummary | None,
        step: TimingSummary | None,
        before: TimingSummary | None,
    ) -> None:
        share = now.median / step.median if now is not None and step is not None and step.median else None
        item.setText(_MEDIAN, time_text(now.median) if now is not None else "–")
        item.setText(_SPREAD, time_text(now.high - now.low) if now is not None else "")
        item.setToolTip(
            _MEDIAN, f"{summary_text(now)} in {now.count:,} samples" if now is not None else "did not run"
        )
        item.setText(_SHARE, f"{share:.1%}" if share is not None else "")
        item.setData(_SHARE, FRACTION_ROLE, share)
        item.setData(_SHARE, BAR_COLOR_ROLE, _part_color(item.text(_PART)))
        item.setData(_MEDIAN, SORT_ROLE, now.median if now is not None else -1.0)
        item.setData(_SPREAD, SORT_ROLE, now.high - now.low if now is not None else -1.0)
        item.setData(_SHARE, SORT_ROLE, share if share is not None else -1.0)
        if now is None or before is None:
            item.setText(_BEFORE, f"{time_text(before.median)} →" if before is not None else "")
            item.setText(_CHANGE, "")
            return
        item.setText(_BEFORE, f"{time_text(before.median)} → {time_text(now.median)}")
        change = change_text(before, now)
        item.setText(_CHANGE, change)
        item.setData(_CHANGE, SORT_ROLE, now.median / before.median if before.median else 0.0)
        colors = current.colors()
        clear = not change.startswith("~")
        color = colors.good if now.median < before.median else colors.error
        item.setForeground(_CHANGE, QBrush(QColor(color if clear else colors.dim_text)))
        item.setToolTip(_CHANGE, "Time after over time before; ~ where the quartiles overlap")


def _write_outliers(item: SortableItem, outliers: int, count: int) -> None:
    item.setText(_OUTLIERS, f"{outliers / count:.1%}" if outliers else "none")
    item.setData(_OUTLIERS, SORT_ROLE, outliers / count)
    item.setToolTip(
        _OUTLIERS, f"{outliers:,} of {count:,} samples lie more than 1.5 IQR above the upper quartile"
    )


def _part_color(part: str) -> str:
    colors = current.colors()
    return colors.backward if part.endswith("backward") else colors.forward
