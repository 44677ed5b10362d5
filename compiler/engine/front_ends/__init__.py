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

_LOOKED_AT: dict[str, Callable[[Program, CaptureSpec], FrontEndResult]] = {
    "dynamo": compiled.capture,
    "dynamo-fullgraph": compiled.capture_whole,
    "eager": eager_run.capture,
    "lazy": lazy_tensors.capture,
    "jit.trace": traced.capture,
    "jit.script": scripted.capture,
    "func": func_transforms.capture,
}
_EDITED: dict[str, Callable[[Program, CaptureSpec, GraphHolder], FrontEndResult]] = {
    "fx": fx_trace.capture,
    "export": exported.capture_static,
    "export-dynamic": exported.capture_dynamic,
    "export-strict": exported.capture_strict,
    "export-draft": exported.capture_draft,
    "make_fx": aten_trace.capture,
    "aot": aot.capture,
    "prims": prim_levels.capture,
}


def capture(name: str, program: Program, spec: CaptureSpec, graphs: GraphHolder) -> FrontEndResult:
    """What the front end of a name in `compiler.model.front_ends` makes of a program. Raises what it raises, and
    EngineError for an edit that does not fit.
    """
    if name in _EDITED:
        return _EDITED[name](program, spec, graphs)
    return _LOOKED_AT[name](program, spec)
