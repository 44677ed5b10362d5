"""Hook: which resume function continues which frame after a break."""

import contextlib
from collections.abc import Iterator
from typing import Any

from compiler.engine.records.recorder import Recorder
from compiler.engine.torch_internals.patch.patching import around, find, is_there

GIVES = "resume functions"
NEEDS = ("torch._dynamo.symbolic_convert:InstructionTranslatorBase.create_resume",)
_ORIGINALS = "torch._dynamo.resume_execution:ContinueExecutionCache.generated_code_metadata"


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Record each resume function as Dynamo makes it."""
    metadata: Any = getattr(*find(_ORIGINALS)) if is_there(_ORIGINALS) else {}

    def create_resume(translator: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        code, name = original(translator, *args, **kwargs)
        known = metadata.get(code)
        resumed = known.code if known is not None else translator.f_code
        frame = recorder.frame.id if recorder.frame is not None else ""
        # in a loop a resume function breaks where it began, and Dynamo gives it as what resumes itself
        recorder.resumes.setdefault(recorder.keep_code(code), (recorder.keep_code(resumed), frame))
        return code, name

    with around(NEEDS[0], create_resume):
        yield
