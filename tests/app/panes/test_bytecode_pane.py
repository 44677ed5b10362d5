"""Original beside rewritten bytecode."""

from app.panes.bytecode_pane import BytecodePane
from compiler.model.ir.ids import place


def test_frames_are_named_for_people(shown, put):
    pane = BytecodePane(shown)
    put(pane)
    names = [pane.picker.itemText(index) for index in range(pane.picker.count())]
    assert names == ["forward · 0/0", "forward resumes after line 15 · 1/0"]


def test_both_listings_are_shown_with_what_was_traced(shown, put):
    pane = BytecodePane(shown)
    put(pane)
    assert pane.original.heading.text() == "Original: 14 instructions, 11 traced"
    assert "__compiled_fn_1" in pane.rewritten.editor.toPlainText()
    assert pane.original.editor.stripes_on(3)
    pane.picker.setCurrentIndex(1)
    assert pane.rewritten.nothing.isVisible()


def test_a_click_selects_the_instruction(shown, put, click_line):
    pane = BytecodePane(shown)
    put(pane)
    line = (
        pane.original.editor.toPlainText()
        .split("\n")
        .index(next(row for row in pane.original.editor.toPlainText().split("\n") if "LOAD_METHOD" in row))
    )
    click_line(pane.original.editor, line + 1)
    assert shown.selection.pinned == place("0/0:bytecode", "i14")


def test_the_break_is_marked_and_columns_are_reported(shown, put):
    pane = BytecodePane(shown)
    put(pane)
    line = 15
    (mark,) = pane.original.editor.marks_on(line)
    assert "Graph break" in mark.tooltip
    assert "line 15, columns 9 to 20" in pane.original.editor.tooltip_of(line)


def test_a_selection_in_another_frame_brings_it_up(shown, put):
    pane = BytecodePane(shown)
    put(pane)
    shown.selection.select(place("1/0:dynamo", "mul"))
    assert pane.picker.currentIndex() == 1
    assert pane.original.editor.pinned == {3}


def test_showing_a_bytecode_stage_picks_its_frame(shown, put):
    pane = BytecodePane(shown)
    put(pane)
    shown.show_stage("1/0:bytecode")
    assert pane.picker.currentIndex() == 1
