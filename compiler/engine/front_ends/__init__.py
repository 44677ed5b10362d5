"""Other ways to capture a program, one file each; they do not know one another.

To add one: a file with ``capture(program, spec) -> FrontEndResult``, a row here and a row in `compiler.model.front_ends`.
"""

from collections.abc import Callable

from compiler.engine.front_end_results import FrontEndResult
from compiler.engine.front_ends import (
    aot,
    aten_trace,
    compiled,
    eager_run,
    exported,
    func_transforms,
    fx_trace,
    lazy_tensors,
    prim_levels,
    scripted,
    traced,
)
from compiler.engine.program import Program
from compiler.model.targets import CaptureSpec

FRONT_ENDS: dict[str, Callable[[Program, CaptureSpec], FrontEndResult]] = {
    "dynamo": compiled.capture,
    "dynamo-fullgraph": compiled.capture_whole,
    "eager": eager_run.capture,
    "fx": fx_trace.capture,
    "export": exported.capture_static,
    "export-dynamic": exported.capture_dynamic,
    "export-strict": exported.capture_strict,
    "export-draft": exported.capture_draft,
    "lazy": lazy_tensors.capture,
    "jit.trace": traced.capture,
    "jit.script": scripted.capture,
    "make_fx": aten_trace.capture,
    "aot": aot.capture,
    "prims": prim_levels.capture,
    "func": func_transforms.capture,
}
"""By the name in `compiler.model.front_ends`."""
