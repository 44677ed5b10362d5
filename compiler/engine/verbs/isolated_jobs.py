"""What a process of its own does for each order (`compiler.model.protocol.isolated_jobs`)."""

from collections.abc import Callable

from compiler.engine.experiments.backend_smoke_test import try_backend
from compiler.engine.front_ends.capture import capture_with
from compiler.engine.front_ends.compare import judge_front_end
from compiler.engine.front_ends.edit.edited_program import EditedFrontEnd
from compiler.engine.front_ends.torchscript.run_edited_ir import run_script
from compiler.engine.operators.decompose_operator import decompose
from compiler.engine.operators.dispatch_trace_program import trace_program
from compiler.engine.operators.lesson_runner import run_lesson
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.capture.front_ends import SAVED
from compiler.model.edits.editable_stages import can_be_edited
from compiler.model.experiments.torch_compile_api import TryBackend
from compiler.model.front_end_comparison.front_end_matrix import JudgeFrontEnd
from compiler.model.front_end_comparison.script_texts import RunScript
from compiler.model.operators.decompositions import DecomposeOperator
from compiler.model.operators.dispatching import TraceDispatch
from compiler.model.operators.lessons import RunLesson
from compiler.model.protocol.front_end_requests import AskFrontEnd, EditFrontEnd
from compiler.model.protocol.isolated_jobs import ApartOrder, ApartResult, Captured, CaptureWith


def carry_out(order: ApartOrder, say: Callable[[str], None]) -> ApartResult:
    """Do it, and give the result. Raises EngineError."""
    match order:
        case CaptureWith() | EditFrontEnd() | AskFrontEnd():
            return _of_front_end(order, say)
        case JudgeFrontEnd():
            return judge_front_end(order, say)
        case RunScript():
            return run_script(order, say)
        case TryBackend():
            return try_backend(order.backend, say)
        case TraceDispatch():
            return trace_program(order.spec, say)
        case DecomposeOperator():
            say(f"Taking {order.name} apart")
            return decompose(order.name)
        case RunLesson():
            return run_lesson(order, say)


def _of_front_end(order: CaptureWith | EditFrontEnd | AskFrontEnd, say: Callable[[str], None]) -> ApartResult:
    match order:
        case CaptureWith() if can_be_edited(order.spec.front_end) and not order.spec.target.name.endswith(
            SAVED
        ):
            return Captured(_held(order.spec, say, anew=True).captured(order.id))
        case CaptureWith():
            return Captured(capture_with(order.spec, order.id, say))
        case EditFrontEnd():
            return _held(order.spec, say).edit(order, say)
        case AskFrontEnd():
            return _held(order.spec, say).answer(order.question)


_kept: list[EditedFrontEnd] = []
"""The one program that this process holds, to be edited again."""


def _held(spec: CaptureSpec, say: Callable[[str], None], anew: bool = False) -> EditedFrontEnd:
    if anew or not _kept or _kept[0].spec != spec:
        _kept.clear()
        _kept.append(EditedFrontEnd(spec, say))
    return _kept[0]
