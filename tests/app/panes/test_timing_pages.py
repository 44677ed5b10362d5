"""The pages beside the kernels: one step, roofline, memory, compile time, and what is written as a file."""

import csv
import json

import msgspec
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from app.panes.timings_pane import TimingsPane
from app.panes.timings_pane.headline import headline_of
from compiler.analysis.text_format.axis_ticks import ticks
from compiler.model.capture.compile_phases import CompilePhase
from compiler.model.capture.gpu_autotuning import CudaGraphNote
from compiler.model.ir.ids import place
from compiler.model.protocol.messages import MeasureMachine
from compiler.model.timing.machine_peaks import CopyCeiling, MachineCeilings, MatmulCeiling, Rate
from compiler.model.timing.step_trace import Span, SpanKind, StepTrace
from compiler.model.timing.timings import (
    GraphReplay,
    TimedKernel,
    TimingBatch,
    TimingReport,
    TimingStarted,
    TimingSummary,
)
from tests.helpers.opened_capture import open_capture
from tests.helpers.table_reader import seen_rows

STAGE = "0/0:forward:kernels"
KERNELS = (
    TimedKernel("extern_kernels.addmm", place(STAGE, "extern_kernels.addmm"), "forward", "extern"),
    TimedKernel("cpp_fused_relu_0", place(STAGE, "cpp_fused_relu_0"), "forward", "cpp"),
)
CLOCKED = StepTrace(
    True,
    False,
    50_000,
    (
        Span(0, 50_000, SpanKind.FORWARD),
        Span(5_000, 48_000, SpanKind.GRAPH, "0/0"),
        Span(6_000, 47_000, SpanKind.WRAPPER, "0/0 forward"),
        Span(7_000, 30_000, SpanKind.EXTERN, "extern_kernels.addmm", 0),
        Span(32_000, 42_000, SpanKind.GENERATED, "cpp_fused_relu_0", 1),
    ),
)
COMPILED = StepTrace(
    True,
    True,
    60_000,
    (Span(0, 60_000, SpanKind.FORWARD), Span(1_000, 3_000, SpanKind.GUARDS, "lookup"), *CLOCKED.spans[-2:]),
    ((6_500, 32768), (40_000, 512)),
)
EAGER = StepTrace(
    False,
    True,
    30_000,
    (Span(0, 30_000, SpanKind.FORWARD), Span(2_000, 9_000, SpanKind.OPERATION, "aten::linear")),
)
PARTS = (10_000, 23_000, 8_000, 2_000, 7_000)


def rate(value: float) -> Rate:
    return Rate(value, value * 0.9, value * 1.1, 15)


CEILINGS = MachineCeilings(
    "cpu",
    2,
    "2.13",
    (CopyCeiling(1 << 14, rate(40e9)), CopyCeiling(1 << 28, rate(10e9))),
    (MatmulCeiling("float32", 512, rate(100e9)),),
    "2026-11-21T20:00:00+00:00",
)


def feed(session, engine, count=40, traces=(CLOCKED, COMPILED, EAGER), eager=25_000):
    engine.event_arrived.emit(TimingStarted(session.capture.id, KERNELS, 2))
    steps = tuple(50_000 + 10 * i for i in range(count))
    rows = tuple((23_000 + i, 10_000 + i) for i in range(count))
    pairs = tuple((step, eager + step // 100) for step in steps[::2])
    eager_steps = tuple(pair[1] for pair in pairs)
    batch = TimingBatch(session.capture.id, rows, steps, eager_steps, (PARTS,) * count, pairs, traces)
    engine.event_arrived.emit(batch)


@pytest.fixture
def pane(shown, put):
    made = TimingsPane(shown)
    put(made, 1000, 700)
    return made


def open_page(pane, page):
    pane.tabs.setCurrentWidget(page)
    pane.draw_now()


# -- one step ---------------------------------------------------------------------------------------------------


def test_eager_stands_above_compiled_on_one_axis(shown, engine, pane):
    feed(shown, engine)
    open_page(pane, pane.step)
    eager, compiled = pane.step.timeline.lanes
    assert (eager.title, compiled.title) == ("Eager", "Compiled")
    assert "profiler" in eager.note
    assert eager.median == pytest.approx(25_600, rel=0.01)
    assert (eager.seen_with, compiled.seen_with) == ("profiler", "clocks")
    assert compiled.median == pytest.approx(50_195)
    lefts = [
        pane.step.timeline.box_area(lane, row.boxes[0]).left() for lane, row in enumerate((eager, compiled))
    ]
    assert lefts[0] == lefts[1], "both begin at nought"
    widths = [
        pane.step.timeline.box_area(lane, row.boxes[0]).width() for lane, row in enumerate((eager, compiled))
    ]
    assert widths[1] / widths[0] == pytest.approx(50 / 30, rel=0.01)


@pytest.mark.parametrize(("room", "text"), [(12, ""), (34, ""), (400, "cpp_fused_native_layer_norm_3")])
def test_a_box_is_named_readably_or_not_at_all(pane, room, text):
    image = QImage(10, 10, QImage.Format.Format_RGB32)
    span = Span(0, 1, SpanKind.GENERATED, "cpp_fused_native_layer_norm_3")
    with QPainter(image) as painter:
        assert pane.step.timeline._name_for(painter, span, QRectF(0, 0, room, 20)) == text


def test_a_click_on_a_box_selects_its_kernel_everywhere(shown, engine, pane, qtbot):
    feed(shown, engine)
    open_page(pane, pane.step)
    timeline = pane.step.timeline
    box = next(box for box in timeline.lanes[1].boxes if box.span.kernel == 1)
    location = timeline.box_area(1, box).center().toPoint()
    qtbot.mouseClick(timeline, Qt.MouseButton.LeftButton, pos=location)
    assert shown.selection.pinned == place(STAGE, "cpp_fused_relu_0")
    assert timeline._marked == {1}
    shown.selection.select(place("0/0:dynamo", "linear"))
    assert timeline._marked == {0}


def test_the_timeline_zooms_and_fits(shown, engine, pane, qtbot):
    feed(shown, engine)
    open_page(pane, pane.step)
    timeline = pane.step.timeline
    box = timeline.lanes[1].boxes[-1]
    before = timeline.box_area(1, box)
    timeline.zoom(4.0, before.center().x())
    assert timeline.box_area(1, box).width() == pytest.approx(4 * before.width(), rel=0.01)
    assert timeline.box_area(1, box).center().x() == pytest.approx(before.center().x(), abs=2)
    qtbot.mouseDClick(timeline, Qt.MouseButton.LeftButton, pos=QPoint(300, 60))
    assert timeline.box_area(1, box) == before
    assert timeline.box_at(QPointF(2, 2)) is None


def test_the_parts_say_what_is_measured_and_what_is_a_remainder(shown, engine, pane):
    feed(shown, engine)
    open_page(pane, pane.step)
    rows = seen_rows(pane.step.parts)
    assert [row.text(1) for row in rows] == ["10.0 µs", "23.0 µs", "8.00 µs", "2.00 µs", "7.00 µs"]
    assert [row.text(4).split()[0] for row in rows] == ["measured"] * 2 + ["difference"] * 3
    (guards,) = rows[4].children()
    assert "guards" in guards.text(0)
    assert guards.text(1) == "2.00 µs"
    assert guards.text(4) == "1 profiled step"


def test_the_headline_gives_the_interval_of_paired_steps(shown, engine, pane):
    feed(shown, engine, eager=60_000)
    pane.draw_now()
    assert "compiled is 1.2" in pane.headline.text()
    assert "95 %" in pane.headline.text()
    shown.timings.clear()
    mixed = tuple((50_000, 40_000 if i % 2 else 62_000) for i in range(20))
    engine.event_arrived.emit(TimingStarted(shown.capture.id, KERNELS, 2))
    engine.event_arrived.emit(
        TimingBatch(shown.capture.id, ((1, 1),) * 20, (50_000,) * 20, (40_000, 62_000) * 10, (), mixed)
    )
    pane.draw_now()
    assert "compiled cannot be told apart from eager" in pane.headline.text()


def test_round_numbers_stand_on_the_axis():
    assert ticks(10, 5) == [0, 2, 4, 6, 8, 10]
    assert ticks(7, 4) == [0, 2, 4, 6]
    assert ticks(0, 4) == [0]


# -- roofline ---------------------------------------------------------------------------------------------------


def test_the_machine_is_measured_when_asked_and_kernels_become_points(shown, engine, pane, click_row):
    feed(shown, engine)
    open_page(pane, pane.roof)
    assert pane.roof.empty.isVisible()
    assert engine.count(MeasureMachine) == 0
    pane.roof.measure.click()
    assert engine.last(MeasureMachine).body == MeasureMachine(2, False)
    assert not pane.roof.measure.isEnabled()
    engine.last(MeasureMachine).reply(CEILINGS)
    assert set(pane.roof.points) == {1}, "nothing is known of the bytes of the other"
    assert "40 GB/s [36–44]" in pane.roof.machine.toolTip()
    assert "Of 1 nothing is known" in pane.roof.words.text()
    assert set(pane.roof._plot.locations) == {1}
    click_row(seen_rows(pane.roof.table)[0])
    assert shown.selection.pinned == place(STAGE, "cpp_fused_relu_0")
    assert "moves 64.0 KiB at 6.5" in pane.roof.words.text()
    assert "of what copying" in pane.roof.words.text()
    pane.roof.measure.click()
    assert engine.last(MeasureMachine).body == MeasureMachine(2, True)


def test_a_click_near_a_point_selects_its_kernel(shown, engine, pane):
    feed(shown, engine)
    open_page(pane, pane.roof)
    pane.roof.measure.click()
    engine.last(MeasureMachine).reply(CEILINGS)
    plot = pane.roof._plot
    location = plot.getViewBox().mapViewToScene(QPointF(*plot.locations[1]))
    assert plot.kernel_near(location + QPointF(3, 3)) == 1
    assert plot.kernel_near(location + QPointF(90, 90)) is None
    plot.kernel_clicked.emit(1)
    assert shown.selection.pinned == place(STAGE, "cpp_fused_relu_0")


# -- memory -----------------------------------------------------------------------------------------------------


def test_memory_is_planned_without_a_run_and_measured_with_one(shown, engine, pane):
    open_page(pane, pane.memory)
    assert "at most 32.0 KiB at once in 1 buffers" in pane.memory.summary.text()
    assert "Not measured yet" in pane.memory.summary.text()
    assert pane.memory.chart.peak == (0, 32768)
    feed(shown, engine)
    pane.draw_now()
    assert pane.memory.chart.measured == {0: 32768, 1: 32768}
    assert "Measured: at most 32.0 KiB" in pane.memory.summary.text()
    row = seen_rows(pane.memory.table)[0]
    assert row.text(0).startswith("buf0 = buf1")
    assert row.text(3) == "1 to 2"
    assert "measured 32.0 KiB" in pane.memory.chart.format_at(1)


def test_a_click_on_the_chart_selects_the_kernel_there(shown, engine, pane, qtbot):
    open_page(pane, pane.memory)
    chart = pane.memory.chart
    qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=QPoint(chart.width() - 40, 80))
    assert shown.selection.pinned == place(STAGE, "cpp_fused_relu_0")
    assert chart.kernel_at(2.0) is None


# -- compile time -----------------------------------------------------------------------------------------------


def test_compile_time_adds_up_to_the_wall_time(shown, engine, capture, pane):
    phases = (
        CompilePhase("phase", "entire_frame_compile", 0.1, 3.0, -1, "0/0"),
        CompilePhase("phase", "inductor_compile", 0.5, 2.0, 0, "0/0"),
        CompilePhase("build", "cpp_fused_relu_0", 1.0, 0.9, -1, "0/0 forward"),
    )
    timed = msgspec.structs.replace(capture, phases=phases)
    open_capture(shown, timed)
    open_page(pane, pane.compile)
    groups = seen_rows(pane.compile.table)
    assert [group.text(0) for group in groups] == ["whole compile", "kernel builds", "stages"]
    phases = groups[0].children()
    assert [row.text(0) for row in phases] == ["entire_frame_compile", "rest"]
    assert [row.text(1) for row in phases] == ["3.00 s", "200 ms"]
    assert phases[0].is_open()
    assert groups[1].children()[0].text(4) == "0/0 forward"
    assert "took 3.20 s of wall time" in pane.compile.summary.text()


# -- files ------------------------------------------------------------------------------------------------------


def test_times_are_written_as_files(shown, engine, pane, tmp_path):
    assert not pane.export.isEnabled()
    feed(shown, engine)
    pane.draw_now()
    assert pane.export.isEnabled()
    pane.export.write(tmp_path / "times.csv")
    rows = list(csv.DictReader((tmp_path / "times.csv").read_text(encoding="utf-8").splitlines()))
    assert [row["name"] for row in rows if row["row"] == "kernel"] == [kernel.name for kernel in KERNELS]
    assert rows[1]["bytes"] == "65536"
    pane.export.write(tmp_path / "steps.json")
    trace = json.loads((tmp_path / "steps.json").read_text(encoding="utf-8"))
    assert {event["pid"] for event in trace["traceEvents"]} == {1, 2, 3}


def test_a_file_that_cannot_be_written_is_a_problem(shown, engine, pane, tmp_path):
    feed(shown, engine)
    pane.export.write(tmp_path / "missing" / "times.csv")
    assert "could not be written" in shown.problems[-1].what


def test_a_gpu_says_how_it_is_timed_and_what_cuda_graphs_save(session):
    fast, slow = TimingSummary(928e3, 911e3, 997e3, 40), TimingSummary(1414e3, 1376e3, 1532e3, 40)
    notes = (
        CudaGraphNote("forward", "0/0", True, seconds=0.02),
        CudaGraphNote("", "", False, "mutated inputs"),
    )
    report = TimingReport(
        "capture-1", (), fast, None, 1, clock="CUPTI", cuda_graphs=notes, replay=GraphReplay(fast, slow)
    )
    session.timings.show_report(report)
    text = headline_of(session.timings)
    assert "(CUPTI)" in text
    assert "replayed 928 µs [911–997], with each kernel launched 1.41 ms" in text
    assert "No CUDA graph: mutated inputs" in text
    assert "recorded in" not in text
