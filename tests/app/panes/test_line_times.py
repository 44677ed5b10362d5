"""Times beside lines: gutter, tooltip, the calls above a line, the inspector, names of kernels."""

from PySide6.QtWidgets import QToolButton

from app.panes.inspector_pane import InspectorPane
from app.panes.source_pane import SourcePane
from app.theme import current
from app.theme.heat import heat_ramp
from compiler.model.ir.graph import SourceLine
from compiler.model.ir.ids import place
from compiler.model.timing.timings import TimedKernel, TimingBatch, TimingStarted
from tests.app.panes.conftest import PATH, SOURCE

KERNELS = "0/0:forward:kernels"
ADDMM = TimedKernel("extern_kernels.addmm", place(KERNELS, "extern_kernels.addmm"), "forward", "extern")
RELU = TimedKernel("cpp_fused_relu_0", place(KERNELS, "cpp_fused_relu_0"), "forward", "cpp")


def feed(shown, engine):
    engine.event_arrived.emit(TimingStarted(shown.capture.id, (ADDMM, RELU), 2))
    engine.event_arrived.emit(TimingBatch(shown.capture.id, ((30_000, 1_000),) * 9, (50_000,) * 9))


def test_the_gutter_has_times_only_once_there_are_any(shown, engine, put):
    pane = SourcePane(shown)
    put(pane)
    assert pane.times.isHidden()
    assert pane.editor.time_on(13) is None
    before = pane.editor.viewport().width()
    feed(shown, engine)
    assert not pane.times.isHidden()
    hot, cool = pane.editor.time_on(13), pane.editor.time_on(14)
    assert (hot.own, hot.total) == ("30µs", "")
    assert cool.own == "1.0µs"
    ramp = heat_ramp(current.colors())
    assert hot.color == ramp[-1]
    assert ramp.index(cool.color) < ramp.index(hot.color)
    assert pane.editor.time_on(16) is None
    assert pane.editor.viewport().width() < before
    tip = pane.editor.tooltip_of(13)
    assert "Own time: 30.0 µs [30.0–30.0], 96.8% of kernel time" in tip
    assert "linear · mlp.py:13 · fc1" in tip
    assert any("own time" in entry.text for entry in pane.legend.entries)
    pane.times.setChecked(False)
    assert pane.editor.time_on(13) is None


def test_the_slowest_line_is_one_click(shown, engine, put):
    pane = SourcePane(shown)
    put(pane)
    feed(shown, engine)
    pane.slowest.click()
    assert shown.selection.pinned == place(SOURCE, "L13")
    assert pane.editor.pinned == {13}


def test_the_inspector_has_the_kernels_of_a_line_with_their_sum(shown, engine, put):
    pane = InspectorPane(shown)
    put(pane)
    shown.selection.select(place(SOURCE, "L13"))
    assert "Own time" not in pane.top.plain()
    feed(shown, engine)
    text = pane.top.plain()
    assert "30.0 µs [30.0–30.0]" in text
    assert "1 kernel" in text
    assert "linear · mlp.py:13 · fc1" in text
    shown.selection.select(RELU.place)
    assert "relu · mlp.py:14" in pane.top.plain()


def test_the_calls_above_a_line_are_buttons_that_open_them(shown, put):
    pane = SourcePane(shown)
    put(pane)
    chosen = []
    walk = pane.walk
    walk._chosen = chosen.append
    frames = (SourceLine(PATH, 16), SourceLine("/lib/a&b.py", 3), SourceLine("/lib/a&b.py", 9))
    walk.show_stack(frames, frames[-1])
    assert [button.text() for button in walk.buttons] == ["mlp.py:16", "› a&&b.py:3", "› :9"]
    assert [button.isChecked() for button in walk.buttons] == [False, False, True]
    assert all(isinstance(button, QToolButton) and button.accessibleName() for button in walk.buttons)
    walk.buttons[1].click()
    assert chosen == [frames[1]]
    walk.show_stack(frames[:2], frames[1])  # its line is selected now: the way back stays
    assert len(walk.buttons) == 3
    assert [button.isChecked() for button in walk.buttons] == [False, True, False]
    walk.show_stack(frames[:1], frames[0])
    walk.show_stack((), None)
    assert walk.isHidden()


def test_a_line_of_one_frame_has_no_calls_to_show(shown, put, click_line):
    pane = SourcePane(shown)
    put(pane)
    click_line(pane.editor, 14)
    assert pane.walk.isHidden()
