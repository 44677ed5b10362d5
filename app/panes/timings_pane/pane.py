"""Live timings: controls, an honest headline, heat map, curves and a table of kernels."""

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QStackedLayout, QTabWidget, QWidget

from app.concurrency.late_module import LateModule
from app.panes.timings_pane.collectives.collective_page import CollectivePage
from app.panes.timings_pane.compile_page import CompilePage
from app.panes.timings_pane.controls import TimingControls
from app.panes.timings_pane.export_menu import ExportButton
from app.panes.timings_pane.headline import headline_of
from app.panes.timings_pane.kernel_table import KernelTable
from app.panes.timings_pane.memory_page import MemoryPage
from app.panes.timings_pane.plot_place import PlotPlace
from app.panes.timings_pane.predicted.predicted_page import PredictedPage
from app.panes.timings_pane.roof_page import RoofPage
from app.panes.timings_pane.step_page import StepPage
from app.session.facade.session import Session
from app.theme import current
from app.translation.texts import tr, tr_noop
from app.widgets.empty_state import EmptyState
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import row_of, set_column, split_of
from compiler.model.ir.ids import NOWHERE
from compiler.model.timing.timings import TimingSettings

if TYPE_CHECKING:
    from app.panes.timings_pane.plots import TimingPlots

_NOT_READY = {
    "starting": tr_noop("The engine is starting."),
    "busy": tr_noop("The engine is busy; Esc cancels what it does."),
    "stopped": tr_noop("The engine is stopped: Engine › Restart engine."),
}
_CALM_MS = 500
_FRAME_MS = 45
"""Plots are drawn about 22 times a second: more than this the eye does not use and a processor cannot give."""
_FRAMES_A_TEXT = 10
"""Numbers change twice a second, so that they can be read."""
_TALL, _FLAT = [300, 300], [520, 360]
"""Plots and table: the table answers what is slow, and has half of the room."""
_TABS = (
    (tr_noop("Kernels"), tr_noop("Every kernel of every iteration")),
    (tr_noop("One step"), tr_noop("Eager and compiled on one time axis, and where the time of a step goes")),
    (tr_noop("Roofline"), tr_noop("Kernels against what copying and matrix products reach on this machine")),
    (tr_noop("Memory"), tr_noop("Buffers as Inductor planned them over a step, and as measured")),
    (
        tr_noop("Collectives"),
        tr_noop(
            "What is sent to other ranks, and which kernels are called meanwhile, in the order of the calls"
        ),
    ),
    (tr_noop("Compile time"), tr_noop("Where the time of the compile went")),
    (
        tr_noop("Predicted step"),
        tr_noop("Memory of one GPU over a step and what bounds each layer, of what nothing ran of"),
    ),
)


class Page(Protocol):
    """What is behind a tab beside the first."""

    def refresh(self) -> None:
        """Draw what is known now."""

    def mark_selected(self) -> None:
        """The pinned selection is another one."""


class TimingsPane(QWidget):
    """Draws what the recorder holds, only while visible and only when something arrived."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("timings_pane")
        self._session = session
        self._plots: TimingPlots | None = None
        # pyqtgraph takes half a second to load, which nobody need wait for who looks at the page before anything is timed
        self._drawing = LateModule("app.panes.timings_pane.plots", self)
        self._drawing.loaded.connect(self._draw_plots)
        self._calm = QTimer(self, interval=_CALM_MS, singleShot=True)
        self._calm.timeout.connect(self._drawing.begin)
        self._plots_stale = True
        self._texts_stale = True
        self._frame = 0
        self._pinned = NOWHERE
        self.controls = TimingControls(self)
        self.headline = WrappedLabel("", self)
        self.headline.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.table = KernelTable(self)
        self.empty = EmptyState("", "", self)
        self._plot_box = QWidget(self)
        self._plot_stack = QStackedLayout(self._plot_box)
        self._plot_stack.addWidget(self.empty)
        self._split = split_of(self._plot_box, self.table, parent=self, vertical=True, sizes=_TALL)
        self.export = ExportButton(session, self)
        self.step = StepPage(session, self)
        self.roof = RoofPage(session, self)
        self.memory = MemoryPage(session, self)
        self.collectives = CollectivePage(session, self)
        self.compile = CompilePage(session, self)
        self.predicted = PredictedPage(session, self)
        self._pages: tuple[Page, ...] = (
            self.step,
            self.roof,
            self.memory,
            self.collectives,
            self.compile,
            self.predicted,
        )
        self._opened_for = ""
        """The capture whose page was chosen."""
        self.tabs = QTabWidget(self)
        self.tabs.setObjectName("timing_pages")
        self.tabs.setDocumentMode(True)
        for page, (title, tip) in zip((self._split, *self._pages), _TABS, strict=True):
            self.tabs.addTab(page, tr(title))
            self.tabs.setTabToolTip(self.tabs.count() - 1, tr(tip))
        self._plot_place = PlotPlace(self._plot_box, self._split, self.tabs)
        first = row_of((self.controls, 1), (self.export, 0, Qt.AlignmentFlag.AlignTop))
        set_column(self, first, self.headline, (self.tabs, 1), margins=(6, 4, 6, 0), spacing=4)
        self.tabs.currentChanged.connect(self.draw_now)
        self._timer = QTimer(self)
        self._timer.setInterval(_FRAME_MS)
        self._timer.timeout.connect(self._draw_frame)
        self.controls.start_clicked.connect(self._start)
        self.controls.pause_clicked.connect(session.timings.stop)
        self.controls.clear_clicked.connect(session.timings.clear)
        self.table.kernel_clicked.connect(self._select_kernel)
        self.table.rows_chosen.connect(self._mark_rows)
        session.timings_changed.connect(self._data_arrived)
        session.status_changed.connect(self._show_controls)
        session.capture_changed.connect(self._capture_changed)
        session.selection.changed.connect(self._follow_selection)
        current.signals().changed.connect(self._capture_changed)
        self._show_empty()
        self._open_page_with_something()
        self._show_controls()
        self.draw_now()

    # -- drawing -----------------------------------------------------------------------------------------------

    def draw_now(self) -> None:
        """Draw everything that changed, without waiting for the next frame."""
        recorder = self._session.timings
        self._plots_stale = self._texts_stale = False
        self.headline.setText(headline_of(recorder))
        self.export.show_state()
        page = self._page
        if page is not None:
            page.refresh()
            return
        if self.table.show_times(recorder, self._session.measured.lines.names()):
            self._pinned = NOWHERE
            self._follow_selection(None)
        self._draw_plots()

    @property
    def _page(self) -> "Page | None":
        """The page in front; None for the table of kernels and the plots."""
        index = self.tabs.currentIndex() - self._plot_place.own_page
        return self._pages[index - 1] if index > 0 else None

    def _draw_plots(self) -> None:
        recorder = self._session.timings
        self._plot_place.set_needed(bool(recorder.kernels))
        if self._page is not None:
            return
        if self._drawing.module is None or not recorder.kernels:
            self._plot_stack.setCurrentWidget(self.empty)
            return
        if self._plots is None:
            self._plots = self._drawing.module.TimingPlots(self)
            self._plots.row_clicked.connect(self._row_clicked)
            self._plot_stack.addWidget(self._plots)
            self._mark_rows(self.table.selected_kernels())
        self._plot_stack.setCurrentWidget(self._plots)
        self._plots.show_times(
            recorder,
            [row for row in self.table.selected_kernels() if row < len(recorder.kernels)],
            self._session.measured.lines.names(),
        )

    def _draw_frame(self) -> None:
        self._frame += 1
        if self._texts_stale and self._frame % _FRAMES_A_TEXT == 0:
            self.draw_now()
        elif self._plots_stale:
            self._plots_stale = False
            self._draw_plots()

    def _data_arrived(self) -> None:
        self._plots_stale = self._texts_stale = True
        self._show_controls()

    def _capture_changed(self) -> None:
        self._show_empty()
        self._open_page_with_something()
        self._data_arrived()
        self.draw_now()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        # once all is drawn: every call of the window's into Qt would wait for the other thread
        self._calm.start()
        self.draw_now()
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()
        self._calm.stop()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Plots above the table in a tall dock, beside it in a flat one."""
        super().resizeEvent(event)
        flat = self.width() > 2 * self.height()
        direction = Qt.Orientation.Horizontal if flat else Qt.Orientation.Vertical
        if direction != self._split.orientation():
            self._split.setOrientation(direction)
            if not self._plot_place.own_page:
                self._split.setSizes(_FLAT if flat else _TALL)

    # -- asking ------------------------------------------------------------------------------------------------

    def _show_controls(self) -> None:
        state, timings = self._session.engine_state, self._session.timings
        why_not = self._session.why_not_run
        can_start = not why_not and state == "ready"
        self.controls.show_running(
            timings.running, can_start, why_not or tr(_NOT_READY.get(state, "")), timings.has_samples
        )

    def _show_empty(self) -> None:
        """What there is to time; it changes with the capture, not with each batch of times."""
        capture = self._session.capture
        if capture is not None and (why_not := self._session.why_not_run):
            only_compiled = capture.spec.is_only_compiled
            self.empty.show_text(tr("Compiled, not run") if only_compiled else tr("Recorded"), why_not)
            return
        self.empty.show_text(
            tr("Nothing timed yet"),
            tr(
                "Start runs the compiled program again and again and times every kernel call, the whole step, and the "
                "eager program as the baseline."
            ),
        )

    def _open_page_with_something(self) -> None:
        """A prediction, of a new capture that has only that; back from there, where the next one can be timed."""
        capture = self._session.capture
        shown = capture.id if capture is not None else ""
        if shown == self._opened_for:
            return
        self._opened_for = shown
        predicted = capture is not None and capture.spec.is_only_compiled and capture.step is not None
        if predicted and self._page is None:
            self.tabs.setCurrentWidget(self.predicted)
        elif not predicted and self._page is self.predicted:
            self.tabs.setCurrentIndex(0)

    def _start(self, settings: TimingSettings) -> None:
        self._session.timings.start(settings)

    def _row_clicked(self, row: int) -> None:
        self.table.select_kernels({row})
        self._select_kernel(row)

    def _select_kernel(self, index: int) -> None:
        kernels = self._session.timings.kernels
        if index < len(kernels):
            self._session.selection.select(kernels[index].place, self)

    def _follow_selection(self, sender: object) -> None:
        """Select the rows of the kernels that the pinned selection became."""
        broker = self._session.selection
        moved, self._pinned = broker.pinned != self._pinned, broker.pinned
        if moved and self._page is not None:
            self._page.mark_selected()
        if sender is self or not moved:
            return
        self.table.select_kernels(
            {
                index
                for index, kernel in enumerate(self._session.timings.kernels)
                if not broker.pinned_in(kernel.place.stage).isdisjoint(kernel.place.nodes)
            }
        )

    def _mark_rows(self, rows: list[int]) -> None:
        self._plots_stale = True
        if self._plots is not None:
            self._plots.heat_map.mark_rows(rows)
