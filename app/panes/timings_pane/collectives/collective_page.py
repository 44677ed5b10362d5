"""The page of collectives: the calls of a generated wrapper in their order, and what is called while each collective travels."""

from PySide6.QtWidgets import QWidget

from app.panes.timings_pane.collectives.collective_chart import CollectiveChart
from app.session.facade.session import Session
from app.theme import current
from app.translation.texts import tr
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import scroll_of, set_column
from app.widgets.legend_strip import LegendEntry, LegendStrip
from compiler.analysis.queries.collective_order import call_orders
from compiler.analysis.text_format.times import time_text
from compiler.model.ir.ids import Place


class CollectivePage(QWidget):
    """Filled by `refresh`."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._shown: object = None
        self.note = WrappedLabel("", self)
        self.legend = LegendStrip(self)
        self.chart = CollectiveChart(self)
        self.chart.call_clicked.connect(self._select)
        scroll = scroll_of(self.chart, tr("Calls in their order"), self)
        set_column(self, self.note, self.legend, (scroll, 1), margins=0, spacing=2)

    def refresh(self) -> None:
        """Draw the capture that is shown."""
        capture = self._session.capture
        if capture is not self._shown:
            self._shown = capture
            orders = call_orders(capture) if capture is not None else ()
            self.chart.show_orders(orders)
        timings = self._session.timings
        medians = timings.kernel_medians() if self.chart.orders else {}
        self.chart.show_times({timings.timed_kernels[index].place: time for index, time in medians.items()})
        self.note.setText(self._format_orders())
        colors = current.colors()
        self.legend.set_entries(
            (
                LegendEntry(tr("collective, from its call to its wait"), colors.collective),
                LegendEntry(tr("generated kernel"), colors.fused),
                LegendEntry(tr("extern kernel"), colors.extern),
            )
            if self.chart.orders
            else ()
        )
        self.mark_selected()

    def mark_selected(self) -> None:
        """Frame the calls that the pinned selection became."""
        broker = self._session.selection
        self.chart.mark(
            {
                call.place
                for order in self.chart.orders
                for call in order.calls
                if not broker.pinned_in(call.place.stage).isdisjoint(call.place.nodes)
            }
        )

    def _select(self, location: Place) -> None:
        self._session.selection.select(location, self)
        self.mark_selected()

    def _format_orders(self) -> str:
        orders = self.chart.orders
        if not orders:
            return tr(
                "No generated code here calls a collective. DDP and FSDP2 call theirs from hooks, outside of compiled graphs, "
                "unless they are traced into them."
            )
        flights = [(order, flight) for order in orders for flight in order.flights]
        overlapped = sum(bool(order.between(flight)) for order, flight in flights)
        number = tr("%n collective(s)", None, len(flights))
        head = tr("{number}; kernels are called while {beside} of them travel.").format(
            number=number, beside=overlapped
        )
        timed = [times for band in range(len(orders)) if (times := self.chart.timed(band))]
        if len(timed) < len(orders):
            return tr(
                "{head} Calls in the order of the generated code, each as wide as any other: an "
                "order, no times. Start times them."
            ).format(head=head)
        calls = [
            (call, time)
            for order, times in zip(orders, timed, strict=True)
            for call, time in zip(order.calls, times, strict=True)
        ]
        starting, waiting = (
            sum(time for call, time in calls if call.kind == kind) for kind in ("start", "wait")
        )
        return tr(
            "{head} Of {time} in calls, {time2} start collectives and {time3} "
            "wait for them. Medians of this process; what lies between calls is left out."
        ).format(
            head=head,
            time=time_text(sum(time for _, time in calls)),
            time2=time_text(starting),
            time3=time_text(waiting),
        )
