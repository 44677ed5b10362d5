"""Graph breaks, and the frames they tore apart."""

import msgspec
import pytest

from app.panes.breaks_pane import BreaksPane
from app.panes.breaks_pane.remedy_list import RemedyList
from app.panes.frames_pane import FramesPane
from compiler.model.capture.frames import BreakCategory
from compiler.model.capture.program_changes import SetConfig
from compiler.model.graph_breaks.ranked_breaks import ranked_breaks
from compiler.model.graph_breaks.remedy import Remedy
from compiler.model.ir.graph import SourceLine
from compiler.model.ir.ids import place
from compiler.model.protocol.messages import MeasureBreaks
from compiler.model.timing.graph_break_cost import BreakCosts, Gap
from compiler.model.timing.timings import TimingSummary
from tests.helpers.opened_capture import open_capture
from tests.helpers.shown_language import in_chinese
from tests.helpers.table_reader import every_row, menu_texts, seen_rows


@pytest.fixture
def pane(shown, put):
    made = BreaksPane(shown)
    put(made, 800, 500)
    return made


def test_a_break_is_listed_with_its_reason_and_hints(pane):
    row = seen_rows(pane.list.table)[0]
    assert row.texts()[1:4] == [
        "Failed to trace builtin operator",
        "15",
        "1×",
    ]
    text = pane.details.plain()
    assert "does not know how to trace this builtin" in text
    assert "Remove the print." in text
    assert 'print("mean", hidden.mean())' in text


def test_the_same_cause_on_the_same_line_is_reported_once(capture):
    (one,) = capture.breaks
    again = msgspec.structs.replace(one, id="break-2", frame="0/1", count=3)
    (merged,) = ranked_breaks(msgspec.structs.replace(capture, breaks=(one, again)))
    assert merged.times == 4
    assert merged.frames == ("0/0", "0/1")


def test_a_cause_that_names_other_tensors_each_time_is_reported_once(capture):
    (one,) = capture.breaks
    branch = (
        "Detected data-dependent branching.\n\n  The condition is computed as follows:\n    {name} = x.sum()"
    )
    breaks = [
        msgspec.structs.replace(one, id=name, frame=name, explanation=branch.format(name=name), reason=name)
        for name in ("sum_1", "sum_2")
    ]
    (merged,) = ranked_breaks(msgspec.structs.replace(capture, breaks=tuple(breaks)))
    assert merged.times == 2
    other = msgspec.structs.replace(breaks[0], explanation="Something else.\n\n  sum_1", id="other")
    assert len(ranked_breaks(msgspec.structs.replace(capture, breaks=(*breaks, other)))) == 2


def test_rows_name_the_line_of_a_library_that_breaks(session, engine, capture, put):
    (one,) = capture.breaks
    at = [
        msgspec.structs.replace(
            one,
            id=f"break-{line}",
            kind="graph break in loop",
            sort=BreakCategory.LOOP,
            callee=callee,
            reported=one.where,
            stack=(one.where, SourceLine("/lib/reformer.py", line, "forward", "h = f(h)")),
        )
        for line, callee in ((1517, ""), (1534, "torch.random.manual_seed"))
    ]
    open_capture(session, msgspec.structs.replace(capture, breaks=tuple(at)))
    put(pane := BreaksPane(session), 600, 400)
    assert [row.text(1) for row in seen_rows(pane.list.table)] == [
        "graph break in loop\nline 1517 of reformer.py",
        "graph break in loop\ntorch.random.manual_seed() at line 1534 of reformer.py",
    ]


def test_a_click_selects_the_instruction(shown, pane, click_row):
    click_row(seen_rows(pane.list.table)[0])
    assert shown.selection.pinned == place("0/0:bytecode", "i24")


def test_a_row_offers_its_line(pane):
    assert menu_texts(pane.list.table, seen_rows(pane.list.table)[0]) == ["Open mlp.py:15 in the editor"]


def test_a_line_of_the_stack_leads_to_the_source(shown, pane):
    pane.details.link_clicked.emit(0)
    assert shown.selection.pinned == place("source:/home/me/mlp.py", "L15")


def test_selecting_the_line_elsewhere_finds_the_break(shown, pane):
    pane.list.table.select(())
    assert pane.list.current is None
    shown.selection.select(place("source:/home/me/mlp.py", "L15"))
    assert pane.list.current is pane.list.rows[0]


def test_frames_tell_what_resumed_what(shown, pane, put, click_row):
    frames = FramesPane(shown)
    put(frames, 800, 500)
    texts = [row.text(0) for row in every_row(frames.frames)]
    assert texts == [
        "forward (0/0)",
        "Graph 0/0 with 6 nodes",
        "Graph break at line 15: Failed to trace builtin operator",
        "forward resumes after line 15 (1/0)",
        "Compiled again (1): tensor 'hidden' size mismatch at index 0",
        "Graph 1/0 with 3 nodes",
    ]
    rows = {row.text(0): row for row in every_row(frames.frames)}
    assert rows["forward (0/0)"].text(1) == "14"
    click_row(rows["Graph 1/0 with 3 nodes"])
    assert shown.stage.id == "1/0:dynamo"
    pane.list.table.select(())
    assert pane.list.current is None
    click_row(rows[texts[2]])
    assert shown.selection.pinned == place("0/0:bytecode", "i24")
    assert pane.list.current is pane.list.rows[0]
    click_row(rows["forward (0/0)"])
    assert shown.selection.pinned == place("source:/home/me/mlp.py", "L12")


def test_two_breaks_of_one_line_are_distinguished_where_frames_are_listed(session, engine, capture, put):
    (one,) = capture.breaks
    other = msgspec.structs.replace(one, id="break-2", kind="break in a loop")
    frame = next(item for item in capture.frames if one.id in item.breaks)
    frames = tuple(
        msgspec.structs.replace(item, breaks=(one.id, other.id)) if item is frame else item
        for item in capture.frames
    )
    open_capture(session, msgspec.structs.replace(capture, breaks=(one, other), frames=frames))
    put(pane := BreaksPane(session), 900, 300)
    put(listed := FramesPane(session), 600, 300)
    assert {row.location for row in pane.list.rows} == {pane.list.rows[0].location}
    for break_id in (other.id, one.id, other.id):
        listed.frames.break_clicked.emit(break_id)
        assert pane.list.current.first.id == break_id


def test_without_breaks_it_says_so(session, engine, capture, put):
    open_capture(session, msgspec.structs.replace(capture, breaks=()))
    pane = BreaksPane(session)
    put(pane)
    assert pane.none.isVisible()
    assert pane.none.headline.text() == "No graph breaks: the whole program is 2 graphs"


def test_costs_are_measured_when_asked_and_rank_the_list(shown, engine, pane):
    pane.list.button.click()
    asked = engine.last(MeasureBreaks)
    assert not pane.list.button.isEnabled()
    times = TimingSummary(400_000.0, 390_000.0, 410_000.0, 100)
    gap = Gap("0/0", "", TimingSummary(20_000.0, 19_000.0, 21_000.0, 100), 1, 3)
    asked.reply(BreakCosts(times, TimingSummary(300_000.0, 290_000.0, 310_000.0, 100), (gap,), times))
    assert "75% of it in compiled graphs" in pane.list.summary.text()
    assert seen_rows(pane.list.table)[0].text(6) == "20.0 µs"
    assert "3 operations run eagerly there" in seen_rows(pane.list.table)[0].tooltip(1)


def test_a_remedy_leads_to_its_trial(shown, pane, qtbot):
    assert "Let print run after the graph" in pane.remedies.words.plain()
    with qtbot.waitSignal(shown.trials.chosen):
        pane.remedies.words.link_clicked.emit(0)
    assert shown.trials.proposal.remedy.title == "Let print run after the graph"


def test_a_name_that_is_longer_than_its_column_takes_lines(pane, qtbot):
    (row,) = pane.list.rows
    first, second = (
        msgspec.structs.replace(row.first, id=str(at), kind=kind)
        for at, kind in enumerate(
            ("Unsupported Tensor.item() call with several words more than there is room for", "short")
        )
    )
    pane.list.show_breaks(tuple(msgspec.structs.replace(row, breaks=(found,)) for found in (first, second)))
    pane.list.setFixedWidth(240)

    def heights() -> list[int]:
        return [pane.list.table.tree.visualRect(seen.index).height() for seen in seen_rows(pane.list.table)]

    qtbot.waitUntil(lambda: heights()[0] > 1.5 * heights()[1])


def test_remedies_are_said_in_the_persons_language(qapp, qtbot):
    shown = RemedyList()
    qtbot.addWidget(shown)
    remedy = Remedy("Set allow_rnn", "Dynamo traces through recurrent layers.", SetConfig("allow_rnn", True))
    with in_chinese(qapp):
        shown.show_remedies((remedy,))
        assert "设置 allow_rnn: Dynamo 跟踪进入循环层。" in shown.words.plain()
