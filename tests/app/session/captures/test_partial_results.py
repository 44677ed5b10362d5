"""What the engine generated is shown before it is built, and goes when there is something finished, or nothing will be."""

from pathlib import Path

import msgspec

from app.session.facade.session import Session
from compiler.model.capture.capture import Capture
from compiler.model.edits.edits import ReplaceTarget
from compiler.model.ir.ids import place
from compiler.model.ir.stage import StageKind
from compiler.model.protocol.messages import CaptureMade, MakeCapture, Recompile, Recompiled
from compiler.model.protocol.partial_results import KernelBuild, StagesGenerated
from tests.helpers import sample_capture
from tests.helpers.fake_engine import FakeEngine

D = sample_capture.DYNAMO
EDIT = ReplaceTarget(D, "z", "call_function", "torch.tanh", sample_capture.args("y"))


def generated(capture: Capture, capture_id: str, parent: str = "") -> StagesGenerated:
    kernels = capture.of_kind(StageKind.KERNELS)[0]
    return generated_of(capture, capture_id, parent, KernelBuild(kernels.id, "cpp_fused_relu_0"))


def generated_of(capture: Capture, capture_id: str, parent: str, *building: KernelBuild) -> StagesGenerated:
    """As far as a capture goes."""
    return StagesGenerated(msgspec.structs.replace(capture, id=capture_id, parent=parent), building, 3)


def ask_recompile(session: Session, engine: FakeEngine) -> Recompile:
    session.make_edit(EDIT)
    session.recompile()
    return engine.last(Recompile).body


def test_a_first_capture_is_shown_before_it_is_built(session: Session, engine: FakeEngine) -> None:
    whole = sample_capture.capture()
    session.capture_target(whole.spec)
    asked = engine.last(MakeCapture)
    engine.event_arrived.emit(generated(whole, asked.body.id))
    assert session.captures == ()
    kernels = session.capture.of_kind(StageKind.KERNELS)[0].id
    assert session.early.is_building(kernels)
    session.show_stage(kernels)
    session.selection.select(place(D, "z"))
    asked.reply(CaptureMade(msgspec.structs.replace(whole, id=asked.body.id)))
    assert session.stage.id == kernels
    assert session.selection.pinned == place(D, "z")
    assert not session.early.is_building(kernels)
    assert len(session.captures) == 1


def test_a_cancelled_first_capture_stays_as_far_as_it_came(session: Session, engine: FakeEngine) -> None:
    whole = sample_capture.capture()
    session.capture_target(whole.spec)
    asked = engine.last(MakeCapture)
    engine.event_arrived.emit(generated(whole, asked.body.id))
    session.show_stage(D)
    session.selection.select(place(D, "z"))
    asked.fail("Cancelled.", cancelled=True)
    assert session.early.shown is None
    assert session.captures == (session.capture,)
    assert session.stage.id == D
    assert session.selection.pinned == place(D, "z")
    assert "not finished" in session.capture.problems[-1].what
    assert not session.live.holds(session.capture)


def test_a_first_capture_that_is_cancelled_before_anything_was_shown_leaves_nothing(
    session: Session, engine: FakeEngine
) -> None:
    session.capture_target(sample_capture.capture().spec)
    engine.last(MakeCapture).fail("Cancelled.", cancelled=True)
    assert session.capture is None


def test_nothing_can_be_edited_while_the_first_capture_is_built(session: Session, engine: FakeEngine) -> None:
    whole = sample_capture.capture()
    session.capture_target(whole.spec)
    asked = engine.last(MakeCapture)
    engine.event_arrived.emit(generated(whole, asked.body.id))
    session.make_edit(EDIT)
    assert session.edits == ()
    assert session.capture.id == asked.body.id


def test_a_recompile_is_shown_and_taken_back_when_it_fails(open_session: Session, engine: FakeEngine) -> None:
    session, root = open_session, open_session.capture
    body = ask_recompile(session, engine)
    engine.event_arrived.emit(generated(root, body.id, root.id))
    assert session.capture.id == body.id
    assert session.edited_nodes(D) == {"z"}
    engine.last(Recompile).fail("The kernel does not build.")
    assert session.capture is root
    assert session.has_uncompiled_edits


def test_a_recompile_gives_way_to_the_finished_one(open_session: Session, engine: FakeEngine) -> None:
    session, root = open_session, open_session.capture
    body = ask_recompile(session, engine)
    engine.event_arrived.emit(generated(root, body.id, root.id))
    done = msgspec.structs.replace(root, id=body.id, parent=root.id)
    engine.last(Recompile).reply(Recompiled(done, None))
    assert session.capture is done
    assert session.captures == (root, done)
    assert not session.has_uncompiled_edits


def test_a_recompile_is_shown_from_when_it_has_the_stage_that_is_looked_at(
    open_session: Session, engine: FakeEngine
) -> None:
    session, root = open_session, open_session.capture
    kernels = root.of_kind(StageKind.KERNELS)[0].id
    session.show_stage(kernels)
    body = ask_recompile(session, engine)
    made = tuple(stage for stage in root.stages if stage.kind is not StageKind.KERNELS)
    begun = msgspec.structs.replace(root, stages=made)
    engine.event_arrived.emit(generated_of(begun, body.id, root.id))
    assert session.capture is root
    assert session.stage.id == kernels
    session.show_stage(D)
    engine.event_arrived.emit(generated_of(begun, body.id, root.id))
    assert session.capture.id == body.id
    assert session.stage.id == D
    engine.event_arrived.emit(generated(root, body.id, root.id))
    assert len(session.capture.stages) == len(root.stages)
    assert session.stage.id == D


def test_who_looks_elsewhere_meanwhile_is_left_there(open_session: Session, engine: FakeEngine) -> None:
    session, root = open_session, open_session.capture
    body = ask_recompile(session, engine)
    engine.event_arrived.emit(generated(root, body.id, root.id))
    session.show_capture(root.id)
    assert session.early.building == ()
    engine.last(Recompile).fail("It went wrong.")
    assert session.capture is root


def test_what_nobody_waits_for_is_not_shown(open_session: Session, engine: FakeEngine) -> None:
    session, root = open_session, open_session.capture
    engine.event_arrived.emit(generated(root, "capture-99", root.id))
    assert session.capture is root
    ask_recompile(session, engine)
    engine.event_arrived.emit(generated(root, "capture-99", root.id))
    assert session.capture is root


def test_stages_of_a_first_capture_that_goes_on_are_not_saved_over_a_file(
    session: Session, engine: FakeEngine, tmp_path: Path
) -> None:
    """A file without a capture would be written, in the place of what was there."""
    made = sample_capture.capture()
    session.capture_target(made.spec)
    engine.event_arrived.emit(generated(made, engine.last(MakeCapture).body.id))
    assert session.capture is not None
    path = tmp_path / "mine.loupe"
    path.write_text("mine")
    session.save_file(path)
    session.wait_for_files()
    assert path.read_text() == "mine"
    assert "no capture has ended" in session.problems[-1].message()
