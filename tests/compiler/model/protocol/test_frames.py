"""Captures pass in parts: what both sides know already is not sent again, and nothing is changed by it."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.model.capture.capture import Capture
from compiler.model.protocol.capture_lists import finished
from compiler.model.protocol.frames import BadFrameError, FrameReader, FrameWriter, encode
from compiler.model.protocol.messages import CaptureMade, Event, Message, Progress, Recompiled, Reply
from compiler.model.protocol.partial_results import StagesGenerated
from tests.helpers import sample_capture
from tests.helpers.thoroughness import examples


@st.composite
def edited(draw: st.DrawFn, base: Capture) -> Capture:
    """The base with stages and links left out, repeated, in another order, or others."""
    changed = {}
    for name in ("stages", "links", "guards", "passes"):
        items = list(getattr(base, name))
        chosen = draw(st.lists(st.sampled_from(items), max_size=8)) if items else []
        if name == "stages":
            chosen = [
                msgspec.structs.replace(stage, title=draw(st.text(max_size=3)))
                if draw(st.booleans())
                else stage
                for stage in chosen
            ]
        changed[name] = tuple(chosen)
    return msgspec.structs.replace(base, id="capture-2", parent=base.id, **changed)


@given(st.data())
@settings(max_examples=examples(60))
def test_what_is_received_is_what_was_sent(data: st.DataObject) -> None:
    base = sample_capture.with_passes()
    sent: list[Message] = [Reply(1, CaptureMade(base))]
    for number in range(data.draw(st.integers(1, 4))):
        made = data.draw(edited(base))
        sent.append(Event(StagesGenerated(made)))
        sent.append(Event(Progress(1, "on")))
        sent.append(Reply(number, Recompiled(made, None)))
    writer, reader = FrameWriter(), FrameReader()
    stream = b"".join(map(writer.encode, sent))
    cut = data.draw(st.integers(0, len(stream)))
    assert [*reader.feed(stream[:cut]), *reader.feed(stream[cut:])] == sent


def test_what_both_know_is_neither_sent_nor_held_twice() -> None:
    base = sample_capture.with_passes()
    other = msgspec.structs.replace(base.stages[-1], title="edited")
    made = msgspec.structs.replace(base, id="capture-2", stages=(*base.stages[:-1], other))
    writer, reader = FrameWriter(), FrameReader()
    (first,) = reader.feed(writer.encode(Reply(1, CaptureMade(base))))
    frame = writer.encode(Reply(2, Recompiled(made, None)))
    assert len(frame) < len(encode(Reply(2, Recompiled(made, None)))) / 3
    (second,) = reader.feed(frame)
    assert isinstance(first, Reply)
    assert isinstance(first.body, CaptureMade)
    assert isinstance(second, Reply)
    assert isinstance(second.body, Recompiled)
    assert second.body.capture == made
    for before, after in zip(first.body.capture.stages[:-1], second.body.capture.stages[:-1], strict=True):
        assert before is after


def test_a_large_capture_is_read_with_pauses() -> None:
    base = sample_capture.capture()
    many = msgspec.structs.replace(
        base, stages=tuple(msgspec.structs.replace(base.stages[-1], id=f"s{n}") for n in range(3000))
    )
    reader = FrameReader()
    (frame,) = reader.cut(FrameWriter().encode(Reply(1, CaptureMade(many))))
    reading = reader.read(frame)
    pauses = 0
    message = None
    while message is None:
        try:
            next(reading)
            pauses += 1
        except StopIteration as done:
            message = done.value
    assert message == Reply(1, CaptureMade(many))
    assert pauses > 3


@pytest.mark.parametrize("spoil", ["base", "place", "item", "list", "kind"])
def test_parts_that_do_not_fit_are_refused(spoil: str) -> None:
    base = sample_capture.capture()
    writer = FrameWriter()
    first = writer.encode(Reply(1, CaptureMade(base)))
    frame = writer.encode(Reply(2, Recompiled(msgspec.structs.replace(base, id="capture-2"), None)))
    parts = msgspec.msgpack.decode(frame[4:])
    reader = FrameReader()
    reader.feed(first)
    match spoil:
        case "base":
            parts["base"] = "another"
        case "place":
            parts["lists"]["stages"][0][0] = 10_000
        case "item":
            parts["lists"]["stages"][0][0] = -1
        case "list":
            parts["lists"]["nothing"] = [[], []]
        case "kind":
            parts["message"] = msgspec.msgpack.decode(encode(Event(Progress(1, "x")))[4:])
    with pytest.raises(BadFrameError):
        finished(reader.read(msgspec.msgpack.encode(parts)))
