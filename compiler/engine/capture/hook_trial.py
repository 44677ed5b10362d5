"""Whether torch really calls what we listen at: tried on a small program, since a path may be there and be dead."""

from collections.abc import Callable
from pathlib import Path

from compiler.engine.capture.capture import make_capture
from compiler.engine.torch_internals.patch.patching import noting_calls
from compiler.engine.torch_internals.registry.listening import found_hooks
from compiler.engine.torch_internals.registry.rarely_called import RARELY_CALLED
from compiler.model.capture.capture import Hook
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec
from compiler.model.capture.program_changes import SetConfig


def try_hooks(program: Path, report_progress: Callable[[str], None]) -> tuple[Hook, ...]:
    """Capture `program` (``file.py`` with a class ``Tried``), trained, and see which hooks torch called. Raises EngineError."""
    spec = CaptureSpec(
        TargetSpec(f"{program.name}:Tried", str(program.parent)),
        CompileOptions(),
        RunOptions(training=True),
        changes=(SetConfig("torch._dynamo.config.capture_dynamic_output_shape_ops", True),),
    )
    with noting_calls() as (entered, fired):
        make_capture(spec, "hook-trial", report_progress, alone=False)
    return found_hooks(frozenset(entered - fired - RARELY_CALLED.keys()))
