"""The table of requests has a row for each, and the row says what the request's own text says."""

import re

import pytest

from compiler.model.protocol.frames import FrameReader, encode
from compiler.model.protocol.messages import Request, RequestBody
from compiler.model.protocol.requests import REQUEST_TYPES, REQUESTS, row_of, status_of
from tests.helpers.sample_requests import sample_requests


def test_every_request_has_one_row() -> None:
    assert set(REQUESTS) == set(REQUEST_TYPES)


def test_what_needs_no_trust_is_on_this_list() -> None:
    """Whoever adds to it says that nothing a program or a file brought along is executed."""
    free = {kind.__name__ for kind, row in REQUESTS.items() if not row.executes_program}
    assert free == {
        *("StopTimings", "CancelRequest", "ShutDown", "AskEnvironment", "MeasureMachine"),
        *("TestCrossCompilation", "AskCompileInterface", "TryBackend", "RunLesson"),
        *("ListOperators", "ListKeySets", "ShowOperator", "DecomposeOperator"),
    }


@pytest.mark.parametrize("body", sample_requests(), ids=lambda body: type(body).__name__)
def test_a_row_says_what_the_request_says(body: RequestBody) -> None:
    promised = re.search(r"Replies\s+with\s+`(\w+)`", type(body).__doc__ or "")
    reply = row_of(body).reply
    assert (promised and promised[1]) == (reply.__name__ if reply is not None else None)
    assert status_of(body)
    assert FrameReader().feed(encode(Request(1, body))) == [Request(1, body)]
