"""What is asked about a capture by another front end than torch.compile is done in a process of its own."""

from compiler.engine.errors import EngineError
from compiler.engine.verbs.engine import Engine
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.capture.front_ends import find_front_end
from compiler.model.edits.editable_stages import can_be_edited
from compiler.model.ir.ids import CaptureId
from compiler.model.protocol.front_end_requests import (
    AskFrontEnd,
    EditAnswer,
    EditFrontEnd,
    EditQuestion,
    FrontEndEdited,
)
from compiler.model.protocol.isolated_jobs import Captured, CaptureWith
from compiler.model.protocol.messages import (
    Recompile,
    Recompiled,
    ReplyBody,
)
from compiler.worker.child_processes import ReportProgress, capture_in_child
from compiler.worker.persistent_child import KeptProcess


class FrontEndWork:
    """Makes captures by other front ends, and keeps the process of one that can be edited: it holds what was captured."""

    def __init__(self) -> None:
        self._kept = KeptProcess()

    def capture(self, spec: CaptureSpec, capture_id: CaptureId, report_progress: ReportProgress) -> Capture:
        """In the process that stays, or in one of its own that ends. Raises EngineError."""
        self._kept.close()
        if spec.is_only_compiled or not can_be_edited(spec.front_end):
            return capture_in_child(spec, capture_id, report_progress)
        made = self._kept.do(
            CaptureWith(spec, capture_id), find_front_end(spec.front_end).title, report_progress
        )
        assert isinstance(made, Captured)
        return made.capture

    def close(self) -> None:
        """Another program is captured: what the process holds is of no use."""
        self._kept.close()

    def answer(
        self, engine: Engine, body: Recompile | EditQuestion, report_progress: ReportProgress
    ) -> ReplyBody | None:
        """The answer, if the request is about such a capture; else None. Raises EngineError."""
        spec = engine.front_end_of(body.capture)
        if spec is None:
            return None
        front_end = find_front_end(spec.front_end)
        if not can_be_edited(front_end.name):
            what = f"What {front_end.title} shows cannot be edited."
            raise EngineError(what, "Capture with torch.compile or torch.fx to edit.")
        if isinstance(body, Recompile):
            order = EditFrontEnd(spec, body.capture, body.edits, body.id, body.judge)
            made = self._kept.do(order, front_end.title, report_progress)
            assert isinstance(made, FrontEndEdited)
            engine.note_edited_in_child(body.id, spec)
            return Recompiled(made.capture, made.verdict)
        answered = self._kept.do(AskFrontEnd(spec, body), front_end.title, report_progress)
        assert isinstance(answered, EditAnswer)
        return answered
