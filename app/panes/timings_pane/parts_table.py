"""Where the time of a step goes: the parts with medians, spreads and shares; what is measured and what is a remainder."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from app.panes.timings_pane.narrow_columns import NarrowColumns
from app.panes.timings_pane.timeline_lanes import color_of
from app.session.timing.timing_recorder import TimingRecorder
from app.theme import current
from app.widgets.bar_delegate import BAR_COLOR_ROLE, FRACTION_ROLE, BarDelegate
from compiler.analysis.text_format.times import summary_text, time_text
from compiler.model.timing.step_trace import MEASURED_PARTS, PART_WORDS, SpanKind, StepPart
from compiler.model.timing.timings import TimingSummary

_COLUMNS = ("Part of the compiled step", "Median", "Quartiles", "Share", "How it is known")
_PART, _MEDIAN, _SPREAD, _SHARE, _HOW = range(len(_COLUMNS))
_KINDS = {
    StepPart.GENERATED: SpanKind.GENERATED,
    StepPart.EXTERN: SpanKind.EXTERN,
    StepPart.WRAPPER: SpanKind.WRAPPER,
    StepPart.RUNTIME: SpanKind.GRAPH,
    StepPart.OUTSIDE: SpanKind.FORWARD,
}


class PartsTable(QTreeWidget):
    """One row a part, and one for the guards, which are part of the rest."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Parts of a step")
        self.setColumnCount(len(_COLUMNS))
        self.setHeaderLabels(list(_COLUMNS))
        self.setFrameShape(QTreeWidget.Shape.NoFrame)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setItemDelegate(BarDelegate(self))
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(_PART, QHeaderView.ResizeMode.Stretch)
        for column, sample in ((_MEDIAN, "999.9 µs"), (_SPREAD, "999.9–999.9 µs"), (_SHARE, "100.0%")):
            header.resizeSection(column, self.fontMetrics().horizontalAdvance(sample) + 26)
        header.resizeSection(_HOW, self.fontMetrics().horizontalAdvance("difference of measured times") + 26)
        NarrowColumns(self, {_HOW: 700, _SPREAD: 560})
        self._rows = {part: QTreeWidgetItem(["", "", "", "", ""]) for part in StepPart}
        self._guards = QTreeWidgetItem(["Looking up compiled code: guards", "", "", "", ""])
        self.addTopLevelItems(list(self._rows.values()))
        self._rows[StepPart.OUTSIDE].addChild(self._guards)
        self.expandAll()
        for item in (*self._rows.values(), self._guards):
            for column in (_MEDIAN, _SPREAD, _SHARE):
                item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

    def show_times(self, recorder: TimingRecorder) -> None:
        """Bring the numbers up to date."""
        live = bool(recorder.kernels)
        earlier = recorder.baseline
        step = recorder.dissected_summary() if live else earlier.dissected if earlier is not None else None
        parts = recorder.part_summaries() if live else earlier.parts if earlier is not None else ()
        for part, summary in zip(StepPart, parts or (None,) * len(StepPart), strict=True):
            how = "measured" if part in MEASURED_PARTS else "difference of measured times"
            self._write(self._rows[part], PART_WORDS[part], summary, step, how, _KINDS[part])
        guards = recorder.guard_time()
        steps = (
            f"{guards.count} profiled step{'s' if guards.count != 1 else ''}" if guards is not None else ""
        )
        self._write(
            self._guards, "of that, looking up compiled code: guards", guards, step, steps, SpanKind.GUARDS
        )

    def _write(
        self,
        item: QTreeWidgetItem,
        name: str,
        summary: TimingSummary | None,
        step: TimingSummary | None,
        how: str,
        kind: SpanKind,
    ) -> None:
        share = (
            summary.median / step.median if summary is not None and step is not None and step.median else None
        )
        item.setText(_PART, name)
        item.setToolTip(_PART, f"{name}\n{how}" if how else name)
        item.setText(_MEDIAN, time_text(summary.median) if summary is not None else "–")
        item.setText(
            _SPREAD, summary_text(summary).partition("[")[2].rstrip("]") if summary is not None else ""
        )
        item.setText(_SHARE, f"{share:.1%}" if share is not None else "")
        item.setData(_SHARE, FRACTION_ROLE, share)
        item.setData(_SHARE, BAR_COLOR_ROLE, color_of(kind, current.colors()))
        item.setText(_HOW, how if summary is not None else "")
