"""A half of a graph compiled once more, with something else about it, while what runs stays as it is."""

import dataclasses
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, NamedTuple

import torch.fx

from compiler.engine.causes.graph_levels import GraphPart
from compiler.engine.measuring.interleaved_timing import Around
from compiler.engine.recompile.build_kernels import fresh_record
from compiler.engine.recompile.compile_shared_stages import recorder_of
from compiler.engine.recompile.edit_directives import directed
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.records.recorder import InductorGraphRecord
from compiler.engine.torch_internals.live.inductor_context import without_options
from compiler.engine.torch_internals.patch import settings
from compiler.engine.torch_internals.registry.listening import listening
from compiler.model.edits.edits import Edit
from compiler.model.ir.loop_ir import FusionChoice


class CompiledAgain(NamedTuple):
    """What came of it."""

    call: Callable[..., Any]
    module: ModuleType | None
    record: InductorGraphRecord


def compiled_again(
    program: EditedProgram,
    edits: tuple[Edit, ...],
    part: GraphPart,
    record: InductorGraphRecord,
    around: Around,
    choices: tuple[FusionChoice, ...] = (),
    options: Mapping[str, object] | None = None,
    instead: torch.fx.GraphModule | None = None,
) -> CompiledAgain:
    """Compile the post-grad graph of a half, or another one `instead`. `options` are Inductor's settings, and stand above
    those that the user's torch.compile was given.
    """
    live, graph, half = program.base.live, part.graph, part.half
    assert half is not None
    module = instead if instead is not None else program.edited_module(part.stage("post_grad"), edits)[0]
    before = half.output.current_callable
    kept = half.module, half.strides, dict(half.sources), half.compile, graph.settings
    recorder = recorder_of(live, dataclasses.replace(graph.record, inductor_graphs=[]), lambda text: None)
    again = fresh_record(record, choices)
    recorder.current_inductor_graphs.append(again)
    if options and half.compile is not None:
        graph.settings = {**graph.settings, **options}
        half.compile = without_options(half.compile)
    try:
        with settings.capturing(), listening(recorder), directed(live, graph, edits), around():
            own = live.choices
            live.choices = lambda name: (*own(name), *choices)
            live.compile_inductor_graph(graph, half, module, "post_grad")
        return CompiledAgain(half.output.current_callable, half.module, again)
    finally:
        half.swap(before)
        half.module, half.strides, half.sources, half.compile, graph.settings = kept
