"""What is asked of the process that compiles for a GPU that is not there, and what it answers."""

import msgspec

from compiler.model.capture import Capture
from compiler.model.ids import CaptureId
from compiler.model.problems import Problem
from compiler.model.targets import CaptureSpec

PROGRESS = "\x1eloupe: "
"""Begins a line of its output that says what it is doing."""


class Order(msgspec.Struct, frozen=True):
    """The capture to make; `spec.device` says for what."""

    spec: CaptureSpec
    id: CaptureId


class Answer(msgspec.Struct, frozen=True):
    """The capture, or why there is none."""

    capture: Capture | None = None
    problem: Problem | None = None
