"""The page of collectives: the calls of a generated wrapper in their order, and what is called while each collective travels."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QScrollArea, QVBoxLayout, QWidget

from app.panes.timings_pane.collectives.collective_chart import CollectiveChart
from app.session.facade.session import Session
from app.theme import current
from app.widgets.legend_strip import LegendEntry, LegendStrip
from compiler.analysis.queries.collective_order import CallOrder, call_orders
from compiler.model.ir.ids import Place


class CollectivePage(QWidget):
    """Filled by `refresh`."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._shown: object = None
        self.note = QLabel(self)
        self.note.setWordWrap(True)
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        self.legend = LegendStrip(self)
        self.chart = CollectiveChart(self)
        self.chart.call_clicked.connect(self._select)
        scroll = QScrollArea(self)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setAccessibleName("Calls in their order")
        scroll.setWidget(self.chart)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        for widget in (self.note, self.legend):
            column.addWidget(widget)
        column.addWidget(scroll, 1)

    def refresh(self) -> None:
        """Draw the capture that is shown."""
        capture = self._session.capture
        if capture is not self._shown:
            self._shown = capture
            orders = call_orders(capture) if capture is not None else ()
            self.chart.show_orders(orders)
            self.note.setText(_words(orders))
        colors = current.colors()
        self.legend.set_entries(
            (
                LegendEntry("collective, from its call to its wait", colors.collective),
                LegendEntry("generated kernel", colors.fused),
                LegendEntry("extern kernel", colors.extern),
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


def _words(orders: tuple[CallOrder, ...]) -> str:
    if not orders:
        return (
            "No generated code here calls a collective. DDP and FSDP2 call theirs from hooks, outside of compiled graphs, "
            "unless they are traced into them."
        )
    flights = [(order, flight) for order in orders for flight in order.flights]
    beside = sum(bool(order.between(flight)) for order, flight in flights)
    return (
        f"{len(flights)} collective{'' if len(flights) == 1 else 's'}; kernels are called while {beside} of them travel. "
        "Calls in the order of the generated code, each as wide as any other: an order, no times."
    )
