"""A folder of ``loupe batch`` is shown as its table, and its captures are opened from there."""

from pathlib import Path

import msgspec
import pytest

from app.window.main_window import MainWindow
from app.window.start.batch_dialog import BatchDialog
from compiler.analysis.session_file.session_file import SessionData, write_session
from compiler.model.batch.jobs import JobKey
from compiler.model.batch.rows import BatchList, Cause, Figures, JobState, Row
from tests.helpers import sample_capture
from tests.helpers.table_reader import seen_rows

FIGURES = Figures("2.13.0", "cpu", 2, (), 3, (), 4.0, compile_seconds=1.5, memory=3 << 20)


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """One job is done, one failed, one was not come to."""
    folder = tmp_path / "results"
    (folder / "jobs").mkdir(parents=True)
    keys = [JobKey(name, "cpu", "2.13.0", "default") for name in ("net", "broken", "later")]
    rows = [
        Row("a", keys[0], Cause.DONE, figures=FIGURES),
        Row("b", keys[1], Cause.FAILED, what="there is no 'Nope'"),
    ]
    for row in rows:
        (folder / "jobs" / f"{row.id}.json").write_bytes(
            msgspec.json.encode(JobState(row.id, "done", 1, row))
        )
    listed = BatchList(tuple(zip("abc", keys, strict=True)))
    (folder / "batch.json").write_bytes(msgspec.json.encode(listed))
    write_session(folder / "a.loupe", SessionData((sample_capture.capture(),)))
    return folder


@pytest.mark.parametrize("inside", ["", "batch.json"])
def test_a_batch_is_shown_as_its_table(
    window: MainWindow, session, qtbot, results: Path, inside: str
) -> None:
    window.open_path(results / inside)
    dialog = window.findChild(BatchDialog)
    assert dialog.isVisible()
    assert not seen_rows(dialog.table)  # the files of many jobs are read beside the window
    qtbot.waitUntil(lambda: bool(seen_rows(dialog.table)))
    assert dialog.words.text().replace("job(s)", "jobs") == "2 jobs · 1 failed · 1 not done yet"
    assert [[*row.texts()[:3], row.texts()[4]] for row in seen_rows(dialog.table)] == [
        ["net", "cpu", "2.13.0", "done"],
        ["broken", "cpu", "2.13.0", "failed"],
        ["later", "cpu", "2.13.0", "not done yet"],
    ]
    assert session.problems == ()
    dialog.table.make_current("b")
    assert dialog.what.text() == "there is no 'Nope'"
    assert not dialog.open_button.isEnabled()
    dialog.table.make_current("a")
    dialog.open_button.click()
    qtbot.waitUntil(lambda: session.capture is not None)
    assert session.file_path == results / "a.loupe"
    assert dialog.isVisible()
    dialog.close()


def test_a_list_that_cannot_be_read_is_reported(window: MainWindow, qtbot, results: Path) -> None:
    (results / "batch.json").write_text("{")
    window.open_path(results)
    dialog = window.findChild(BatchDialog)
    qtbot.waitUntil(lambda: "cannot be read" in dialog.words.text())
    assert not dialog.open_button.isEnabled()
    dialog.close()
