"""Work that a process of its own does, since it changes torch for good or may end the interpreter: orders and answers.

An order is given in a file and answered in a file; lines of the output that begin with `emulation.PROGRESS` say how far
it is.
"""

from typing import TypeAlias

import msgspec

from compiler.model.capture import Capture
from compiler.model.compile_interface import BackendTried, TryBackend
from compiler.model.decompositions import DecomposeOperator, Decomposition
from compiler.model.dispatching import DispatchTrace, TraceDispatch
from compiler.model.front_end_edits import AskFrontEnd, EditFrontEnd, FrontEndEdited
from compiler.model.front_end_matrix import FrontEndCell, JudgeFrontEnd
from compiler.model.ids import CaptureId
from compiler.model.lessons import LessonRun, RunLesson
from compiler.model.messages import EditedGraphs, Preview
from compiler.model.op_catalog import OpChoices
from compiler.model.op_schemas import NodeSignatures
from compiler.model.patterns import PatternMatches
from compiler.model.problems import Problem
from compiler.model.script_texts import RunScript, ScriptRun
from compiler.model.targets import CaptureSpec


class CaptureWith(msgspec.Struct, frozen=True, tag="capture_with"):
    """Capture with the front end that `spec.front_end` names. Answered by a `Captured`."""

    spec: CaptureSpec
    id: CaptureId


ApartOrder: TypeAlias = (
    CaptureWith
    | EditFrontEnd
    | AskFrontEnd
    | TryBackend
    | JudgeFrontEnd
    | RunScript
    | TraceDispatch
    | RunLesson
    | DecomposeOperator
)


class Captured(msgspec.Struct, frozen=True, tag="captured"):
    """Answer to `CaptureWith`."""

    capture: Capture


class Refused(msgspec.Struct, frozen=True, tag="refused"):
    """It could not be done; `problem` says why."""

    problem: Problem


ApartResult: TypeAlias = (
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
)
ApartAnswer: TypeAlias = ApartResult | Refused
