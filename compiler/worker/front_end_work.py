"""What is asked about a capture by another front end than torch.compile is done in a process of its own."""

from typing import TypeAlias

from compiler.engine.engine import Engine
from compiler.model.front_end_edits import AskFrontEnd, EditFrontEnd, EditQuestion, FrontEndEdited
from compiler.model.front_ends import find_front_end
from compiler.model.messages import (
    EditedGraphs,
    FindMatches,
    ListEditedGraphs,
    ListOps,
    ListSignatures,
    Preview,
    PreviewEdits,
    Recompile,
    Recompiled,
    ReplyBody,
    RequestBody,
)
from compiler.model.op_catalog import OpChoices
from compiler.model.op_schemas import NodeSignatures
from compiler.model.patterns import PatternMatches
from compiler.worker.elsewhere import Say, do_apart

_ANSWERS = (Preview, OpChoices, NodeSignatures, PatternMatches, EditedGraphs)
_Asked: TypeAlias = Recompile | EditQuestion


def done_apart(engine: Engine, body: RequestBody, say: Say) -> ReplyBody | None:
    """The answer, if the request is about such a capture and its edits; else None. Raises EngineError."""
    match body:
        case Recompile() | PreviewEdits() | ListOps() | ListSignatures() | FindMatches() | ListEditedGraphs():
            return _done(engine, body, say)
        case _:
            return None


def _done(engine: Engine, body: _Asked, say: Say) -> ReplyBody | None:
    spec = engine.front_end_of(body.capture)
    if spec is None:
        return None
    title = find_front_end(spec.front_end).title
    if isinstance(body, Recompile):
        order = EditFrontEnd(spec, body.capture, body.edits, body.id, body.judge)
        made = do_apart(order, title, say)
        assert isinstance(made, FrontEndEdited)
        engine.note_edited_elsewhere(body.id, spec)
        return Recompiled(made.capture, made.verdict)
    answered = do_apart(AskFrontEnd(spec, body), title, say)
    assert isinstance(answered, _ANSWERS)
    return answered
