"""What a child process answers is read with equal parts as one object, and is what was written."""

import msgspec
import pytest

from compiler.model.capture.capture import Capture
from compiler.model.ir.diagnostics import Problem
from compiler.model.protocol.absent_gpu import Answer
from compiler.model.protocol.capture_lists import read_answer
from tests.helpers import sample_capture


def written(answer: Answer) -> bytes:
    """As the child writes it."""
    return msgspec.msgpack.encode(answer)


@pytest.mark.parametrize("made", [sample_capture.capture, sample_capture.with_passes])
def test_a_capture_is_read_as_it_was_written(made: object) -> None:
    assert callable(made)
    capture = made()
    assert read_answer(written(Answer(capture))) == (capture, None)


def test_lists_that_are_left_out_are_empty() -> None:
    """Such as an answer of a program that knew fewer of them."""
    capture = sample_capture.capture()
    fields = msgspec.msgpack.decode(written(Answer(capture)))
    del fields["capture"]["links"]
    read, _ = read_answer(msgspec.msgpack.encode(fields))
    assert read == msgspec.structs.replace(capture, links=())


def test_equal_parts_of_two_stages_are_one_object() -> None:
    base = sample_capture.capture()
    stage = next(row for row in base.stages if row.graph is not None)
    twice = msgspec.structs.replace(
        base, stages=(*base.stages, msgspec.structs.replace(stage, id="again", title="again"))
    )
    read, _ = read_answer(written(Answer(twice)))
    assert isinstance(read, Capture)
    first = next(row.graph for row in read.stages if row.id == stage.id)
    second = next(row.graph for row in read.stages if row.id == "again")
    pairs = [(one, other) for one, other in zip(first.nodes, second.nodes, strict=True) if one.value]
    assert pairs
    assert all(one.value is other.value and one.args is other.args for one, other in pairs)


def test_a_problem_is_read_and_so_is_nothing() -> None:
    problem = Problem("No room.", "Make some.")
    assert read_answer(written(Answer(problem=problem))) == (None, problem)
    assert read_answer(written(Answer())) == (None, None)


@pytest.mark.parametrize("damaged", [b"", b"\xc1", msgspec.msgpack.encode({"capture": {"stages": [7]}})])
def test_damaged_answers_are_refused(damaged: bytes) -> None:
    with pytest.raises(msgspec.MsgspecError):
        read_answer(damaged)
