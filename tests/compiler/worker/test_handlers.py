"""The worker does every request of the table, and refuses what it does not know instead of leaving somebody waiting."""

import threading
from types import SimpleNamespace
from typing import cast

import msgspec
import pytest

from compiler.engine.errors import EngineError
from compiler.engine.verbs.engine import Engine
from compiler.model.protocol.messages import Done, Failure, PreviewEdits, Request, RequestBody
from compiler.worker.connection import Connection
from compiler.worker.front_end_work import FrontEndWork
from compiler.worker.handlers import HANDLERS, Work, answer_request, check_handlers
from compiler.worker.serving import Server


class _Forgotten(msgspec.Struct, frozen=True):
    pass


def _work() -> Work:
    return Work(
        cast("Engine", None),
        cast("FrontEndWork", None),
        lambda _event: None,
        lambda _text: None,
        threading.Event(),
    )


def test_every_request_has_a_function() -> None:
    check_handlers(HANDLERS)
    with pytest.raises(RuntimeError, match="PreviewEdits"):
        check_handlers({kind: do for kind, do in HANDLERS.items() if kind is not PreviewEdits})


@pytest.mark.parametrize("body", [_Forgotten(), PreviewEdits("capture-1", ())])
def test_a_request_without_a_function_is_refused(body: object) -> None:
    with pytest.raises(EngineError, match="no answer to"):
        answer_request(cast("RequestBody", body), _work(), {})


def test_one_that_the_connection_cannot_answer_fails() -> None:
    """What the connection's thread takes is answered there, or nobody ever answers it."""
    sent: list[object] = []
    server = Server.__new__(Server)
    server._connection = cast("Connection", SimpleNamespace(send=sent.append))
    server._urgent(Request(7, cast("RequestBody", _Forgotten())))
    (failure,) = sent
    assert isinstance(failure, Failure)
    assert (failure.id, failure.problem.what) == (7, "The engine has no answer to _Forgotten.")


def test_an_answer_of_another_kind_is_refused() -> None:
    with pytest.raises(TypeError, match="PreviewEdits was answered with Done"):
        answer_request(PreviewEdits("capture-1", ()), _work(), {PreviewEdits: lambda _body, _work: Done()})
