"""Messages survive the wire however the stream is cut; anything else is refused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.model.ir.diagnostics import Problem
from compiler.model.protocol.frames import BadFrameError, FrameReader, encode
from compiler.model.protocol.messages import (
    CaptureMade,
    Event,
    Failure,
    Message,
    PreviewEdits,
    Progress,
    Reply,
    Request,
)
from tests.compiler.model.graphs import edits_for, graphs
from tests.helpers import sample_capture
from tests.helpers.thoroughness import examples


@given(st.data())
@settings(max_examples=examples(100), deadline=None)
def test_messages_survive_any_cutting(data: st.DataObject) -> None:
    graph = data.draw(graphs())
    sent: list[Message] = [
        Request(1, PreviewEdits("capture-1", tuple(data.draw(st.lists(edits_for(graph), max_size=3))))),
        Event(Progress(1, data.draw(st.text()))),
        Failure(1, Problem("no", "do this", "/a.py", 3)),
    ]
    stream = b"".join(map(encode, sent))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=6)))
    reader = FrameReader()
    received: list[Message] = []
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        received += reader.feed(stream[start:end])
    assert received == sent


def test_a_whole_capture_survives() -> None:
    message = Reply(3, CaptureMade(sample_capture.capture()))
    assert FrameReader().feed(encode(message)) == [message]


@pytest.mark.parametrize(
    "junk", [b"hello, this is print output\n", b"\x00\x00\x00\x02\xc1\xc1", b"\x7f\xff\xff\xff"]
)
def test_junk_is_refused(junk: bytes) -> None:
    with pytest.raises(BadFrameError):
        FrameReader().feed(junk)
