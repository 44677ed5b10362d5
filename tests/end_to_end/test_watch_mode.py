"""A file is saved in somebody's editor; the window follows, with the real worker."""

import os
from pathlib import Path

import pytest

from app.session.edit_builders.from_selection import relu_to_gelu
from compiler.model.ir.ids import place
from tests.end_to_end.conftest import EXAMPLES, Desk

pytestmark = [pytest.mark.worker, pytest.mark.engine]

_PRINT = '        print("hidden layer done")\n'


@pytest.mark.thorough
def test_saved_captured_compared_broken_and_mended(desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "breaky.py"
    text = (EXAMPLES / "breaky.py").read_text()
    file.write_text(text)
    desk.capture("breaky.py:Breaky", tmp_path)
    session = desk.session
    desk.act("file.watch")
    assert session.watch.paths == (str(file),)
    first = session.capture
    assert first is not None
    session.show_stage("0/0:joint")
    session.selection.select(place(f"source:{file}", "L18"))
    graph = session.stage_with_edits("0/0:dynamo").graph
    assert graph is not None
    session.make_edit(relu_to_gelu("0/0:dynamo", graph, "relu"))

    fresh = tmp_path / ".breaky.py.new"  # as editors save that never leave half a file behind
    fresh.write_text(text.replace(_PRINT, ""))
    os.replace(fresh, file)
    desk.until(lambda: session.capture is not first)
    desk.until(desk.settled)
    second = session.capture
    assert session.changes.before is first
    assert session.changes.words.startswith("1 graph break gone · 3 → 2 graphs · ")
    assert desk.window.row.changes.isVisible()
    assert "1 edit made again" in desk.window.row.changes.text.text()
    assert session.stage.id == "0/0:joint"
    assert session.selection.pinned == place(f"source:{file}", "L17")
    assert len(session.edits) == 1
    assert desk.problem_texts() == []
    desk.act("edit.recompile")
    desk.until(lambda: session.verdict is not None)
    desk.until(desk.settled)

    file.write_text("def broken(:\n")
    desk.until(lambda: bool(session.watch.failed))
    assert session.capture.parent == second.id
    assert any("Could not load" in problem for problem in desk.problem_texts())
    assert "cannot be captured" in desk.window.row.changes.text.text()

    file.write_text(text)
    desk.until(lambda: len(session.captures) == 1 and not session.watch.failed)
    desk.until(desk.settled)
    assert session.changes.words.startswith("1 new graph break · 2 → 3 graphs · ")
    assert not any("Could not load" in problem for problem in desk.problem_texts())
    session.watch.set_on(False)


@pytest.mark.thorough
def test_of_two_quick_saves_the_newer_counts(desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "breaky.py"
    text = (EXAMPLES / "breaky.py").read_text()
    file.write_text(text)
    desk.capture("breaky.py:Breaky", tmp_path)
    session = desk.session
    desk.act("file.watch")
    shown: list[str] = []
    session.changes.changed.connect(lambda: shown.append(session.changes.words))
    file.write_text(text.replace("x = x * 2", "x = x * 3"))
    desk.until(lambda: bool(session.watch.working) and session.busy)
    file.write_text(text.replace(_PRINT, ""))
    desk.until(lambda: bool(shown))
    desk.until(desk.settled)
    assert [words[:24] for words in shown] == ["1 graph break gone · 3 →"]
    assert desk.problem_texts() == []
