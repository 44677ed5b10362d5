"""The front ends by name.

To add one: a file with ``capture(program, spec) -> FrontEndResult``, a row here and a row in `compiler.model.capture.front_ends`.
One whose graph can be edited takes a `GraphHolder` too, and hands it the graph before it makes anything of it.
"""

from collections.abc import Callable

from compiler.engine.front_ends.aot import aot, aten_trace
from compiler.engine.front_ends.eager import compiled, eager_run
from compiler.engine.front_ends.export import exported
from compiler.engine.front_ends.fx import fx_trace
from compiler.engine.front_ends.interface.editable_graphs import GraphHolder
from compiler.engine.front_ends.interface.result import FrontEndResult
from compiler.engine.front_ends.lazy_tensor import lazy_tensors
from compiler.engine.front_ends.precompile import precompiled_program
from compiler.engine.front_ends.prims import prim_levels
from compiler.engine.front_ends.torch_func import func_transforms
from compiler.engine.front_ends.torchscript import scripted, traced
from compiler.engine.user_program.loading import Program
from compiler.model.capture.capture_spec import CaptureSpec

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
    "precompile": _looked_at(precompiled_program.capture),
    "prims": prim_levels.capture,
    "func": _looked_at(func_transforms.capture),
}
"""By the name in `compiler.model.capture.front_ends`. Each raises what it raises, and EngineError for an edit that does not fit."""
