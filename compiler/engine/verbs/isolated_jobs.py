"""What a process of its own does for each order (`compiler.model.protocol.isolated_jobs`)."""

from collections.abc import Callable

from compiler.engine.cross_compile.fake_loading import building
from compiler.engine.experiments.backend_smoke_test import try_backend
from compiler.engine.failures.observed import run_at_level, run_for_breaks, run_text
from compiler.engine.front_ends.capture import capture_with
from compiler.engine.front_ends.compare import judge_front_end
from compiler.engine.front_ends.edit.edited_program import EditedFrontEnd
from compiler.engine.front_ends.torchscript.run_edited_ir import run_script
from compiler.engine.operators.decompose_operator import decompose
from compiler.engine.operators.dispatch_trace_program import trace_program
from compiler.engine.operators.lesson_runner import run_lesson
from compiler.engine.recompile.graph_questions import answer_about
from compiler.engine.torch_internals.fake_gpu.fake_backend import fake_mode
from compiler.engine.user_program.loading import describe_program, load_program
from compiler.model.capture.capture_spec import CaptureSpec, TargetDescription
from compiler.model.capture.front_ends import SAVED
from compiler.model.edits.editable_stages import can_be_edited
from compiler.model.experiments.failures import RunAtLevel, RunForBreaks, RunText
from compiler.model.experiments.torch_compile_api import TryBackend
from compiler.model.front_end_comparison.front_end_matrix import JudgeFrontEnd
from compiler.model.front_end_comparison.script_texts import RunScript
from compiler.model.operators.decompositions import DecomposeOperator
from compiler.model.operators.dispatching import TraceDispatch
from compiler.model.operators.lessons import RunLesson
from compiler.model.protocol.front_end_requests import AskFrontEnd, EditFrontEnd
from compiler.model.protocol.isolated_jobs import Captured, CaptureWith, IsolatedJob, IsolatedResult
from compiler.model.protocol.messages import DescribeTarget, TargetDescribed


def carry_out(order: IsolatedJob, report_progress: Callable[[str], None]) -> IsolatedResult:
    """Do it, and give the result. Raises EngineError."""
    match order:
        case CaptureWith() | EditFrontEnd() | AskFrontEnd():
            return _of_front_end(order, report_progress)
        case JudgeFrontEnd():
            return judge_front_end(order, report_progress)
        case RunScript():
            return run_script(order, report_progress)
        case TryBackend():
            return try_backend(order.backend, report_progress)
        case TraceDispatch():
            return trace_program(order.spec, report_progress)
        case DecomposeOperator():
            report_progress(f"Taking {order.name} apart")
            return decompose(order.name)
        case RunLesson():
            return run_lesson(order, report_progress)
        case DescribeTarget():
            return TargetDescribed(_described(order))
        case RunAtLevel() | RunText() | RunForBreaks():
            return _trial(order)


def _trial(order: RunAtLevel | RunText | RunForBreaks) -> IsolatedResult:
    match order:
        case RunAtLevel():
            return run_at_level(order.spec, order.level)
        case RunText():
            return run_text(order.text)
        case RunForBreaks():
            return run_for_breaks(order.spec, order.path, order.text)


def _of_front_end(
    order: CaptureWith | EditFrontEnd | AskFrontEnd, report_progress: Callable[[str], None]
) -> IsolatedResult:
    match order:
        case CaptureWith() if can_be_edited(order.spec.front_end) and not order.spec.target.name.endswith(
            SAVED
        ):
            return Captured(_live(order.spec, report_progress, again=True).captured(order.id))
        case CaptureWith():
            return Captured(capture_with(order.spec, order.id, report_progress))
        case EditFrontEnd():
            return _live(order.spec, report_progress).edit(order, report_progress)
        case AskFrontEnd():
            return answer_about(_live(order.spec, report_progress), order.question)


def _described(order: DescribeTarget) -> TargetDescription:
    if not order.without_values:
        return describe_program(load_program(order.target, guess=True))
    with building(fake_mode(dynamic=False)):
        return describe_program(load_program(order.target, guess=True))


_kept: list[EditedFrontEnd] = []
"""The one program that this process holds, to be edited again."""


def _live(spec: CaptureSpec, report_progress: Callable[[str], None], again: bool = False) -> EditedFrontEnd:
    if again or not _kept or spec not in (_kept[0].asked, _kept[0].spec):
        _kept.clear()
        _kept.append(EditedFrontEnd(spec, report_progress))
    return _kept[0]
