import resource
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import QLockFile

from app.session.edit_history.journal_lines import read_journal
from app.session.facade.session import Session
from compiler.analysis.queries.graph_view_state import GraphLooks
from compiler.analysis.session_file.session_file import Journal, SessionData, write_session
from compiler.model.capture.capture_spec import TargetSpec
from compiler.model.edits.edits import BypassNode, Edit, InsertNode, ReplaceTarget, apply_edit
from compiler.model.ir.graph import Graph
from compiler.model.ir.stage import FxStage
from compiler.model.protocol.messages import CaptureMade, MakeCapture, PreviewEdits, Recompile, Recompiled
from tests.helpers import sample_capture
from tests.helpers.changed_capture import with_content, with_graph
from tests.helpers.fake_engine import FakeEngine
from tests.helpers.opened_capture import open_capture

D = sample_capture.DYNAMO
TO_GELU = ReplaceTarget(D, "z", "call_function", "torch.nn.functional.gelu", sample_capture.args("y"))
REMOVE_MUL = BypassNode(D, "mul", "z")


def opened(journals: Path, *edits: Edit) -> Session:
    """A session of its own with the sample in it, edited so."""
    made = open_capture(Session(FakeEngine(), journals=journals), sample_capture.capture())
    for edit in edits:
        made.make_edit(edit)
    return made


def test_the_journal_of_a_crashed_session_is_recovered(tmp_path: Path, qapp) -> None:
    first = opened(tmp_path, TO_GELU, REMOVE_MUL)
    first.undo()
    first.close(keep_journal=True)

    second = opened(tmp_path)
    (journal,) = second.recovery.recoverable()
    assert any("can be recovered" in problem.what for problem in second.problems)
    second.recovery.recover(Path(journal.path))
    assert not any("can be recovered" in problem.what for problem in second.problems)
    assert second.edits == (TO_GELU,)
    assert second.undo_stack.canRedo()
    assert second.recovery.recoverable() == ()
    second.close()
    assert list(tmp_path.glob("*.jsonl")) == []


@pytest.mark.parametrize("folder", ["full", "read-only"])
def test_the_journal_of_a_dead_session_is_found_where_nothing_can_be_locked(
    folder: str, tmp_path: Path, qapp, monkeypatch
) -> None:
    """A full disk takes no new lock; in a read-only folder the lock of the dead one stays."""
    first = opened(tmp_path, TO_GELU)
    (path,) = tmp_path.glob("*.jsonl")
    second = opened(tmp_path)
    assert second.recovery.recoverable() == (), "a living session writes it"
    if folder == "full":
        first.close(keep_journal=True)
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (10, before[1]))
        try:
            found = second.recovery.recoverable()
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
    else:
        gone = subprocess.Popen([sys.executable, "-c", ""])
        gone.wait()
        lock = path.with_suffix(".lock")
        lines = lock.read_text().split("\n")
        first.close(keep_journal=True)
        lock.write_text("\n".join([str(gone.pid), *lines[1:]]))
        monkeypatch.setattr(QLockFile, "tryLock", lambda *_: False)  # root may write into any folder
        monkeypatch.setattr(QLockFile, "error", lambda _: QLockFile.LockError.LockFailedError)
        found = second.recovery.recoverable()
    assert [journal.tree.edits(journal.tree.current) for journal in found] == [(TO_GELU,)]
    second.close()


def test_what_a_crash_left_is_made_again_where_its_program_is_captured_for_it(tmp_path: Path, qapp) -> None:
    first = opened(tmp_path, TO_GELU)
    first.close(keep_journal=True)

    second = Session(FakeEngine(), journals=tmp_path)
    (journal,) = second.recovery.left_behind()
    assert journal.heading.spec == sample_capture.capture().spec
    second.recovery.want(journal)
    open_capture(second, sample_capture.capture())
    assert second.edits == (TO_GELU,)
    assert not any("unexpectedly" in problem.what for problem in second.problems)
    assert second.recovery.left_behind() == ()
    second.close(keep_journal=True)

    third = Session(FakeEngine(), journals=tmp_path)
    third.recovery.want(*third.recovery.left_behind())
    open_capture(third, with_graph(sample_capture.capture(), D, lambda nodes: nodes[:-1]))
    assert third.edits == ()
    assert "do not fit" in third.problems[-1].what
    assert len(third.recovery.left_behind()) == 1
    third.close()


def test_edits_made_after_saving_are_recovered_on_top_of_the_file(tmp_path: Path, qtbot) -> None:
    first = opened(tmp_path, TO_GELU)
    with qtbot.waitSignal(first.file_changed, timeout=5000):
        first.save_file(tmp_path / "a.loupe")
    assert list(tmp_path.glob("*.jsonl")) == []
    first.undo()
    first.make_edit(REMOVE_MUL)
    first.close(keep_journal=True)

    fresh = opened(tmp_path)
    assert fresh.recovery.recoverable() == ()
    fresh.close()

    second = Session(FakeEngine(), journals=tmp_path)
    with qtbot.waitSignal(second.capture_changed, timeout=5000):
        second.open_file(tmp_path / "a.loupe")
    assert second.recovery.offered
    second.recovery.recover(Path(second.recovery.recoverable()[0].path))
    assert second.edits == (REMOVE_MUL,)
    assert not second.recovery.offered
    second.close()


def test_what_is_edited_while_another_program_is_captured_or_read_is_kept(tmp_path: Path, qtbot) -> None:
    """What is open can be edited until the other is there, which can take minutes; nobody was asked about these edits."""
    engine = FakeEngine()
    session = Session(engine, journals=tmp_path / "journals")
    open_capture(session, sample_capture.capture())
    session.make_edit(TO_GELU)
    other = sample_capture.capture("capture-2")
    other = msgspec.structs.replace(
        other, spec=msgspec.structs.replace(other.spec, target=TargetSpec("other.py:Net"))
    )
    session.capture_target(other.spec)  # the person agreed that the first edit goes
    engine.last(MakeCapture).reply(CaptureMade(other))
    assert not [problem for problem in session.problems if "came after" in problem.what]
    assert session.recovery.left_behind() == ()

    open_capture(session, sample_capture.capture())
    for ask, edit in (("capture", REMOVE_MUL), ("file", TO_GELU)):
        if ask == "capture":
            session.capture_target(other.spec)
        else:
            write_session(tmp_path / "other.loupe", SessionData((other,)))
            session.open_file(tmp_path / "other.loupe")
        session.make_edit(edit)
        if ask == "capture":
            engine.last(MakeCapture).reply(CaptureMade(other))
        qtbot.waitUntil(lambda: session.edits == () and session.capture.spec == other.spec)
        (reported,) = [problem for problem in session.problems if "came after" in problem.what]
        assert sample_capture.capture().spec.target.name in reported.message()
        open_capture(session, sample_capture.capture())
        (journal,) = session.recovery.recoverable()
        session.recovery.recover(Path(journal.path))
        assert session.edits == (edit,)
        session.undo()
        session.save_file(tmp_path / "kept.loupe")
        qtbot.waitUntil(lambda: not session.unsaved)
    session.close()


def test_a_journal_that_is_being_written_is_nobody_elses(tmp_path: Path, qapp) -> None:
    first = opened(tmp_path, TO_GELU)
    (path,) = tmp_path.glob("*.jsonl")
    assert read_journal(path) is not None
    assert not QLockFile(str(path.with_suffix(".lock"))).tryLock(0)
    second = opened(tmp_path)
    assert second.recovery.recoverable() == ()
    first.close()
    second.close()


def test_a_journal_cut_short_gives_what_is_whole(tmp_path: Path, qapp) -> None:
    session = opened(tmp_path, TO_GELU, REMOVE_MUL)
    session.close(keep_journal=True)
    (path,) = tmp_path.glob("*.jsonl")
    path.write_bytes(path.read_bytes()[:-20])
    journal = read_journal(path)
    assert journal.tree.edits(journal.tree.current) == (TO_GELU,)


def test_a_journal_of_another_program_is_not_offered(tmp_path: Path, qapp) -> None:
    first = opened(tmp_path, TO_GELU)
    first.close(keep_journal=True)
    second = Session(FakeEngine(), journals=tmp_path)
    changed = recompiled_without_mul("capture-1")
    open_capture(second, changed)
    assert second.recovery.recoverable() == ()
    second.close()


def recompiled_without_mul(capture_id: str):
    capture = sample_capture.capture(capture_id)
    content = FxStage(Graph(sample_capture.dynamo_graph().nodes[:-2]))
    stages = tuple(msgspec.structs.replace(s, content=content) if s.id == D else s for s in capture.stages)
    return msgspec.structs.replace(capture, stages=stages, links=())


def test_a_session_file_brings_everything_back(open_session: Session, engine, tmp_path: Path, qtbot) -> None:
    open_session.make_edit(TO_GELU)
    open_session.recompile()
    made = sample_capture.capture("capture-2", "capture-1")
    engine.last(Recompile).reply(Recompiled(made, sample_capture.verdict()))
    open_session.make_edit(REMOVE_MUL)
    open_session.make_edit(BypassNode(D, "z", "y"))
    open_session.undo()
    path = tmp_path / "a.loupe"
    assert open_session.unsaved
    with qtbot.waitSignal(open_session.file_changed, timeout=5000):
        open_session.save_file(path)
    assert not open_session.unsaved
    assert open_session.file_path == path

    other = Session(FakeEngine(), journals=tmp_path / "other")
    with qtbot.waitSignal(other.capture_changed, timeout=5000):
        other.open_file(path)
    assert other.captures == open_session.captures
    assert other.edits == (TO_GELU, REMOVE_MUL)
    assert other.undo_stack.canRedo()
    assert other.has_uncompiled_edits
    assert other.verdict == sample_capture.verdict()
    assert not other.unsaved
    graph = other.stage_with_edits(D).graph
    assert "mul" not in graph.by_id()
    other.close()


def test_what_is_damaged_of_a_file_is_reported_and_the_rest_opens(tmp_path: Path, qtbot) -> None:
    path = tmp_path / "a.loupe"
    write_session(path, SessionData((sample_capture.capture(),), looks=GraphLooks(coloring="smell")))
    session = Session(FakeEngine(), journals=tmp_path)
    session.views.set_coloring("op")
    with qtbot.waitSignal(session.capture_changed, timeout=5000):
        session.open_file(path)
    assert session.views.coloring == "line"
    assert [p.what for p in session.problems if "smell" in p.what] == [
        "A part of a.loupe could not be read: the colouring “smell” is not known here."
    ]
    session.close()


def test_an_older_file_leaves_the_colours_as_they_are(tmp_path: Path, qtbot) -> None:
    path = tmp_path / "a.loupe"
    write_session(path, SessionData((sample_capture.capture(),)))
    session = Session(FakeEngine(), journals=tmp_path)
    session.views.set_coloring("op")
    with qtbot.waitSignal(session.capture_changed, timeout=5000):
        session.open_file(path)
    assert session.views.coloring == "op"
    session.close()


def test_edits_of_a_recompile_are_not_made_twice(tmp_path: Path, qtbot) -> None:
    """A file as the command line writes it: one journal, of the root, and a recompile that has the edits in it."""
    insert = InsertNode(D, sample_capture.node("tanh", "torch.tanh", "y"), 3, (("z", ("args", "0")),))
    root, made = sample_capture.capture(), sample_capture.capture("capture-2", "capture-1")
    graph = apply_edit(sample_capture.dynamo_graph(), insert)[0]
    made = with_content(made, D, lambda _: FxStage(graph))
    later = BypassNode(D, "tanh", "y")
    for edits, uncompiled in (((insert,), False), ((insert, later), True)):
        path = tmp_path / f"{len(edits)}.loupe"
        journals = (Journal(root.id, edits),) + ((Journal(made.id, (insert,)),) if uncompiled else ())
        write_session(path, SessionData((root, made), journals))
        session = Session(FakeEngine(), journals=tmp_path)
        with qtbot.waitSignal(session.capture_changed, timeout=5000):
            session.open_file(path)
        assert session.problems == root.problems
        assert session.has_uncompiled_edits == uncompiled
        assert session.edits == edits
        for _ in edits:
            session.undo()
        assert session.stage_with_edits(D).graph == sample_capture.dynamo_graph()
        session.close()


def test_an_opened_file_runs_nothing_unasked(tmp_path: Path, qtbot) -> None:
    path = tmp_path / "a.loupe"
    write_session(path, SessionData((sample_capture.capture(),)))
    engine = FakeEngine()
    other = Session(engine, journals=tmp_path / "other")
    with qtbot.waitSignal(other.capture_changed, timeout=5000):
        other.open_file(path)
    other.auto_recompile = True
    other.make_edit(TO_GELU)
    other.recompile()
    assert engine.asked == []
    assert "was not run" in other.problems[-1].what
    asked = []
    other.trust.confirm = lambda parts: not asked.append(parts)
    other.recompile()
    assert len(asked) == 1
    engine.last(MakeCapture).reply(CaptureMade(sample_capture.capture()))
    assert engine.count(Recompile) == 1
    other.undo()
    other.redo()
    assert engine.count(PreviewEdits) == 1
    other.close()


def test_a_file_that_is_no_session_is_a_problem(session: Session, tmp_path: Path, qtbot) -> None:
    (tmp_path / "a.loupe").write_text("no")
    with qtbot.waitSignal(session.problems_changed, timeout=5000):
        session.open_file(tmp_path / "a.loupe")
    assert "not a session file" in session.problems[-1].what
    with qtbot.waitSignal(session.problems_changed, timeout=5000):
        session.open_file(tmp_path / "missing.loupe")
    assert "cannot be read" in session.problems[-1].what
