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
from compiler.model.front_end_edits import AskFrontEnd, EditFrontEnd
from compiler.model.front_end_matrix import JudgeFrontEnd
from compiler.model.lessons import RunLesson
from compiler.model.script_texts import RunScript


def carry_out(order: ApartOrder, say: Callable[[str], None]) -> ApartResult:
    """Do it, and give the result. Raises EngineError."""
    match order:
        case CaptureWith():
            return Captured(capture_with(order.spec, order.id, say))
        case EditFrontEnd():
            return EditedFrontEnd(order.spec, say).edit(order, say)
        case AskFrontEnd():
            return EditedFrontEnd(order.spec, say).answer(order.question)
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
