"""Source and frames of captures with breaks of every sort, made by hand."""

import msgspec
import pytest

from app.panes.breaks_pane.details import break_details
from app.panes.frames_pane import FramesPane
from app.panes.frames_pane.frame_tree import FrameTree
from app.panes.partition_pane.decision_table import _row
from app.panes.source_pane import SourcePane
from app.session.facade.session import Session
from app.theme import current
from compiler.analysis.text_format.result_line import result_line
from compiler.model.capture.capture import Capture
from compiler.model.capture.frames import BreakCategory, GraphBreak, InlinedCall, StackValue, VariableSize
from compiler.model.graph_breaks.break_summary import describe, describe_category, with_loss
from compiler.model.graph_breaks.ranked_breaks import ranked_breaks
from compiler.model.graph_breaks.registry_ids import BREAK_IN_LOOP
from compiler.model.ir.graph import SourceLine
from compiler.model.ir.stage import TensorDecision
from tests.helpers.broken_capture import broken_capture
from tests.helpers.changed_capture import with_source
from tests.helpers.opened_capture import open_capture
from tests.helpers.table_reader import every_row, seen_rows

_PATH = "/home/me/mlp.py"


def _shown(session: Session, engine, capture: Capture) -> Session:
    return open_capture(session, capture)


def _with(capture: Capture, *breaks: GraphBreak, **more: object) -> Capture:
    return msgspec.structs.replace(capture, breaks=(*capture.breaks, *breaks), **more)


@pytest.fixture
def stopped(capture: Capture) -> GraphBreak:
    return msgspec.structs.replace(
        capture.breaks[0],
        callee="print",
        symbolic_stack=(
            StackValue("NullVariable", "NULL"),
            StackValue("TensorVariable", "f32[32, 256]", "relu"),
        ),
    )


@pytest.fixture
def loop(stopped: GraphBreak) -> GraphBreak:
    return msgspec.structs.replace(
        stopped,
        id="break-2",
        kind="graph break in loop",
        registry_id=BREAK_IN_LOOP,
        sort=BreakCategory.LOOP,
        caused_by="break-1",
        skipped_frame=True,
    )


def _source(session: Session, put, width: int = 1100) -> SourcePane:
    pane = SourcePane(session)
    put(pane, width, 500)
    return pane


def test_the_reason_stands_at_the_end_of_the_line(session, engine, capture, stopped, put):
    pane = _source(_shown(session, engine, msgspec.structs.replace(capture, breaks=(stopped,))), put)
    assert pane.editor.notes_on(15) == ("Dynamo can't trace print()",)
    pane.reasons.click()
    assert pane.editor.notes_on(15) == ()
    assert len(pane.editor.marks_on(15)) == 1


def test_a_function_given_up_because_of_a_loop_says_both(session, engine, capture, stopped, loop, put):
    pane = _source(_shown(session, engine, msgspec.structs.replace(capture, breaks=(stopped, loop))), put)
    assert pane.editor.notes_on(15) == (
        "Dynamo can't trace print() · in a loop; the whole function runs eagerly",
    )


def test_sizes_stand_beside_variables_and_can_be_switched_off(session, engine, capture, put):
    sizes = (
        VariableSize(_PATH, 13, "hidden", "f32[32, 256]", "0/0", "linear"),
        VariableSize(_PATH, 13, "hidden", "f32[s0, 256]", "0/1", "linear"),
        VariableSize(_PATH, 13, "rows", "int s0", "0/1"),
        VariableSize("/elsewhere.py", 14, "other", "f32[1]", "0/0"),
    )
    pane = _source(_shown(session, engine, _with(capture, variables=sizes)), put)
    assert pane.editor.notes_on(13) == ("hidden f32[32, 256] or f32[s0, 256]   rows int s0",)
    assert "hidden: f32[32, 256] or f32[s0, 256]" in pane.editor.tooltip_of(13)
    assert pane.editor.notes_on(14) == ()
    pane.sizes.click()
    assert pane.editor.notes_on(13) == ()


def test_notes_are_no_part_of_the_text_and_are_painted(session, engine, capture, put):
    sizes = (VariableSize(_PATH, 13, "hidden", "f32[32, 256]", "0/0", "linear"),)
    pane = _source(_shown(session, engine, _with(capture, variables=sizes)), put)
    assert "f32[32" not in pane.editor.toPlainText()
    before = pane.editor.grab().toImage()
    pane.sizes.click()
    assert pane.editor.grab().toImage() != before


def test_the_line_that_calls_into_a_break_is_marked_lightly(session, engine, capture, stopped, put):
    deep = msgspec.structs.replace(
        stopped, stack=(SourceLine(_PATH, 13, "forward"), *stopped.stack, SourceLine("/lib/x.py", 3, "inner"))
    )
    pane = _source(_shown(session, engine, msgspec.structs.replace(capture, breaks=(deep,))), put)
    (mark,) = pane.editor.marks_on(13)
    assert (mark.shape, mark.color) == ("arrow", current.colors().dim_text)
    assert pane.editor.notes_on(13) == ("break inside: Dynamo can't trace print()",)
    assert [mark.shape for mark in pane.editor.marks_on(15)] == ["stop"]


def test_functions_dynamo_left_alone_are_grey_and_say_why(session, engine, capture, put):
    skipped = GraphBreak(
        "break-2", "", "no tensor-related objects found in frame", "no tensor-related objects found in frame",
        stack=(SourceLine(_PATH, 16, "forward"), SourceLine(_PATH, 8, "__init__")), skipped_frame=True,
        sort=BreakCategory.SKIPPED_FRAME,
    )  # fmt: skip
    made = with_source(capture, eager_lines=(9, 10), code_lines=(9, 10, 12, 13, 14, 15))
    pane = _source(_shown(session, engine, _with(made, skipped)), put)
    eager = [line for line in range(1, 17) if current.colors().line in pane.editor.stripes_on(line)]
    assert eager == [9, 10, 15]
    assert [mark.shape for mark in pane.editor.marks_on(8)] == ["cross"]
    assert pane.editor.notes_on(8) == ("function runs eagerly: no variable of it holds a tensor",)
    assert pane.editor.marks_on(16) == []
    assert pane.editor.stripes_on(9) == (current.colors().line,)
    assert "Ran eagerly" in pane.editor.tooltip_of(9)


def test_a_line_never_reached_is_not_said_to_have_run(session, engine, capture, put):
    made = with_source(capture, code_lines=(10, 12, 13, 14, 15, 16))
    pane = _source(_shown(session, engine, _with(made)), put)
    unreached = [line for line in range(1, 17) if "was not reached" in pane.editor.tooltip_of(line)]
    assert unreached == [10]
    assert "was not reached, or ran eagerly" in pane.editor.tooltip_of(10)


def test_details_show_instruction_callee_stack_and_cause(capture, stopped, loop):
    whole = msgspec.structs.replace(capture, breaks=(stopped, loop))
    reported = {row.first.id: break_details(whole, row) for row in ranked_breaks(whole)}
    text, places = reported["break-1"][0].plain, reported["break-1"][1]
    assert "CALL 2  at 24 of forward" in text
    assert "calls print" in text
    assert text.index("TensorVariable f32[32, 256]  node relu") < text.index("NullVariable NULL")
    assert stopped.instruction in places
    text, places = reported["break-2"][0].plain, reported["break-2"][1]
    assert "It follows from: Dynamo can't trace print()" in text
    assert describe_category(loop) in text


def test_calls_are_folded_and_found_by_the_filter(session, engine, capture, put):
    calls = (
        InlinedCall("outer", _PATH, 1, 1, _PATH, 13, 4, times=3),
        InlinedCall("inner", _PATH, 5, 2, _PATH, 2, 2),
        InlinedCall("refused", _PATH, 9, 1, _PATH, 14, refused="graph break inside: x"),
    )
    frames = (msgspec.structs.replace(capture.frames[0], calls=calls), *capture.frames[1:])
    pane = FramesPane(_shown(session, engine, _with(capture, frames=frames)))
    put(pane)
    group = next(row for row in every_row(pane.frames) if "traced into it" in row.text(0))
    assert group.text(0) == "4 calls traced into it, 1 call not taken in"
    assert not group.is_open()
    assert group.children() == []
    pane.frames.field.setText("inner")
    assert [row.text(0) for row in every_row(pane.frames) if row.text(0).startswith("inner")]
    pane.frames.field.clear()
    group = next(row for row in every_row(pane.frames) if "traced into it" in row.text(0))
    outer, refused = group.children()
    assert outer.text(0) == "outer ×3, 4 nodes"
    assert outer.children()[0].text(0) == "inner, 2 nodes"
    assert refused.text(0) == "refused: not taken in, graph break inside: x"


def test_what_resumes_hangs_under_its_break(qtbot):
    tree = FrameTree()
    qtbot.addWidget(tree)
    tree.show_frames(broken_capture(3, 4))
    (top,) = seen_rows(tree)
    stopped = next(row for row in top.children() if "print" in row.text(0))
    assert "resumes after line" in stopped.children()[0].text(0)


def test_many_breaks_fill_at_once(session, engine, put):
    pane = _source(_shown(session, engine, broken_capture(200, 300)), put)
    captured = [line for line in range(1, 2000) if {*pane.editor.stripes_on(line)} - {current.colors().line}]
    assert len(captured) == 300
    assert pane.legend.heightForWidth(700) < 100
    tree = FrameTree()
    tree.show_frames(session.capture)
    assert sum(1 for _ in every_row(tree)) >= 300 + 300 + 200
    tree.close()


@pytest.mark.parametrize("sort", list(BreakCategory))
def test_every_sort_has_words(sort: BreakCategory, stopped: GraphBreak) -> None:
    item = msgspec.structs.replace(
        stopped, sort=sort, kind="Something new", registry_id="", skipped_frame=True
    )
    assert describe(item) == "Something new"
    assert with_loss(item)
    assert describe_category(item)


def test_what_a_newer_file_names_is_shown_by_its_name(capture: Capture) -> None:
    newer = msgspec.structs.replace(capture, spec=msgspec.structs.replace(capture.spec, front_end="newer"))
    assert "captured with newer" in result_line(newer)
    assert [cell.text for cell in _row(TensorDecision("sin", "newer", 4), "").cells][1:2] == ["newer"]
