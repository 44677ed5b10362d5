"""The page of one step: eager and compiled on one axis, and below where the compiled step's time goes."""

from PySide6.QtWidgets import QWidget

from app.panes.timings_pane.page_split import PageSplit
from app.panes.timings_pane.parts_table import PartsTable
from app.panes.timings_pane.step_timeline import StepTimeline
from app.panes.timings_pane.timeline_lanes import Lane, color_of, compiled_lane, eager_lane
from app.session.facade.chosen_line import select_line
from app.session.facade.session import Session
from app.theme import current
from app.translation.texts import tr, tr_noop
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import as_widget, column_of, set_column
from app.widgets.legend_strip import LegendEntry, LegendStrip
from compiler.model.ir.graph import SourceLine
from compiler.model.timing.step_trace import SpanKind

_LEGEND = (
    (SpanKind.GENERATED, tr_noop("generated kernel")),
    (SpanKind.EXTERN, tr_noop("extern kernel")),
    (SpanKind.WRAPPER, tr_noop("wrapper")),
    (SpanKind.GRAPH, tr_noop("compiled graph")),
    (SpanKind.OPERATION, tr_noop("eager operation")),
    (SpanKind.AUTOGRAD, tr_noop("autograd node")),
)


class StepPage(QWidget):
    """Filled by `refresh`."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.timeline = StepTimeline(self)
        self.parts = PartsTable(self)
        self.legend = LegendStrip(self)
        self.note = WrappedLabel("", self)
        upper = as_widget(column_of(self.legend, (self.timeline, 1), margins=0, spacing=0), self)
        split = PageSplit(upper, self.parts, self, side_by_side=(460, 440))  # its rows are named by sentences
        set_column(self, self.note, (split, 1), margins=0, spacing=2)
        self.timeline.kernel_clicked.connect(self._select)
        self.timeline.line_clicked.connect(self._select_line)

    def refresh(self) -> None:
        """Draw what the recorder holds."""
        recorder = self._session.timings
        self.parts.show_times(recorder)
        self.timeline.show_lanes(self._lanes())
        colors = current.colors()
        self.legend.set_entries(
            tuple(LegendEntry(tr(text), color_of(kind, colors)) for kind, text in _LEGEND)
            if self.timeline.lanes
            else ()
        )
        self.note.setVisible(not self.timeline.lanes)
        self.note.setText(tr("Start runs the program and shows one step here, eager above compiled."))
        self.mark_selected()

    def mark_selected(self) -> None:
        """Frame the kernels that the pinned selection became."""
        broker = self._session.selection
        marked = {
            index
            for index, kernel in enumerate(self._session.timings.timed_kernels)
            if not broker.pinned_in(kernel.place.stage).isdisjoint(kernel.place.nodes)
        }
        self.timeline.mark_kernels(marked)

    def _lanes(self) -> tuple[Lane, ...]:
        recorder = self._session.timings
        lanes = []
        for trace in recorder.traces():
            if trace.profiled and not trace.compiled:
                lanes.append(eager_lane(trace, recorder.eager_median))
            elif not trace.profiled:
                lanes.append(compiled_lane(trace, recorder.compiled_median))
        return tuple(reversed(lanes))

    def _select(self, kernel: int) -> None:
        kernels = self._session.timings.timed_kernels
        if kernel < len(kernels):
            self._session.selection.select(kernels[kernel].place, self)
            self.mark_selected()

    def _select_line(self, path: str, line: int) -> None:
        if select_line(self._session, SourceLine(path, line), self):
            self.mark_selected()
