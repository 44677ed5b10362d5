"""Questions about torch's operators. What registers anything for good is done in a process of its own."""

from collections.abc import Callable

from compiler.engine.operators import dispatch_tables
from compiler.model.operators.decompositions import DecomposeOperator
from compiler.model.operators.dispatching import ListKeySets, ListOperators, ShowOperator, TraceDispatch
from compiler.model.operators.lessons import RunLesson
from compiler.model.protocol.front_end_requests import FrontEndEdited
from compiler.model.protocol.isolated_jobs import Captured
from compiler.model.protocol.messages import Done, ReplyBody, RequestBody
from compiler.worker.child_processes import run_isolated


def answer_about_operators(body: RequestBody, report_progress: Callable[[str], None]) -> ReplyBody:
    """The answer; `Done` for any other request. Raises EngineError."""
    match body:
        case ListOperators():
            return dispatch_tables.operator_names()
        case ListKeySets():
            return dispatch_tables.key_sets()
        case ShowOperator():
            return dispatch_tables.operator_table(body.name)
        case DecomposeOperator():
            # operators are tried with arguments that nobody chose; some of torch's kernels end the process over these
            answer = run_isolated(body, f"the decomposition of {body.name}", report_progress)
        case TraceDispatch():
            answer = run_isolated(body, f"the dispatch trace of {body.spec.target.name}", report_progress)
        case RunLesson():
            answer = run_isolated(body, f"the lesson {body.name}", report_progress)
        case _:
            return Done()
    assert not isinstance(answer, Captured | FrontEndEdited)
    return answer
