"""Hook: lines of functions that a forward calls, which torch.export and make_fx leave out of the stacks of their nodes."""

import contextlib
import traceback
from collections.abc import Iterator
from typing import Any

from compiler.engine.file_ownership import within_program
from compiler.engine.torch_internals.patch.patching import around

GIVES = "lines of the user's functions below forward"
NEEDS = ("torch.fx.proxy:TracerBase._filter_traceback_frames",)


@contextlib.contextmanager
def helper_frames_kept() -> Iterator[None]:
    """While this is entered, stacks keep the program's frames below the first one that torch keeps."""

    def filter_frames(
        tracer: Any, summary: traceback.StackSummary, *, original: Any
    ) -> traceback.StackSummary:
        kept = original(tracer, summary)
        chosen = {(frame.filename, frame.lineno, frame.name) for frame in kept}
        program = {id(frame) for frame in within_program(summary, lambda frame: frame.filename)}
        more: list[traceback.FrameSummary] = []
        for frame in summary:
            known = (frame.filename, frame.lineno, frame.name) in chosen
            if known or ((more or not kept) and id(frame) in program):
                more.append(frame)
        return traceback.StackSummary.from_list(more)

    with around(NEEDS[0], filter_frames):
        yield
