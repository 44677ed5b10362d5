"""Hook: where Dynamo walks Python's stack to see who called a frame, frames of our hooks do not stand between.

Torch steps over its own file there, and then looks for the wrapper of ``torch.compiler.disable(recursive=False)``: behind a hook it
found ours, and compiled what the program had disabled.
"""

import contextlib
import os
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from torch._dynamo import convert_frame

from compiler.engine.records.recorder import Recorder

GIVES = "functions disabled without what they call"
NEEDS = ("torch._dynamo.convert_frame:sys",)

_OURS = (f"{Path(__file__).parents[2]}{os.sep}", convert_frame.__file__)


class _SysWithoutHooks:
    """``sys`` as Dynamo's frame conversion uses it."""

    def __getattr__(self, name: str) -> Any:
        return getattr(sys, name)

    @staticmethod
    def _getframe(depth: int = 0) -> types.FrameType:
        """The frame that torch's walk would come to without hooks: the first that is neither torch's conversion nor ours."""
        asked = sys._getframe(1 + depth)
        frame: types.FrameType | None = asked
        while frame is not None and frame.f_code.co_filename.startswith(_OURS):
            frame = frame.f_back
        return frame or asked


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Nothing is recorded."""
    kept = convert_frame.sys
    convert_frame.sys = _SysWithoutHooks()  # type: ignore[assignment]
    try:
        yield
    finally:
        convert_frame.sys = kept
