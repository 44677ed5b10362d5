"""Collectives on the axis of calls: where each begins and ends, and what is called meanwhile."""

import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt

from app.panes.inspector_pane.facts import facts_of
from app.panes.timings_pane.collectives.collective_chart import rows_of
from app.panes.timings_pane.collectives.collective_page import CollectivePage
from app.session.facade.session import Session
from app.widgets.labels.link_label import RichText
from compiler.analysis.queries.collective_order import OrderedFlight, call_orders
from compiler.model.capture.capture import Capture
from compiler.model.ir.ids import Place, place
from compiler.model.ir.loop_ir import Kernel, KernelSet
from compiler.model.ir.stage import FxStage, KernelStage
from compiler.model.timing.timings import KernelTiming, TimedKernel, TimingReport, TimingSummary
from tests.compiler.model.ir.test_collectives import graph
from tests.helpers import sample_capture


def with_collectives() -> Capture:
    """The sample with the graph of the tests of collectives and the calls that a wrapper would make of it."""
    calls = (
        Kernel("start", "torch.ops._c10d_functional.all_reduce_.default", "extern", origins=("sent",)),
        Kernel("relu", "cpp_fused_relu_0", "cpp", origins=("beside",)),
        Kernel(
            "whole",
            "torch.ops._c10d_functional.all_gather_into_tensor.default",
            "extern",
            origins=("whole", "beside"),
        ),
        Kernel("wait", "torch.ops._c10d_functional.wait_tensor.default", "extern", origins=("ended",)),
        Kernel("mm", "extern_kernels.mm", "extern"),
        Kernel("wait#2", "torch.ops._c10d_functional.wait_tensor.default", "extern", origins=("got",)),
        Kernel("last", "torch.ops._c10d_functional.broadcast_.default", "extern", origins=("last",)),
    )
    contents = {
        sample_capture.POST_GRAD: FxStage(graph()),
        sample_capture.KERNELS: KernelStage(KernelSet(calls)),
    }
    capture = sample_capture.capture()
    stages = tuple(
        msgspec.structs.replace(stage, content=contents.get(stage.id, stage.content))
        for stage in capture.stages
    )
    return msgspec.structs.replace(capture, stages=stages, links=())


def test_the_order_of_the_wrapper_is_reported_not_that_of_the_graph() -> None:
    (order,) = call_orders(with_collectives())
    assert [(row.start, row.wait) for row in order.flights] == [(0, 3), (2, 5), (6, None)]
    assert [order.between(row) for row in order.flights] == [(1,), (4,), ()]
    assert not call_orders(sample_capture.capture())


def test_those_that_travel_at_once_stand_above_each_other() -> None:
    flights = (OrderedFlight(0, 3), OrderedFlight(2, 5), OrderedFlight(6, None))
    assert rows_of(flights, 7) == (0, 1, 0)


@pytest.fixture
def page(session: Session, qtbot) -> CollectivePage:
    made = CollectivePage(session)
    qtbot.addWidget(made)
    made.resize(900, 300)
    session._start_with(with_collectives(), from_file=True)
    session._report_shown()
    made.refresh()
    made.show()
    return made


def test_a_click_selects_the_call(page: CollectivePage, session: Session, qtbot) -> None:
    assert page.note.text().startswith("3 collectives; kernels are called while 2 of them travel.")
    assert "no times" in page.note.text()
    middle = page.chart.flight_area(0, 1).center()
    qtbot.mouseClick(page.chart, Qt.MouseButton.LeftButton, pos=QPoint(int(middle.x()), int(middle.y())))
    assert session.selection.pinned.nodes == ("whole",)
    page.chart.grab()


def test_without_collectives_it_says_so(page: CollectivePage, session: Session) -> None:
    session._start_with(sample_capture.capture(), from_file=True)
    page.refresh()
    assert page.note.text().startswith("No generated code here calls a collective.")
    assert not page.chart.orders


def test_calls_are_as_wide_as_they_took_where_all_were_timed(page: CollectivePage, session: Session) -> None:
    capture = session.capture
    kernels = tuple(
        TimedKernel(kernel.name, place(sample_capture.KERNELS, kernel.id), "forward", kernel.language)
        for kernel in capture.stage(sample_capture.KERNELS).content.kernels.kernels  # type: ignore[union-attr]
    )
    times = (10_000.0, 400_000.0, 20_000.0, 30_000.0, 500_000.0, 40_000.0, 5_000.0)
    rows = tuple(
        KernelTiming(kernel, TimingSummary(time, time, time, 50))
        for kernel, time in zip(kernels, times, strict=True)
    )
    step = TimingSummary(1e6, 1e6, 1e6, 50)
    session.timings.show_report(TimingReport("capture-1", rows, step, step, 2))
    page.refresh()
    assert page.chart.timed(0) == list(times)
    widths = [page.chart.call_area(0, index).width() for index in range(7)]
    assert widths[4] > widths[1] > 5 * widths[5]
    assert "35.0 µs start collectives and 70.0 µs wait for them" in page.note.text()
    words = page.chart._format_call(0, page.chart.orders[0].calls[0], page.chart.orders[0].flights[0])
    assert "then 400 µs of kernels are called, then it is waited for 30.0 µs" in words
    page.chart.grab()
    session.timings.show_report(TimingReport("capture-1", rows[:3], step, step, 2))
    page.refresh()
    assert page.chart.timed(0) == []
    assert "no times" in page.note.text()


def link(text: str, _: Place) -> RichText:
    return RichText().text(text)


def rows(stage_id: str, node: str) -> dict[str, str]:
    capture = with_collectives()
    facts = facts_of(capture, capture.stage(stage_id), node, link)
    return {title: text.plain for title, text in facts.rows}


def test_the_inspector_says_group_bytes_wait_and_what_runs_meanwhile() -> None:
    whole = rows(sample_capture.POST_GRAD, "whole")
    assert whole["Sends"] == "128 B given, 512 B got, on each rank"
    assert whole["Process group"] == "3, 4 ranks"
    assert whole["Waited for by"] == "got"
    sent = rows(sample_capture.POST_GRAD, "sent")
    assert sent["Process group"].endswith("of how many ranks was not noted")
    assert sent["Meanwhile"] == "beside"
    assert rows(sample_capture.POST_GRAD, "ended")["Waits for"] == "sent"
    called = rows(sample_capture.KERNELS, "whole")
    assert called["Process group"] == "3, 4 ranks"
    assert "Collective" not in rows(sample_capture.POST_GRAD, "beside")
