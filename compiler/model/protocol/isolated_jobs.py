"""Work that a process of its own does, since it changes torch for good or may end the interpreter: orders and answers.

An order is given in a file and answered in a file; lines of the output that begin with `absent_gpu.PROGRESS` say how far
it is.
"""

from typing import TypeAlias

import msgspec

from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.edits.patterns import PatternMatches
from compiler.model.experiments.failures import BreaksMet, ProgramEnded, RunAtLevel, RunForBreaks, RunText
from compiler.model.experiments.torch_compile_api import BackendTried, TryBackend
from compiler.model.front_end_comparison.front_end_matrix import FrontEndCell, JudgeFrontEnd
from compiler.model.front_end_comparison.script_texts import RunScript, ScriptRun
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import CaptureId
from compiler.model.operators.decompositions import DecomposeOperator, Decomposition
from compiler.model.operators.dispatching import DispatchTrace, TraceDispatch
from compiler.model.operators.lessons import LessonRun, RunLesson
from compiler.model.operators.op_candidates import OpChoices
from compiler.model.operators.op_schemas import NodeSignatures
from compiler.model.protocol.front_end_requests import AskFrontEnd, EditFrontEnd, FrontEndEdited
from compiler.model.protocol.messages import DescribeTarget, EditedGraphs, Preview, TargetDescribed


class CaptureWith(msgspec.Struct, frozen=True, tag="capture_with"):
    """Capture with the front end that `spec.front_end` names. Answered by a `Captured`."""

    spec: CaptureSpec
    id: CaptureId


IsolatedJob: TypeAlias = (
    CaptureWith
    | EditFrontEnd
    | AskFrontEnd
    | TryBackend
    | JudgeFrontEnd
    | RunScript
    | TraceDispatch
    | RunLesson
    | DecomposeOperator
    | DescribeTarget
    | RunAtLevel
    | RunText
    | RunForBreaks
)


class Captured(msgspec.Struct, frozen=True, tag="captured"):
    """Answer to `CaptureWith`."""

    capture: Capture


class Refused(msgspec.Struct, frozen=True, tag="refused"):
    """It could not be done; `problem` says why."""

    problem: Problem


IsolatedResult: TypeAlias = (
    Captured
    | FrontEndEdited
    | Preview
    | OpChoices
    | NodeSignatures
    | PatternMatches
    | EditedGraphs
    | BackendTried
    | FrontEndCell
    | ScriptRun
    | DispatchTrace
    | LessonRun
    | Decomposition
    | TargetDescribed
    | ProgramEnded
    | BreaksMet
)
IsolatedAnswer: TypeAlias = IsolatedResult | Refused
