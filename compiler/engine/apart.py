"""What a process of its own does for each order (`compiler.model.apart`)."""

from collections.abc import Callable

from compiler.engine.backend_trying import try_backend
from compiler.engine.decomposing import decompose
from compiler.engine.edited_front_end import EditedFrontEnd
from compiler.engine.front_end_capturing import capture_with
from compiler.engine.front_end_judging import judge_front_end
from compiler.engine.lesson_running import run_lesson
from compiler.engine.program_tracing import trace_program
from compiler.engine.script_running import run_script
from compiler.model.apart import ApartOrder, ApartResult, Captured, CaptureWith
from compiler.model.compile_interface import TryBackend
from compiler.model.decompositions import DecomposeOperator
from compiler.model.dispatching import TraceDispatch
from compiler.model.editable_stages import can_be_edited
from compiler.model.front_end_edits import AskFrontEnd, EditFrontEnd
from compiler.model.front_end_matrix import JudgeFrontEnd
from compiler.model.front_ends import SAVED
from compiler.model.lessons import RunLesson
from compiler.model.script_texts import RunScript
from compiler.model.targets import CaptureSpec


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
