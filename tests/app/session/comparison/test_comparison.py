"""Any two sides are found, compared in the background, and the newest question counts."""

from pathlib import Path

import msgspec
import pytest
from pytestqt.qtbot import QtBot

from app.session.comparison.sides import Side
from app.session.facade.session import Session
from compiler.analysis.session_file.session_file import SessionData, write_session
from compiler.model.edits.edits import SetArgument
from compiler.model.ir.arguments import ConstantArgument
from compiler.model.protocol.messages import CaptureMade, MakeCapture, Recompile, Recompiled
from tests.helpers import sample_capture
from tests.helpers.fake_engine import FakeEngine
from tests.helpers.opened_capture import open_capture
from tests.helpers.sample_capture import DYNAMO, JOINT, POST_GRAD, SOURCE

SCALE = SetArgument(DYNAMO, "mul", ("args", "1"), ConstantArgument("int", "3"))


@pytest.fixture
def asked(open_session: Session, qtbot: QtBot):
    def ask(before: Side, after: Side):
        with qtbot.waitSignal(open_session.comparison.changed):
            open_session.comparison.choose(before, after)
        return open_session.comparison.result

    return ask


def test_two_stages_of_one_capture(asked) -> None:
    result = asked(Side("capture-1", DYNAMO), Side("capture-1", JOINT))
    assert result.words
    assert result.merged is not None
    assert result.around == "", "there is one capture only"
    text = asked(Side("capture-1", SOURCE), Side("capture-1", SOURCE))
    assert (text.merged, text.words) == (None, "No difference: 8 equal lines")


def test_a_graph_that_was_traced_from_bytecode_is_compared_with_what_was_made_of_it(
    session: Session, engine: FakeEngine
) -> None:
    capture = sample_capture.capture()
    made_from = {DYNAMO: (sample_capture.BYTECODE,), JOINT: (DYNAMO,)}
    stages = tuple(
        msgspec.structs.replace(stage, made_from=made_from.get(stage.id, stage.made_from))
        for stage in capture.stages
    )
    session.capture_target(capture.spec)
    engine.last(MakeCapture).reply(CaptureMade(msgspec.structs.replace(capture, stages=stages)))
    session.comparison.choose_likely(DYNAMO)
    assert session.comparison.sides == (Side("capture-1", DYNAMO), Side("capture-1", JOINT))
    session.comparison.choose_likely(JOINT)
    assert session.comparison.sides == (Side("capture-1", DYNAMO), Side("capture-1", JOINT))
    session.comparison.stop()


def test_a_state_of_the_edits_that_was_never_compiled(open_session: Session, asked) -> None:
    open_session.make_edit(SCALE)
    choices = open_session.comparison.choices
    assert [source.title for source in choices.sources()] == ["As captured", "mul: args.1 = 3 (not compiled)"]
    state = choices.source_of_state("s1")
    result = asked(Side("capture-1", DYNAMO), Side(state, DYNAMO))
    assert result.words.startswith("1 changed (1 with other arguments) · ")
    assert choices.names_stay(Side("capture-1", DYNAMO), Side(state, DYNAMO))
    assert not choices.names_stay(Side("capture-1", JOINT), Side(state, JOINT)), "it is traced again"


def test_a_recompile_is_compared_as_a_whole_too(open_session: Session, engine: FakeEngine, asked) -> None:
    open_session.make_edit(SCALE)
    open_session.recompile()
    again = msgspec.structs.replace(sample_capture.capture(), id="capture-2", parent="capture-1", breaks=())
    engine.last(Recompile).reply(Recompiled(again, None))
    result = asked(Side("capture-1", DYNAMO), Side("capture-2", DYNAMO))
    assert "1 graph break gone" in result.around
    assert "kernels" in result.around
    assert [source.title for source in open_session.comparison.choices.sources()] == [
        "As captured",
        "mul: args.1 = 3",
    ]
    stays = open_session.comparison.choices.names_stay
    assert stays(Side("capture-1", DYNAMO), Side("capture-2", DYNAMO))
    assert not stays(Side("capture-1", JOINT), Side("capture-2", JOINT))
    assert stays(Side("capture-2", JOINT, 0), Side("capture-2", JOINT))
    open_session.comparison.show_stage(DYNAMO)
    assert open_session.comparison.sides == (Side("capture-1", DYNAMO), Side("capture-2", DYNAMO))


def test_passes_are_compared_by_name(session: Session, engine: FakeEngine, qtbot: QtBot) -> None:

    made = sample_capture.with_passes()
    open_capture(session, made)
    comparison = session.comparison
    with qtbot.waitSignals([comparison.changed, comparison.wanted]):
        comparison.show_passes(POST_GRAD, 2)
    assert comparison.sides == (Side("capture-1", POST_GRAD, 1), Side("capture-1", POST_GRAD, 2))
    assert comparison.result.match.removed == ("alias",)
    with qtbot.waitSignal(comparison.changed):
        comparison.show_passes(POST_GRAD, None)
    assert comparison.sides[0] == Side("capture-1", POST_GRAD, 0)
    comparison.show_passes(POST_GRAD, 0)  # before the first pass: it was compared with itself
    assert comparison.sides == (Side("capture-1", POST_GRAD, 0), Side("capture-1", POST_GRAD, None))


def test_another_file_takes_a_side(open_session: Session, asked, qtbot: QtBot, tmp_path: Path) -> None:
    asked(Side("capture-1", DYNAMO), Side("capture-1", DYNAMO))
    path = tmp_path / "other.loupe"
    write_session(path, SessionData((sample_capture.capture("theirs"),)))
    comparison = open_session.comparison
    with qtbot.waitSignal(comparison.changed):
        comparison.open_file(path, is_before=True)
    before, _ = comparison.sides
    assert comparison.choices.source(before.source).title == "other.loupe"
    assert comparison.choices.shown_capture(before) == "", (
        "its nodes are not those of the capture that is open"
    )
    assert comparison.result.match.same
    (tmp_path / "bad.loupe").write_text("nothing")
    with qtbot.waitSignal(comparison.changed):
        comparison.open_file(tmp_path / "bad.loupe", is_before=True)
    assert "bad.loupe" in comparison.fault


def test_what_is_gone_is_reported(open_session: Session, asked) -> None:
    assert asked(Side("capture-9", DYNAMO), Side("capture-1", DYNAMO)) is None
    assert open_session.comparison.fault.startswith("The first is not there")


def test_the_newest_question_counts(open_session: Session, qtbot: QtBot) -> None:
    comparison = open_session.comparison
    reported = []
    comparison.changed.connect(lambda: reported.append(comparison.result))
    for stage in (JOINT, POST_GRAD, DYNAMO):
        comparison.choose(Side("capture-1", stage), Side("capture-1", stage))
    assert comparison.busy
    qtbot.waitUntil(lambda: not comparison.busy)
    qtbot.wait(50)
    assert [result.after.id for result in reported] == [DYNAMO]
    comparison.stop()
