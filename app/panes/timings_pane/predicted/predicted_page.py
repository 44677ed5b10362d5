"""The page of the predicted step of a capture that nothing ran of."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTabWidget, QVBoxLayout, QWidget

from app.panes.timings_pane.page_split import PageSplit
from app.panes.timings_pane.predicted.layer_table import LayerTable
from app.panes.timings_pane.predicted.rank_table import RankTable, format_ranks
from app.panes.timings_pane.predicted.step_memory_chart import StepMemoryChart, kind_color
from app.session.facade.session import Session
from app.theme import current
from app.translation.texts import tr, tr_noop
from app.widgets.empty_state import EmptyState
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import set_column, set_pages
from app.widgets.legend_strip import LegendEntry, LegendStrip
from compiler.analysis.prediction.known_machines import machine_for
from compiler.analysis.prediction.predict import predict
from compiler.analysis.text_format.times import time_text
from compiler.model.capture.capture import Capture
from compiler.model.ir.tensor_types import describe_bytes
from compiler.model.prediction.predicted_step import PredictedStep
from compiler.model.prediction.simulated_step import SimulatedStep

_SIDE_BY_SIDE = (420, 470)
"""The table needs room for names and phases: rows are distinguished by both."""

_HOW = tr_noop(
    "Capture for a GPU or without values, with “predict a step” in the group Parallel of the Open form: memory of one "
    "GPU over the step and what bounds each layer."
)


class PredictedPage(QWidget):
    """Filled by `refresh`; computed once a capture, from the capture alone."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._capture: Capture | None = None
        self.reported: PredictedStep | None = None
        self.empty = EmptyState(tr("Nothing predicted"), tr(_HOW), self)
        self.summary = WrappedLabel("", self)
        self.summary.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.legend = LegendStrip(self)
        self.chart = StepMemoryChart(self)
        self.table = LayerTable(self)
        upper, page, empty = QWidget(self), QWidget(self), QWidget(self)
        set_column(upper, self.legend, (self.chart, 1), margins=0, spacing=0)
        self.ranks = RankTable(self)
        self.tables = QTabWidget(self)
        self.tables.setDocumentMode(True)
        self.tables.setTabBarAutoHide(True)
        self.tables.addTab(self.table, tr("Layers"))
        self.tables.addTab(self.ranks, tr("Ranks"))
        split = PageSplit(upper, self.tables, self, side_by_side=_SIDE_BY_SIDE)
        set_column(page, self.summary, (split, 1), margins=(0, 4, 0, 0), spacing=3)
        QVBoxLayout(empty).addWidget(self.empty)
        self._pages = set_pages(self, empty, page)

    def refresh(self) -> None:
        """Draw the capture that is shown."""
        capture = self._session.capture
        if capture is not self._capture:
            self._capture = capture
            self.reported = None
            words = why = ""
            if capture is not None and capture.step is not None:
                try:
                    self.reported = predict(capture, machine_for(capture))
                    words = "\n".join(
                        filter(None, (_format_step(self.reported), _format_stage(capture.step)))
                    )
                except ValueError as error:
                    why = f"{error}."
            self.empty.show_text(tr("Nothing predicted"), why or tr(_HOW))
            self.summary.setText(words)
            self.summary.setToolTip(_details(self.reported) if self.reported is not None else "")
            self.chart.show_prediction(self.reported)
            self.table.show_prediction(self.reported)
            self.ranks.show_prediction(self.reported)
            has_ranks = self.reported is not None and self.reported.ranks is not None
            self.tables.setTabVisible(self.tables.indexOf(self.ranks), has_ranks)
            self.tables.tabBar().setVisible(has_ranks)
            self._pages.setCurrentIndex(1 if words else 0)
        colors = current.colors()
        kinds = [kind for kind, _ in self.reported.memory.by_kind()] if self.reported is not None else []
        self.legend.set_entries(tuple(LegendEntry(kind, kind_color(kind, colors)) for kind in kinds))

    def mark_selected(self) -> None:
        """Nothing here is of one node."""


def _format_step(reported: PredictedStep) -> str:
    time, memory = reported.time, reported.memory
    verdict = tr("fits") if reported.fits else tr("does not fit")
    sending = ""
    if time.sending > 0:
        hidden = (
            tr("{time} not hidden").format(time=time_text(time.exposed * 1e9))
            if time.exposed > 0
            else tr("hidden")
        )
        sending = tr(", sending {time} ({hidden})").format(time=time_text(time.sending * 1e9), hidden=hidden)
    waiting = (
        tr(", waiting for the host {time}").format(time=time_text(time.idle * 1e9))
        if time.idle > 1e-6
        else ""
    )
    slow = (
        tr(" to {time} (host up to {count} times as slow in real steps)").format(
            time=time_text(time.slowest * 1e9), count=f"{time.slower:g}"
        )
        if time.depends_on_host
        else ""
    )
    return tr(
        "Predicted, not measured: peak {size} of {size2} on {machine}, "
        "{verdict}. Step {time}{slow}: computing {time2}{sending}{waiting}; optimizer "
        "{optimizer}."
    ).format(
        slow=slow,
        size=describe_bytes(memory.peak.total),
        size2=describe_bytes(reported.limit),
        machine=reported.machine,
        verdict=verdict,
        time=time_text(time.seconds * 1e9),
        time2=time_text(time.busy * 1e9),
        sending=sending,
        waiting=waiting,
        optimizer=reported.optimizer,
    ) + (f"\n{format_ranks(reported.ranks)}" if reported.ranks is not None else "")


def _format_stage(step: SimulatedStep) -> str:
    """Of a pipeline's stage: what of its schedule is in the step."""
    pipeline = step.pipeline
    if pipeline is None:
        return ""
    return tr(
        "Stage {stage} of {count}, schedule {schedule}: {microbatches} microbatches, at most {in_flight} in flight; waiting for other "
        "stages is not in its time."
    ).format(
        stage=pipeline.stage,
        count=len(pipeline.orders),
        schedule=pipeline.schedule,
        microbatches=len(pipeline.begins) // 2,
        in_flight=pipeline.in_flight[pipeline.stage],
    )


def _details(reported: PredictedStep) -> str:
    return "\n".join((tr("The peak is in {where}.").format(where=reported.memory.where), *reported.notes))
