"""Live timings: numbers, honesty, selection."""

import importlib
import subprocess
import sys
import threading

import msgspec
import numpy
import pytest

from app.panes.timings_pane import TimingsPane
from app.panes.timings_pane.heat_image import log_image, log_limits
from app.panes.timings_pane.plots import row_names
from compiler.analysis.text_format.times import change_text, summary_text, time_text
from compiler.model.ir.gpu_target import TARGETS
from compiler.model.ir.ids import place
from compiler.model.protocol.messages import RunTimings, StopTimings
from compiler.model.timing.timings import (
    TimedKernel,
    TimingBatch,
    TimingSettings,
    TimingStarted,
    TimingSummary,
)
from tests.helpers.predicted_capture import with_step
from tests.helpers.table_reader import seen_rows

STAGE = "0/0:forward:kernels"
KERNELS = (
    TimedKernel("extern_kernels.addmm", place(STAGE, "extern_kernels.addmm"), "forward", "extern"),
    TimedKernel("cpp_fused_relu_0", place(STAGE, "cpp_fused_relu_0"), "forward", "cpp"),
)


def feed(session, engine, first=30_000, second=10_000, step=50_000, eager=25_000, count=40):
    engine.event_arrived.emit(TimingStarted(session.capture.id, KERNELS, 2))
    rows = tuple((first + i, -1 if i % 4 == 0 else second + i) for i in range(count))
    steps = tuple(step + i for i in range(count))
    engine.event_arrived.emit(TimingBatch(session.capture.id, rows, steps, (eager,) * 4))


@pytest.mark.thorough
def test_pyqtgraph_is_loaded_only_when_the_pane_is_shown():
    program = "import sys, app.panes.timings_pane; sys.exit('pyqtgraph' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False, timeout=60).returncode == 0


@pytest.fixture
def pane(shown, put, qtbot):
    made = TimingsPane(shown)
    put(made, 900, 640)
    qtbot.waitUntil(lambda: made._drawing.module is not None)
    return made


@pytest.mark.thorough
def test_the_window_does_not_wait_for_pyqtgraph(shown, engine, put, qtbot, monkeypatch):
    """It is loaded in another thread, once somebody looks, and drawn when it is there and something was timed."""
    begun, go_on, threads = threading.Event(), threading.Event(), []

    def slow(name):
        threads.append(threading.current_thread())
        begun.set()
        assert go_on.wait(20)
        return importlib.import_module(name)

    monkeypatch.setattr("app.concurrency.late_module.import_module", slow)
    made = TimingsPane(shown)
    assert not threads
    put(made, 900, 640)
    qtbot.waitUntil(begun.is_set)
    assert made.isVisible()
    assert threads != [threading.current_thread()]
    feed(shown, engine)
    made.draw_now()
    assert made.empty.isVisible()
    go_on.set()
    qtbot.waitUntil(lambda: not made.empty.isVisible())
    assert made._plots.isVisible()


def test_before_anything_is_timed_it_says_what_start_does(pane):
    assert pane.empty.isVisible()
    assert pane.controls.start.text() == "Start"
    assert pane.controls.start.isEnabled()


def test_what_was_only_compiled_cannot_be_timed(shown, pane):
    spec = msgspec.structs.replace(shown.capture.spec, device=TARGETS["h100"])
    shown._start_with(msgspec.structs.replace(shown.capture, spec=spec), from_file=True)
    shown.capture_changed.emit()  # as whoever opens one does
    assert pane.empty.headline.text() == "Compiled, not run"
    assert not pane.controls.start.isEnabled()
    assert "only compiled" in pane.controls.start.toolTip()


def test_a_capture_that_has_only_a_prediction_shows_that_first(shown, pane, put):
    plain, times = shown.capture, pane.tabs.currentWidget()
    predicted = msgspec.structs.replace(with_step(30 << 30), id="predicted")

    def opened(capture) -> None:
        shown._start_with(capture, from_file=True)
        shown.capture_changed.emit()

    opened(predicted)
    assert pane.tabs.currentWidget() is pane.predicted
    pane.tabs.setCurrentWidget(pane.roof)
    shown.capture_changed.emit()
    assert pane.tabs.currentWidget() is pane.roof, "who chose a page keeps it"
    pane.tabs.setCurrentWidget(pane.predicted)
    made_later = TimingsPane(shown)
    put(made_later, 900, 640)
    assert made_later.tabs.currentWidget() is made_later.predicted
    opened(msgspec.structs.replace(plain, id="plain"))
    assert pane.tabs.currentWidget() is times


def test_start_sends_the_settings_and_pause_stops(shown, engine, pane):
    pane.controls.warm_up.setValue(3)
    pane.controls.threads.setValue(2)
    pane.controls.backward.setChecked(False)
    pane.controls.start.click()
    assert engine.last(RunTimings).body.settings == TimingSettings(0, 3, 2, False, 1)
    feed(shown, engine)
    assert pane.controls.start.text() == "Pause"
    assert not pane.controls.threads.isEnabled()
    pane.controls.start.click()
    assert engine.count(StopTimings) == 1


def test_the_headline_is_honest(shown, engine, pane):
    feed(shown, engine)
    pane.draw_now()
    text = pane.headline.text()
    assert "Compiled step 50.0 µs [50.0–50.0] (40 samples)" in text
    assert "eager step 25.0 µs" in text
    assert "(4 samples)" in text
    assert "compiled and eager: too few pairs to compare" in text
    assert "2 threads" in text


def test_the_table_has_units_shares_and_counts(shown, engine, pane):
    feed(shown, engine)
    pane.draw_now()
    row = seen_rows(pane.table)[0]
    assert row.text(0).startswith("linear · mlp.py:13 · fc1")
    assert "extern_kernels.addmm" in row.tooltip(0)
    assert row.text(1) == "0/0 forward"
    assert row.text(3) == "30.0 µs"
    assert row.text(5) == "60.0%"
    assert "30 samples" in seen_rows(pane.table)[1].tooltip(3)


def test_before_and_after_a_recompile(shown, engine, pane):
    feed(shown, engine)
    shown.timings.keep_as_baseline()
    feed(shown, engine, first=15_000)
    pane.draw_now()
    row = seen_rows(pane.table)[0]
    assert row.text(6) == "30.0 µs → 15.0 µs"
    assert row.text(7) == "0.50x"
    assert "before the recompile 50.0 µs" in pane.headline.text()


def test_a_click_on_a_row_selects_the_kernel(shown, engine, pane, click_row):
    feed(shown, engine)
    pane.draw_now()
    click_row(seen_rows(pane.table)[1])
    assert shown.selection.pinned == place(STAGE, "cpp_fused_relu_0")
    assert pane.table.selected_kernels() == [1]


def test_a_click_on_a_row_of_the_heat_map_selects_the_kernel(shown, engine, pane):
    feed(shown, engine)
    pane.draw_now()
    assert pane._plots.heat_map.row_at(1.5) == 1
    assert pane._plots.heat_map.row_at(2.5) is None
    pane._plots.row_clicked.emit(1)
    assert shown.selection.pinned == place(STAGE, "cpp_fused_relu_0")


def test_a_selection_elsewhere_highlights_its_kernels(shown, engine, pane):
    feed(shown, engine)
    pane.draw_now()
    shown.selection.select(place("0/0:dynamo", "relu"))
    assert pane.table.selected_kernels() == [1]
    shown.selection.select(place("0/0:dynamo", "linear"))
    assert pane.table.selected_kernels() == [0]


def test_frames_are_drawn_only_while_it_is_visible(pane):
    assert pane._timer.isActive()
    pane.hide()
    assert not pane._timer.isActive()


def test_a_short_run_in_a_low_dock_has_most_of_its_plots(shown, engine, pane, qtbot):
    """They reached back 600 iterations from the first one on, and beside the names of kernels was no room left."""
    pane.resize(592, 345)
    feed(shown, engine, count=90)
    pane.draw_now()
    qtbot.waitUntil(lambda: pane._plot_place.own_page)
    pane.tabs.setCurrentIndex(1)
    qtbot.waitUntil(lambda: pane._plots is not None and pane._plots.isVisible())
    pane.draw_now()
    qtbot.wait(50)
    for plot in (pane._plots.heat_map, pane._plots.curves):
        drawn = plot.getViewBox().width() * 90 / -plot.viewRange()[0][0]
        assert drawn > 100, type(plot).__name__
    feed(shown, engine, count=700)
    pane.draw_now()
    assert pane._plots.curves.viewRange()[0][0] == -600


def test_the_first_name_of_a_crowded_heat_map_is_whole():
    names = row_names([f"kernel {number}" for number in range(40)], 200.0)
    every = names[1][0] - names[0][0]
    assert every > 1
    assert names[0][0] * 200 / 40 >= every * 200 / 40 / 2 - 3, "half of its height above its middle"


def test_the_heat_image_keeps_gaps_and_aligns_the_newest():
    samples = [numpy.array([1_000, 10_000]), numpy.array([-1, 100, 1_000_000])]
    image = log_image(samples)
    assert image.shape == (3, 2)
    assert image[2, 0] == pytest.approx(1.0)
    assert numpy.isnan(image[0, 0])
    assert numpy.isnan(image[0, 1])
    assert image[2, 1] == pytest.approx(3.0)
    low, high = log_limits(image)
    assert low <= -1
    assert high >= 3


def summary(median, spread=0.01):
    return TimingSummary(median, median * (1 - spread), median * (1 + spread), 50)


def test_texts_have_units_and_say_when_nothing_can_be_reported():
    assert time_text(812) == "0.81 µs"
    assert time_text(1.2e6) == "1.20 ms"
    assert summary_text(summary(812e3)) == "812 µs [804–820]"
    assert change_text(summary(100), summary(50)) == "0.50x"
    assert change_text(summary(100), summary(101)) == "~1.01x"
