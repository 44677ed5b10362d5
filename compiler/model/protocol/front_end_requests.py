"""Edits of captures by other front ends than torch.compile: what a process of its own is asked, and what it answers."""

from typing import TypeAlias

import msgspec

from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.edits.edits import Edit
from compiler.model.edits.patterns import PatternMatches
from compiler.model.ir.ids import CaptureId
from compiler.model.operators.op_candidates import OpChoices
from compiler.model.operators.op_schemas import NodeSignatures
from compiler.model.protocol.messages import (
    EditedGraphs,
    FindMatches,
    ListEditedGraphs,
    ListOps,
    ListSignatures,
    Preview,
    PreviewEdits,
)
from compiler.model.timing.verdicts import Verdict

EditQuestion: TypeAlias = PreviewEdits | ListOps | ListSignatures | FindMatches | ListEditedGraphs
"""What can be asked about a graph with edits; each is answered as the worker answers it."""
EditAnswer: TypeAlias = Preview | OpChoices | NodeSignatures | PatternMatches | EditedGraphs


class EditFrontEnd(msgspec.Struct, frozen=True, tag="edit_front_end"):
    """Capture with the front end that `spec.front_end` names, carry out edits, make again what follows from them, run and
    judge. Answered by a `FrontEndEdited`.
    """

    spec: CaptureSpec
    base: CaptureId
    """The capture that was edited, for the new one's parent."""
    edits: tuple[Edit, ...]
    id: CaptureId
    judge: bool = True


class AskFrontEnd(msgspec.Struct, frozen=True, tag="ask_front_end"):
    """A question about the graphs of such a capture with edits. The answer is the question's own."""

    spec: CaptureSpec
    question: EditQuestion


class FrontEndEdited(msgspec.Struct, frozen=True, tag="front_end_edited"):
    """Answer to `EditFrontEnd`."""

    capture: Capture
    verdict: Verdict | None
