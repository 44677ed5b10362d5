"""The user's file: colours, breaks, clicks."""

from msgspec import structs
from PySide6.QtCore import QPoint, Qt

from app.panes.source_pane import SourcePane
from app.panes.source_pane.gutter import problems_of
from app.theme import current
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.ids import NOWHERE, place
from compiler.model.ir.programs import NAMED_BY_LOG, SourceFile
from compiler.model.ir.stage import StageKind
from tests.app.panes.conftest import PATH
from tests.helpers import sample_capture
from tests.helpers.changed_capture import with_source

SOURCE = "source:/home/me/mlp.py"


def test_captured_lines_have_the_colour_of_what_was_made_from_them(shown, put):
    pane = SourcePane(shown)
    put(pane)
    links = current.colors().links
    for line in (13, 14, 16):
        assert pane.editor.tint_on(line) == links[shown.color_index(SOURCE, f"L{line}")]
    assert pane.editor.tint_on(3) == ""
    assert len(pane.editor.stripes_on(13)) == 1
    assert pane.editor.stripes_on(13) != pane.editor.stripes_on(16)


def test_the_legend_names_graphs_eager_lines_and_breaks(shown, put):
    pane = SourcePane(shown)
    put(pane)
    texts = [entry.text for entry in pane.legend.entries]
    assert texts == ["captured in graph 0/0", "captured in graph 1/0", "ran eagerly", "graph break"]


def test_a_break_is_marked_and_reported_on_its_line(shown, put):
    pane = SourcePane(shown)
    put(pane)
    (mark,) = pane.editor.marks_on(15)
    assert "Failed to trace builtin operator" in mark.tooltip
    assert "GB0059" in mark.tooltip
    assert "Remove the print." in mark.tooltip
    assert pane.editor.stripes_on(15) == (current.colors().line,)


def test_a_click_pins_the_line(shown, put, click_line):
    pane = SourcePane(shown)
    put(pane)
    click_line(pane.editor, 14)
    assert shown.selection.pinned == place(SOURCE, "L14")
    assert pane.editor.pinned == {14}


def test_control_adds_and_takes_away(shown, put, click_line):
    pane = SourcePane(shown)
    put(pane)
    click_line(pane.editor, 13)
    click_line(pane.editor, 14, Qt.KeyboardModifier.ControlModifier)
    assert shown.selection.pinned == place(SOURCE, "L13", "L14")
    click_line(pane.editor, 13, Qt.KeyboardModifier.ControlModifier)
    assert shown.selection.pinned == place(SOURCE, "L14")


def test_a_click_on_a_break_selects_its_instruction(shown, put, click_line):
    pane = SourcePane(shown)
    put(pane)
    click_line(pane.editor, 15)
    assert shown.selection.pinned == place("0/0:bytecode", "i24")
    assert pane.editor.pinned == {15}


def test_hovering_previews_and_leaving_ends_it(shown, put, qtbot):
    pane = SourcePane(shown)
    put(pane)
    _, top, height = next(row for row in pane.editor.visible_lines() if row[0] == 13)
    qtbot.mouseMove(pane.editor.viewport(), QPoint(50, round(top + height / 2)))
    assert shown.selection.hovered == place(SOURCE, "L13")
    pane.editor.hover_at(-1)
    assert shown.selection.hovered == NOWHERE
    assert shown.selection.pinned == NOWHERE


def test_a_selection_elsewhere_is_outlined_and_scrolled_to(shown, put):
    pane = SourcePane(shown)
    put(pane, 500, 140)
    pane.editor.verticalScrollBar().setValue(0)
    assert not pane.editor.is_line_visible(14)
    shown.selection.select(place("0/0:forward:kernels", "cpp_fused_relu_0"))
    assert pane.editor.pinned == {14}
    assert pane.editor.is_line_visible(14)


def test_what_was_captured_is_in_view_in_whatever_room_there_is(shown, put, qtbot):
    """Untouched: in a workspace with less room for it, nothing of what was captured was to be seen."""
    pane = SourcePane(shown)
    put(pane, 500, 600)
    bar = pane.editor.verticalScrollBar()
    assert bar.value() == 0
    pane.resize(500, 180)
    qtbot.wait(10)
    assert pane.editor.is_line_visible(13)
    bar.setValue(2)
    pane.resize(500, 160)
    qtbot.wait(10)
    assert bar.value() == 2  # by hand


def test_a_file_of_a_log_begins_at_what_is_known_and_says_what_is_blank(session, put, qtbot):
    """It was an empty page."""
    made = sample_capture.capture()
    text = "\n" * 60 + "h = self.fc(x)\n" + "\n" * 20
    made = with_source(made, text=text, captured_lines=((61, "0/0"),), code_lines=())
    stages = tuple(
        structs.replace(stage, made_by=NAMED_BY_LOG) if stage.kind is StageKind.SOURCE else stage
        for stage in made.stages
    )
    session._on_captured(structs.replace(made, stages=stages), False)
    pane = SourcePane(session)
    put(pane, 500, 300)
    qtbot.wait(10)
    assert pane.editor.is_line_visible(61)
    assert "blank: not in the log" in [entry.text for entry in pane.legend.entries]


def test_what_an_unfinished_capture_was_scrolled_to_does_not_stay(session, put, qtbot):
    """Its file began at the first line, since nothing of it was captured yet, and stayed there."""
    pane = SourcePane(session)
    put(pane, 500, 300)
    made, text = sample_capture.capture(), "x = 1\n" * 120
    for lines in ((), ((90, "0/0"),)):
        found = with_source(made, text=text, captured_lines=lines, code_lines=())
        session._on_captured(found, False)
        qtbot.wait(10)
    assert pane.editor.is_line_visible(90)


def test_without_a_capture_it_is_empty(session, put):
    pane = SourcePane(session)
    put(pane)
    assert pane.empty.isVisible()


def test_what_went_wrong_at_a_line_stands_at_it(shown, put) -> None:
    put(pane := SourcePane(shown), 600, 160)
    pane.editor.go_to_line(16)
    pane.editor.centerCursor()
    assert not pane.editor.is_line_visible(2)
    error = Problem("The program fails by itself: RuntimeError: shapes.", "Correct it.", PATH, 2)
    shown.report(error)
    assert pane.editor.marks_on(2)[-1].tooltip == error.message()
    assert pane.editor.notes_on(2) == (error.what,)
    assert pane.editor.is_line_visible(2)
    shown.clear_problems()
    assert not pane.editor.marks_on(2)
    assert not pane.editor.notes_on(2)


def test_beside_a_line_stands_what_the_error_says(shown, put) -> None:
    """What was being done stood before it, and filled the room."""
    put(pane := SourcePane(shown), 600, 160)
    shown.report(
        Problem(
            "The program fails by itself: ValueError: too large.",
            "Correct it.",
            PATH,
            2,
            said="ValueError: too large.",
        )
    )
    assert pane.editor.notes_on(2) == ("ValueError: too large.",)


def test_what_went_wrong_at_a_line_that_was_changed_since_is_reported_with_what_it_is_now(shown, put) -> None:
    put(pane := SourcePane(shown), 600, 160)
    kept = pane.editor.toPlainText().split("\n")[1].strip()
    for written, shown_text in ((kept, "what"), ("x = 1 +", "line is now “x = 1 +”: what")):
        shown.clear_problems()
        shown.report(Problem("what", "Correct it.", PATH, 2, written=written))
        assert pane.editor.notes_on(2) == (shown_text,)


def test_what_went_wrong_below_the_captured_text_is_marked_and_reported_at_its_last_line(shown, put) -> None:
    """The file has grown since."""
    put(pane := SourcePane(shown), 600, 160)
    pane.editor.go_to_line(1)
    last = pane.editor.blockCount()
    shown.report(Problem("what", "Correct it.", PATH, last + 20, written="x = 1 +"))
    assert pane.editor.marks_on(last)
    assert pane.editor.notes_on(last) == ("line is now “x = 1 +”: what",)
    assert pane.editor.is_line_visible(last)


class CountedText(str):
    splits = 0

    def split(self, *args, **kwargs):
        CountedText.splits += 1
        return super().split(*args, **kwargs)


def test_a_file_without_problems_is_not_split_for_them() -> None:
    """They are asked for at every change of colours, of files of thousands of lines."""
    file = SourceFile("model.py", CountedText("a\nb\n"))
    elsewhere = [Problem("Wrong.", path="other.py", line=1), Problem("Note.", severity=Severity.NOTE)]
    assert problems_of(elsewhere, file) == []
    assert CountedText.splits == 0
    assert [row.line for row in problems_of([Problem("Wrong.", path="model.py", line=2)], file)] == [2]
