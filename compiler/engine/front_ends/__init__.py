"""Other ways to capture a program, one file each; they do not know one another.

To add one: a file with ``capture(program, spec) -> FrontEndResult``, a row here and a row in `compiler.model.front_ends`.
One whose graph can be edited takes a `GraphHolder` too, and hands it the graph before it makes anything of it.
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
from compiler.engine.held_graphs import GraphHolder
from compiler.engine.program import Program
from compiler.model.targets import CaptureSpec

Capturing = Callable[[Program, CaptureSpec, GraphHolder], FrontEndResult]


def _looked_at(capture: Callable[[Program, CaptureSpec], FrontEndResult]) -> Capturing:
    """One that makes no graph that could be edited."""
    return lambda program, spec, _graphs: capture(program, spec)


FRONT_ENDS: dict[str, Capturing] = {
    "dynamo": _looked_at(compiled.capture),
    "dynamo-fullgraph": _looked_at(compiled.capture_whole),
    "eager": _looked_at(eager_run.capture),
    "fx": fx_trace.capture,
    "export": exported.capture_static,
    "export-dynamic": exported.capture_dynamic,
    "export-strict": exported.capture_strict,
    "export-draft": exported.capture_draft,
    "lazy": _looked_at(lazy_tensors.capture),
    "jit.trace": traced.capture,
    "jit.script": scripted.capture,
    "make_fx": aten_trace.capture,
    "aot": aot.capture,
    "prims": prim_levels.capture,
    "func": _looked_at(func_transforms.capture),
}
"""By the name in `compiler.model.front_ends`. Each raises what it raises, and EngineError for an edit that does not fit."""
