"""What is asked about a capture by another front end than torch.compile is done in a process of its own."""

from typing import TypeAlias

from compiler.engine.engine import Engine
from compiler.engine.failures import EngineError
from compiler.model.apart import Captured, CaptureWith
from compiler.model.capture import Capture
from compiler.model.editable_stages import can_be_edited
from compiler.model.front_end_edits import AskFrontEnd, EditFrontEnd, EditQuestion, FrontEndEdited
from compiler.model.front_ends import find_front_end
from compiler.model.ids import CaptureId
from compiler.model.messages import (
    EditedGraphs,
    FindMatches,
    ListEditedGraphs,
    ListOps,
    ListSignatures,
    MakeCapture,
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
from compiler.model.problems import Problem
from compiler.model.targets import CaptureSpec
from compiler.worker.elsewhere import Say, capture_elsewhere
from compiler.worker.kept_process import KeptProcess

_ANSWERS = (Preview, OpChoices, NodeSignatures, PatternMatches, EditedGraphs)
_Asked: TypeAlias = Recompile | EditQuestion


class FrontEndWork:
    """Makes captures by other front ends, and keeps the process of one that can be edited: it holds what was captured."""

    def __init__(self) -> None:
        self._kept = KeptProcess()

    def capture(self, spec: CaptureSpec, capture_id: CaptureId, say: Say) -> Capture:
        """In the process that stays, or in one of its own that ends. Raises EngineError."""
        self._kept.close()
        if spec.device is not None or not can_be_edited(spec.front_end):
            return capture_elsewhere(spec, capture_id, say)
        made = self._kept.do(CaptureWith(spec, capture_id), find_front_end(spec.front_end).title, say)
        assert isinstance(made, Captured)
        return made.capture

    def done(self, engine: Engine, body: RequestBody, say: Say) -> ReplyBody | None:
        """The answer, if the request is about such a capture and its edits; else None. Raises EngineError."""
        match body:
            case MakeCapture():
                self._kept.close()
                return None
            case (
                Recompile()
                | PreviewEdits()
                | ListOps()
                | ListSignatures()
                | FindMatches()
                | ListEditedGraphs()
            ):
                return self._done(engine, body, say)
            case _:
                return None

    def _done(self, engine: Engine, body: _Asked, say: Say) -> ReplyBody | None:
        spec = engine.front_end_of(body.capture)
        if spec is None:
            return None
        front_end = find_front_end(spec.front_end)
        if not can_be_edited(front_end.name):
            what = f"What {front_end.title} shows cannot be edited."
            raise EngineError(Problem(what, "Capture with torch.compile or torch.fx to edit."))
        if isinstance(body, Recompile):
            order = EditFrontEnd(spec, body.capture, body.edits, body.id, body.judge)
            made = self._kept.do(order, front_end.title, say)
            assert isinstance(made, FrontEndEdited)
            engine.note_edited_elsewhere(body.id, spec)
            return Recompiled(made.capture, made.verdict)
        answered = self._kept.do(AskFrontEnd(spec, body), front_end.title, say)
        assert isinstance(answered, _ANSWERS)
        return answered
