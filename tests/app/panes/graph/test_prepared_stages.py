"""Large stages are read off the window's thread, and not at all where nobody sees them."""

import threading

import msgspec
import pytest
from PySide6.QtWidgets import QTabWidget

import app.linked_text.shown_program as shown_program
from app.canvas import layout_job
from app.panes.code_pane import CodePane
from app.panes.graph.graph_pane import GraphPane
from compiler.analysis.queries import node_facts
from compiler.analysis.text_format.parser import parse_graph
from compiler.analysis.text_format.printer import program
from compiler.model.diagrams.diagrams import diagram
from compiler.model.edits.edits import BypassNode
from tests.app.panes.graph.conftest import layered_graph

MANY = 60, 30
"""Layers, and calls of each: more than are shown at once."""


@pytest.fixture
def asked(monkeypatch):
    """In which threads the program of a stage was made."""
    threads = []

    def note(stage):
        threads.append(threading.current_thread() is threading.main_thread())
        return program(stage)

    for name in ("app.panes.code_pane.pane.program", "app.panes.graph.questions.program"):
        monkeypatch.setattr(name, note)
    return threads


def test_the_program_of_a_large_stage_is_made_in_another_thread(show_graph, put, qtbot, asked):
    pane = CodePane(show_graph(layered_graph(*MANY)))
    put(pane)
    qtbot.waitUntil(lambda: pane.editor.shown is not None, timeout=20_000)
    assert asked == [False]
    assert pane.editor.blockCount() > 1000


def test_a_pane_behind_another_reads_nothing_until_it_is_seen(show_graph, put, qtbot, monkeypatch):
    session = show_graph(layered_graph(2, 3))
    tabs = QTabWidget()
    pane, before = CodePane(session), QTabWidget()
    tabs.addTab(before, "before")
    tabs.addTab(pane, "code")
    put(tabs)
    shown = []
    made = shown_program.shown_program
    monkeypatch.setattr("app.panes.code_pane.pane.shown_program", lambda *of: shown.append(of) or made(*of))
    session.edits_changed.emit()
    session.preview_changed.emit()
    assert not shown
    tabs.setCurrentWidget(pane)
    qtbot.waitUntil(lambda: len(shown) == 1)


def test_the_window_answers_while_a_large_stage_is_read(show_graph, put, qtbot, monkeypatch):
    go_on, begun = threading.Event(), threading.Event()

    def held(stage):
        begun.set()
        assert go_on.wait(20)
        return diagram(stage)

    monkeypatch.setattr("app.panes.graph.questions.diagram", held)
    pane = GraphPane(show_graph(layered_graph(*MANY)))
    put(pane)
    try:
        assert begun.wait(20)
        assert not pane.is_idle()
        qtbot.waitUntil(pane.waiting.isVisible, timeout=20_000)  # events go on, and it is said
        assert "Esc" in pane.waiting.text()
    finally:
        go_on.set()
    qtbot.waitUntil(pane.is_idle, timeout=20_000)
    assert pane.waiting.isHidden()
    assert pane.view.scene_data.boxes


def test_a_search_in_a_large_graph_is_made_in_another_thread(show_graph, put, qtbot, monkeypatch):
    threads = []
    gathered = node_facts.gather

    def note(*given):
        threads.append(threading.current_thread() is threading.main_thread())
        return gathered(*given)

    monkeypatch.setattr("app.session.graph_views.graph_views.gather", note)
    pane = GraphPane(show_graph(layered_graph(*MANY)))
    put(pane)
    qtbot.waitUntil(pane.is_idle, timeout=20_000)
    threads.clear()
    pane.search.open()
    pane.search.field.setText("relu")
    qtbot.waitUntil(pane.is_idle, timeout=20_000)
    assert threads == [False]
    assert pane.search.count.text()
    pane.search.field.setText("op:")  # what is no query is reported at once
    assert pane.is_idle()


def test_a_text_in_which_nothing_was_typed_is_not_read(show_graph, put, qtbot, monkeypatch):
    pane = CodePane(show_graph(layered_graph(2, 3)))
    put(pane)
    read = []
    monkeypatch.setattr(
        "app.panes.code_pane.graph_editing.parse_graph",
        lambda text, graph: read.append(text) or parse_graph(text, graph),
    )
    pane.begin_editing()
    assert pane.editing.active
    assert not read
    assert not pane.editing.apply_button.isEnabled()
    pane.editor.insertPlainText("# said\n")
    qtbot.waitUntil(lambda: len(read) == 1)


def test_an_edit_of_a_large_graph_is_shown(show_graph, put, qtbot):
    """The graph with an edit that is not compiled is the same object each time, or it would be read for ever."""
    session = show_graph(layered_graph(*MANY))
    pane, code = GraphPane(session), CodePane(session)
    put(pane)
    put(code)
    qtbot.waitUntil(pane.is_idle, timeout=20_000)
    session.make_edit(BypassNode("0/0:dynamo", "relu_0_0", "x"))
    assert not pane.is_idle()
    qtbot.waitUntil(pane.is_idle, timeout=20_000)
    qtbot.waitUntil(lambda: code.editor.toPlainText().count("relu_0_0") == 0, timeout=20_000)
    assert "relu_0_1" in code.editor.toPlainText()
    assert "relu_0_0" not in pane.view.scene_data.layout.where
    assert "relu_0_1" in pane.view.scene_data.layout.where
    assert session.stage_with_edits("0/0:dynamo") is session.stage_with_edits("0/0:dynamo")


def test_a_stage_that_is_another_object_each_time_is_read_once(show_graph, put, qtbot, monkeypatch):
    read = []
    monkeypatch.setattr(
        "app.panes.graph.graph_pane.stage_in_view",
        lambda session, stage: msgspec.structs.replace(session.stage_with_edits(stage)),
    )
    monkeypatch.setattr(
        "app.panes.graph.questions.diagram", lambda stage: read.append(stage) or diagram(stage)
    )
    pane = GraphPane(show_graph(layered_graph(*MANY)))
    put(pane)
    qtbot.waitUntil(pane.is_idle, timeout=20_000)
    assert pane.view.scene_data.boxes
    assert len(read) == 1


def test_a_layout_that_made_way_for_reading_the_stage_again_is_made_after_it(
    show_graph, put, qtbot, monkeypatch
):
    session = show_graph(layered_graph(*MANY))
    pane = GraphPane(session)
    put(pane)
    qtbot.waitUntil(lambda: pane.is_idle() and bool(pane.view.scene_data.boxes), timeout=20_000)
    node = next(row for row in session.stage.graph.nodes if len(row.inputs()) and row.op == "call_function")
    go_on, arranged = threading.Event(), layout_job._arranged
    monkeypatch.setattr(layout_job, "_arranged", lambda *given: arranged(*given) if go_on.wait(20) else None)
    session.make_edit(BypassNode(session.stage.id, node.id, node.inputs()[0]))
    qtbot.waitUntil(lambda: pane._jobs.busy, timeout=20_000)
    pane._prepared._ready.clear()  # as if another object of the same stage had come
    pane._show_stage()
    assert not pane._jobs.busy
    go_on.set()
    qtbot.waitUntil(pane.is_idle, timeout=20_000)
    assert node.id not in pane.view.scene_data.layout.where
