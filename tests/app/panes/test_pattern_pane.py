"""A pattern from the selection, its matches, near misses, and the replacement."""

import msgspec
import pytest
from PySide6.QtCore import Qt

from app.panes.pattern_pane import PatternPane
from app.theme import current
from app.theme.colors import DARK, LIGHT
from compiler.model.edits.edits import EditGroup
from compiler.model.edits.pattern_explanation import candidates, explain
from compiler.model.edits.patterns import NearMiss, PatternMatch, PatternMatches
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import place
from compiler.model.ir.stage import FxStage, Stage, StageKind
from compiler.model.protocol.messages import FindMatches, Preview, PreviewEdits
from tests.helpers.opened_capture import open_capture
from tests.helpers.sample_capture import graph_with, node, output, placeholder
from tests.helpers.table_reader import row_of, seen_rows

D = "0/0:dynamo"
DROPOUT = "torch.nn.functional.dropout"
GRAPH = graph_with(
    placeholder("x"),
    node("a", "torch.relu", "x"),
    node("b", DROPOUT, "a", 0.5),
    node("c", "torch.relu", "b"),
    node("d", DROPOUT, "c", 0.5),
    node("e", "torch.relu", "d"),
    node("f", DROPOUT, "e", 0.1),
    output("f"),
)


@pytest.fixture
def opened(session, engine, capture):
    stage = Stage(D, StageKind.DYNAMO_GRAPH, "Dynamo graph", FxStage(GRAPH), "0/0")
    only = msgspec.structs.replace(capture, stages=(stage,), links=(), frames=(), breaks=())
    open_capture(session, only)
    session.show_stage(D)
    return session


@pytest.fixture
def pane(opened, put):
    made = PatternPane(opened)
    put(made, 1100, 400)
    return made


def answer(engine) -> None:
    """What torch's matcher says, by the same walk."""
    pattern = engine.last(FindMatches).body.pattern
    reported = [explain(D, pattern, GRAPH, end) for end in candidates(pattern, GRAPH)]
    matches = tuple(one for one in reported if isinstance(one, PatternMatch))
    near = tuple(one for one in reported if isinstance(one, NearMiss))
    engine.last(FindMatches).reply(PatternMatches(matches, near, "torch.fx"))


def taken(pane, opened, engine, *nodes: str) -> None:
    opened.selection.select(place(D, *nodes))
    opened.asking.pattern_wanted.emit()
    answer(engine)


def type_in(pane, old: str, new: str) -> None:
    text = pane.replacement.editor.toPlainText()
    assert old in text
    pane.replacement.editor.setPlainText(text.replace(old, new))
    pane.replacement.read()


def test_matches_and_near_misses_are_listed_and_select_their_nodes(pane, opened, engine, click_row):
    taken(pane, opened, engine, "a", "b")
    assert [match.nodes for match in pane.matches.chosen()] == [("a", "b"), ("c", "d")]
    (near,) = seen_rows(pane.matches)[1].children()
    assert near.text(1) == "argument 1 of f is 0.1, the pattern wants 0.5"
    click_row(near)
    assert "f" in opened.selection.pinned.nodes
    assert not pane.apply_button.isEnabled()
    assert "Type what takes the place" in pane.state.text()


def test_an_argument_is_made_general_by_a_click(pane, opened, engine, click_row):
    taken(pane, opened, engine, "a", "b")
    click_row(row_of(pane.tree, ("b", ("args", "1"))))
    answer(engine)
    assert len(pane.matches.chosen()) == 3
    assert row_of(pane.tree, ("b", ("args", "1"))).text(1) == "anything"
    click_row(row_of(pane.tree, ("b", ("args", "1"))))
    answer(engine)
    assert len(pane.matches.chosen()) == 2
    click_row(row_of(pane.tree, ("b", ("args", "0"))))
    answer(engine)
    assert [match.nodes for match in pane.matches.chosen()] == [("b",), ("d",)]


def test_chosen_matches_are_replaced(pane, opened, engine, qtbot):
    taken(pane, opened, engine, "a", "b")
    type_in(pane, "torch.nn.functional.dropout(a, 0.5)", "torch.nn.functional.silu(x)")
    assert pane.apply_button.text() == "Replace 2 matches"
    engine.last(PreviewEdits).reply(Preview((), (Problem("b does not work after this edit."),)))
    assert "does not work" in pane.state.text()
    seen_rows(pane.matches)[0].children()[0].tick(on=False)
    qtbot.mouseClick(pane.apply_button, Qt.MouseButton.LeftButton)
    (group,) = opened.edits
    assert isinstance(group, EditGroup)
    graph = opened.stage_with_edits(D).graph
    assert [one.target.rpartition(".")[2] for one in graph.nodes if one.op.startswith("call")] == [
        "relu", "dropout", "relu", "silu", "relu", "dropout",
    ]  # fmt: skip
    qtbot.waitUntil(lambda: engine.last(FindMatches).body.edits == (group,))


def test_a_replacement_with_faults_is_not_applied_and_is_kept_when_the_pattern_changes(
    pane, opened, engine, click_row
):
    taken(pane, opened, engine, "a", "b")
    type_in(pane, "torch.nn.functional.dropout(a, 0.5)", "torch.silu(nothing)")
    assert "no node nothing" in pane.state.text()
    assert not pane.apply_button.isEnabled()
    type_in(pane, "nothing", "a")
    click_row(row_of(pane.tree, ("b", ("args", "1"))))
    assert "torch.silu(a)" in pane.replacement.editor.toPlainText()
    assert "any: Any," in pane.replacement.editor.toPlainText()
    assert pane.replacement.fault == ""
    taken(pane, opened, engine, "e", "f")
    assert "silu" not in pane.replacement.editor.toPlainText()


def test_what_is_no_pattern_is_reported(pane, opened, engine):
    opened.selection.select(place(D, "a", "d"))
    opened.asking.pattern_wanted.emit()
    assert "ends in one call" in opened.problems[-1].what
    assert engine.count(FindMatches) == 0


def test_a_replacement_is_drawn_on_the_canvas_and_matches_are_selected(pane, opened, engine, qtbot):
    taken(pane, opened, engine, "a", "b")
    qtbot.mouseClick(pane.select, Qt.MouseButton.LeftButton)
    assert opened.selection.pinned == place(D, "a", "b", "c", "d")
    opened.selection.select(place(D, "f"))
    qtbot.mouseClick(pane.draw, Qt.MouseButton.LeftButton)
    assert "uses e, which is no input" in pane.state.text()
    opened.selection.select(place(D, "a"))
    qtbot.mouseClick(pane.draw, Qt.MouseButton.LeftButton)
    assert "return a" in pane.replacement.editor.toPlainText()
    assert pane.apply_button.isEnabled()
    qtbot.mouseClick(pane.apply_button, Qt.MouseButton.LeftButton)
    graph = opened.stage_with_edits(D).graph
    assert [one.target.rpartition(".")[2] for one in graph.nodes if one.op.startswith("call")] == [
        "relu", "relu", "relu", "dropout",
    ]  # fmt: skip


def test_pattern_and_replacement_are_written_as_code(pane, opened, engine, tmp_path):
    taken(pane, opened, engine, "a", "b")
    assert not pane.export.isEnabled()
    type_in(pane, "b = torch.nn.functional.dropout(a, 0.5)", "b = torch.tanh(a)")
    assert pane.export.isEnabled()
    pane.write(tmp_path / "mine.py")
    text = (tmp_path / "mine.py").read_text()
    compile(text, "mine.py", "exec")
    assert "n['b'] = graph.call_function(torch.tanh, (n['a'],), {})" in text
    assert "MATCHES = 2" in (tmp_path / "test_mine.py").read_text()
    assert "mine.py" in opened.problems[-1].what
    pane.write(tmp_path / "not a name.py")
    assert "no name for a Python module" in opened.problems[-1].what


def test_titles_of_groups_follow_the_look(pane, opened, engine, qtbot):
    taken(pane, opened, engine, "a", "b")
    title = seen_rows(pane.matches)[0]
    assert title.color(1) == LIGHT.dim_text
    try:
        current.set_colors(DARK)
        assert title.color(1) == DARK.dim_text
    finally:
        current.set_colors(LIGHT)
