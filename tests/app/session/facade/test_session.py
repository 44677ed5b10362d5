from collections.abc import Callable

import msgspec
import pytest

from app.session.facade.session import Session
from compiler.model.capture.capture import Capture
from compiler.model.edits.edits import BypassNode, EditGroup, InsertNode, ReplaceTarget
from compiler.model.ir.arguments import NodeArgument
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NOWHERE, place
from compiler.model.ir.stage import FxStage
from compiler.model.operators.op_candidates import OpChoices
from compiler.model.protocol.messages import (
    CaptureMade,
    ListOps,
    MakeCapture,
    Preview,
    PreviewEdits,
    Recompile,
    Recompiled,
    RunTimings,
    StopTimings,
)
from compiler.model.timing.timings import TimedKernel, TimingBatch, TimingSettings, TimingStarted
from tests.helpers import sample_capture
from tests.helpers.fake_engine import FakeEngine

D = sample_capture.DYNAMO
P = sample_capture.POST_GRAD
TO_GELU = ReplaceTarget(D, "z", "call_function", "torch.nn.functional.gelu", sample_capture.args("y"))
REMOVE_Z = BypassNode(D, "z", "y")


def recompiled(capture_id: str, without: str = "", rename: str = "") -> Capture:
    """The sample with a node gone from, or renamed in, its Dynamo graph."""
    capture = sample_capture.capture(capture_id, parent="capture-1")
    stage = capture.stage(D)
    nodes = tuple(node for node in stage.graph.nodes if node.id != without)
    content = FxStage(Graph(nodes))
    stages = tuple(msgspec.structs.replace(s, content=content) if s.id == D else s for s in capture.stages)
    return msgspec.structs.replace(capture, stages=stages)


def test_a_capture_is_shown_when_it_arrives(open_session: Session) -> None:
    assert open_session.capture is not None
    assert open_session.stage.id == D
    assert [capture.id for capture in open_session.captures] == ["capture-1"]
    assert not open_session.has_uncompiled_edits


def test_a_failed_capture_leaves_what_is_open(open_session: Session, engine: FakeEngine) -> None:
    before = open_session.capture
    open_session.capture_target(sample_capture.capture().spec)
    engine.last(MakeCapture).fail("There is no such file.")
    assert open_session.capture is before
    assert open_session.problems[-1].what == "There is no such file."


def test_what_failed_is_no_problem_any_more_once_it_is_tried_again(
    open_session: Session, engine: FakeEngine
) -> None:
    """A syntax error that was mended stood beside what came of the next try."""
    spec = open_session.capture.spec
    open_session.capture_target(spec)
    engine.last(MakeCapture).fail("Could not load it: SyntaxError, line 14.")
    assert any("SyntaxError" in problem.what for problem in open_session.problems)
    open_session.capture_target(spec)
    assert not any("SyntaxError" in problem.what for problem in open_session.problems)
    engine.last(MakeCapture).fail("It has no attribute fc9.")
    (problem,) = (problem for problem in open_session.problems if "fc9" in problem.what)
    open_session.capture_target(spec)
    engine.last(MakeCapture).reply(CaptureMade(sample_capture.capture()))
    assert problem not in open_session.problems


def test_an_edit_shows_at_once_and_is_undone_exactly(open_session: Session) -> None:
    original = open_session.stage_with_edits(D)
    open_session.make_edit(TO_GELU)
    edited = open_session.stage_with_edits(D)
    assert edited.graph.node("z").target == "torch.nn.functional.gelu"
    assert open_session.edited_nodes(D) == {"z"}
    assert open_session.has_uncompiled_edits
    open_session.undo()
    assert open_session.stage_with_edits(D) == original
    assert not open_session.has_uncompiled_edits
    open_session.redo()
    assert open_session.stage_with_edits(D) == edited


def test_a_group_of_edits_is_one_step(open_session: Session) -> None:
    original = open_session.stage_with_edits(D)
    open_session.make_edit(EditGroup("Both", (TO_GELU, BypassNode(D, "mul", "z"))))
    assert open_session.undo_stack.count() == 1
    open_session.undo()
    assert open_session.stage_with_edits(D) == original


def test_undo_by_the_stack_itself_is_followed(open_session: Session) -> None:
    seen: list[int] = []
    open_session.edits_changed.connect(lambda: seen.append(len(open_session.edits)))
    open_session.make_edit(TO_GELU)
    open_session.undo_stack.undo()
    open_session.undo_stack.setIndex(1)
    assert seen == [1, 0, 1]


def test_a_bad_edit_is_a_problem(open_session: Session) -> None:
    open_session.make_edit(BypassNode(D, "nobody", None))
    assert "no node nobody" in open_session.problems[-1].what
    assert open_session.undo_stack.count() == 0
    open_session.make_edit(BypassNode(sample_capture.FUSED, "op0", "op1"))
    assert "cannot be edited" in open_session.problems[-1].what
    assert open_session.problems_at(sample_capture.FUSED, "op0")


def test_a_preview_gives_fresh_graphs_and_problems(open_session: Session, engine: FakeEngine) -> None:
    open_session.make_edit(TO_GELU)
    fresh = sample_capture.dynamo_graph()
    bad = Problem("Shapes do not fit.", place=place(D, "z"))
    engine.last(PreviewEdits).reply(Preview(((D, fresh),), (bad,)))
    assert open_session.stage_with_edits(D).graph == fresh
    assert open_session.problems_at(D, "z")[-1] == bad
    open_session.undo()
    assert bad not in open_session.problems


def test_a_stale_preview_is_dropped(open_session: Session, engine: FakeEngine) -> None:
    open_session.make_edit(TO_GELU)
    old = engine.last(PreviewEdits)
    open_session.make_edit(BypassNode(D, "mul", "z"))
    old.replaced = False  # even if the engine's answer had been on its way already
    old.reply(Preview(((D, sample_capture.dynamo_graph()),), (Problem("old"),)))
    graph = open_session.stage_with_edits(D).graph
    assert "mul" not in graph.by_id()
    assert "old" not in [problem.what for problem in open_session.problems]


def test_a_recompile_is_appended_and_shown(open_session: Session, engine: FakeEngine) -> None:
    open_session.make_edit(TO_GELU)
    open_session.recompile()
    request = engine.last(Recompile).body
    assert (request.capture, request.edits) == ("capture-1", (TO_GELU,))
    engine.last(Recompile).reply(Recompiled(recompiled(request.id), sample_capture.verdict()))
    assert [capture.id for capture in open_session.captures] == ["capture-1", request.id]
    assert open_session.verdict == sample_capture.verdict()
    assert not open_session.has_uncompiled_edits
    open_session.show_capture("capture-1")
    assert open_session.verdict is None
    assert open_session.edited_nodes(D) == frozenset()


def test_the_same_edits_are_not_compiled_twice_at_once(open_session: Session, engine: FakeEngine) -> None:
    """A second press started the compile again, and the answer of the first was dropped."""

    open_session.make_edit(TO_GELU)
    open_session.recompile()
    open_session.recompile()
    assert engine.count(Recompile) == 1
    open_session.make_edit(BypassNode(D, "mul", "z"))
    open_session.recompile()
    assert engine.count(Recompile) == 2
    open_session.cancel()
    open_session.recompile()
    assert engine.count(Recompile) == 3
    engine.last(Recompile).fail("g++ failed.")
    open_session.recompile()
    assert engine.count(Recompile) == 4


def test_undo_and_redo_show_what_was_compiled(open_session: Session, engine: FakeEngine) -> None:
    original = open_session.stage_with_edits(D).graph
    open_session.make_edit(REMOVE_Z)
    open_session.recompile()
    engine.last(Recompile).reply(Recompiled(recompiled("capture-2", without="z"), None))
    open_session.undo()
    assert not open_session.has_uncompiled_edits
    assert open_session.capture is open_session.captures[0]
    assert open_session.stage_with_edits(D).graph == original
    open_session.redo()
    assert not open_session.has_uncompiled_edits
    assert open_session.capture is open_session.captures[1]


def test_a_failed_recompile_keeps_edits_and_captures(open_session: Session, engine: FakeEngine) -> None:
    open_session.make_edit(TO_GELU)
    open_session.recompile()
    engine.last(Recompile).fail("g++ failed.")
    assert open_session.edits == (TO_GELU,)
    assert len(open_session.captures) == 1
    assert open_session.problems[-1].what == "g++ failed."


@pytest.mark.parametrize("settle", [Session.undo, Session.recompile])
def test_why_edits_did_not_compile_is_no_problem_once_they_are_others_or_tried_again(
    open_session: Session, engine: FakeEngine, settle: Callable[[Session], None]
) -> None:
    """It stood beside the verdict of what was compiled next."""
    open_session.make_edit(TO_GELU)
    open_session.recompile()
    engine.last(Recompile).fail("g++ failed.")
    assert open_session.asking.refused == open_session.problems[-1]
    settle(open_session)
    assert open_session.asking.refused is None
    assert not any(problem.what == "g++ failed." for problem in open_session.problems)


def test_the_selection_survives_where_its_node_does(open_session: Session, engine: FakeEngine) -> None:
    open_session.show_stage(P)
    open_session.selection.select(place(P, "relu"))
    open_session.make_edit(TO_GELU)
    open_session.recompile()
    engine.last(Recompile).reply(Recompiled(recompiled("capture-2"), None))
    assert open_session.selection.pinned == place(P, "relu")
    assert open_session.stage.id == P


def test_nothing_is_selected_after_the_selected_node_was_removed(
    open_session: Session, engine: FakeEngine
) -> None:
    open_session.selection.select(place(D, "z"))
    open_session.make_edit(REMOVE_Z)
    open_session.recompile()
    engine.last(Recompile).reply(Recompiled(recompiled("capture-2", without="z"), None))
    assert open_session.selection.pinned == NOWHERE
    assert open_session.stage.id == D


def test_stepping_through_stages_follows_links(open_session: Session) -> None:
    open_session.selection.select(place(D, "z"))
    open_session.step_stage(1)
    assert open_session.stage.id == sample_capture.JOINT
    assert open_session.selection.pinned_in(sample_capture.JOINT) == {"relu", "where", "le"}
    for _ in range(30):
        open_session.step_stage(-1)
    assert open_session.stage.id == sample_capture.SOURCE


def test_the_death_of_the_worker_keeps_captures_and_edits(open_session: Session, engine: FakeEngine) -> None:
    open_session.make_edit(TO_GELU)
    open_session.recompile()
    engine.die()
    assert open_session.edits == (TO_GELU,)
    assert len(open_session.captures) == 1
    open_session.recompile()
    again = engine.last(MakeCapture)
    assert again.body.id == "capture-1"
    assert open_session.status_text.startswith("Capturing again")
    count = engine.count(Recompile)
    again.reply(CaptureMade(sample_capture.capture()))
    assert engine.count(Recompile) == count + 1
    assert open_session.status_text == ""


def test_timing_a_recompile_after_a_death_compiles_it_again(
    open_session: Session, engine: FakeEngine
) -> None:
    open_session.make_edit(TO_GELU)
    open_session.recompile()
    engine.last(Recompile).reply(Recompiled(recompiled("capture-2"), None))
    engine.die()
    open_session.timings.start(TimingSettings())
    engine.last(MakeCapture).reply(CaptureMade(sample_capture.capture()))
    again = engine.last(Recompile)
    assert (again.body.id, again.body.judge) == ("capture-2", False)
    again.reply(Recompiled(recompiled("capture-2"), None))
    assert engine.count(RunTimings) == 1
    assert len(open_session.captures) == 2


def test_operations_are_asked_of_the_edited_graph(open_session: Session, engine: FakeEngine) -> None:
    open_session.make_edit(TO_GELU)
    answers: list[OpChoices | Problem] = []
    open_session.asking.operations(D, "z", answers.append)
    assert engine.last(ListOps).body == ListOps("capture-1", D, "z", (TO_GELU,))
    engine.last(ListOps).reply(OpChoices("z", ()))
    assert answers == [OpChoices("z", ())]


def test_auto_recompile_waits_for_the_last_edit(open_session: Session, engine: FakeEngine, qtbot) -> None:
    open_session.auto_recompile = True
    open_session.make_edit(TO_GELU)
    open_session.make_edit(BypassNode(D, "mul", "z"))
    assert engine.count(Recompile) == 0
    qtbot.waitUntil(lambda: engine.count(Recompile) == 1, timeout=3000)


def test_colours_are_shared_along_links(open_session: Session) -> None:
    line = open_session.color_index(sample_capture.SOURCE, "L6")
    assert line is not None
    assert open_session.color_index(D, "z") == line
    assert open_session.color_index(P, "relu") == line
    assert open_session.color_index(sample_capture.SOURCE, "L5") != line
    assert open_session.color_index(D, "l_x_") is None


def test_an_inserted_node_is_kept_apart_from_the_compiled_graph(open_session: Session) -> None:
    node = sample_capture.node("tanh", "torch.tanh", "y")
    open_session.make_edit(InsertNode(D, node, 3, (("z", ("args", "0")),)))
    graph = open_session.stage_with_edits(D).graph
    assert graph.node("z").args.items[0] == NodeArgument("tanh")
    assert "tanh" not in open_session.capture.stage(D).graph.by_id()  # type: ignore[union-attr]


def test_timing_stops_for_a_recompile_and_goes_on_with_a_baseline(
    open_session: Session, engine: FakeEngine
) -> None:
    kernel = TimedKernel("k", place(sample_capture.KERNELS, "k"), "forward", "cpp")
    open_session.timings.start(TimingSettings())
    assert open_session.timings.running
    engine.event_arrived.emit(TimingStarted("capture-1", (kernel,), 2))
    engine.event_arrived.emit(TimingBatch("capture-1", ((5,), (-1,), (7,)), (10, 20, 30), (40,)))
    assert list(open_session.timings.samples(0)) == [5, -1, 7]
    summary = open_session.timings.summary(0)
    assert (summary.median, summary.count) == (6.0, 2)
    open_session.make_edit(TO_GELU)
    open_session.recompile()
    assert engine.count(StopTimings) == 1
    engine.last(Recompile).reply(Recompiled(recompiled("capture-2"), None))
    assert open_session.timings.baseline.compiled.median == 20
    assert open_session.timings.running
    engine.set_state("ready")
    run = engine.last(RunTimings).body
    assert run.capture == "capture-2"
    assert open_session.timings.running


def test_the_ring_keeps_the_last_samples(open_session: Session, engine: FakeEngine) -> None:
    engine.event_arrived.emit(TimingStarted("capture-1", (), 2))
    for start in range(0, 4500, 900):
        engine.event_arrived.emit(TimingBatch("capture-1", ((),) * 900, tuple(range(start, start + 900))))
    samples = open_session.timings.compiled_samples()
    assert (len(samples), samples[0], samples[-1]) == (2000, 2500, 4499)


def test_answers_about_what_was_open_before_are_dropped(open_session: Session, engine: FakeEngine) -> None:
    open_session.make_edit(TO_GELU)
    open_session.recompile()
    late = engine.last(Recompile)
    open_session.capture_target(sample_capture.capture().spec)
    engine.last(MakeCapture).reply(CaptureMade(sample_capture.capture("capture-9")))
    late.reply(Recompiled(recompiled("capture-2"), None))
    assert [capture.id for capture in open_session.captures] == ["capture-9"]
    assert open_session.edits == ()


def test_capturing_again_ends_when_something_else_is_opened(
    open_session: Session, engine: FakeEngine
) -> None:
    open_session.make_edit(TO_GELU)
    engine.die()
    open_session.recompile()
    again = engine.last(MakeCapture)
    open_session.capture_target(sample_capture.capture().spec)
    engine.last(MakeCapture).reply(CaptureMade(sample_capture.capture("capture-9")))
    assert open_session.status_text == ""
    again.reply(CaptureMade(sample_capture.capture()))
    assert engine.count(Recompile) == 0


def test_a_timing_run_is_nothing_to_wait_for(open_session: Session, engine: FakeEngine) -> None:
    open_session.timings.start(TimingSettings())
    engine.set_state("busy", "Timing")
    assert open_session.busy
    assert not open_session.working
    open_session.make_edit(TO_GELU)
    assert open_session.working
