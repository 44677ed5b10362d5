"""What edits did to each FX graph, for keeping them as code."""

from collections.abc import Mapping
from typing import Protocol

import torch.fx

from compiler.engine.capture.capture import CompiledGraphs
from compiler.engine.recompile.edit_directives import chosen_knobs
from compiler.engine.stage_ids import graph_stage, inductor_graph_id, split
from compiler.model.capture.capture import Capture
from compiler.model.edits.edits import (
    Edit,
    ReplaceWrapper,
    fusion_choices,
    kernel_sources,
    single_edits,
    stages_of,
)
from compiler.model.edits.stage_order import body_of, holder_of
from compiler.model.export import EditedGraph, EditedInductorGraph
from compiler.model.export.edited_graph import names_of
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import StageId


class Edited(Protocol):
    """What is asked of the graphs that were edited."""

    @property
    def base(self) -> CompiledGraphs:
        """As they were captured."""

    def base_graph(self, stage: StageId, edits: tuple[Edit, ...]) -> Graph:
        """The graph that edits of a stage start from."""

    def edited_module(self, stage: StageId, edits: tuple[Edit, ...]) -> tuple[torch.fx.GraphModule, Graph]:
        """A live copy of it with its edits applied, and the same as data."""


def edited_graphs(program: Edited, edits: tuple[Edit, ...]) -> tuple[EditedGraph, ...]:
    """Each edited FX graph before and after. The edits must be compiled. Raises EngineError."""
    rows = []
    stages = dict.fromkeys(stage for edit in edits for stage in stages_of(edit))
    for stage in (stage for stage in stages if graph_stage(stage) == stage):
        compile_id, part, what = split(stage)
        base = program.base_graph(stage, edits)
        _, edited = program.edited_module(stage, edits)
        body = body_of(stage)
        met = program.base_graph(holder_of(stage), edits) if body else base
        names = names_of(met)
        alike = sum(names_of(graph) == names for graph in graphs_of_kind(program.base.capture, what).values())
        met_as = "inference" if (part, what) == ("inference", "aot") else what
        distinct_by = compile_id if alike > 1 else ""
        rows.append(EditedGraph(stage, met_as, base, edited, distinct_by, body, names if body else ""))
    return tuple(rows)


def edited_inductor_graphs(program: Edited, edits: tuple[Edit, ...]) -> tuple[EditedInductorGraph, ...]:
    """What was chosen by hand for the code of each Inductor graph. The edits must be compiled. Raises EngineError."""
    stages = dict.fromkeys(stage for edit in edits for stage in stages_of(edit))
    inductor_graphs = dict.fromkeys(
        split(stage)[:2] for stage in stages if split(stage)[2] in ("loops", "kernels", "wrapper")
    )
    rows = []
    for compile_id, part in inductor_graphs:
        loops, kernels, wrapper = (
            inductor_graph_id(compile_id, part, what) for what in ("loops", "kernels", "wrapper")
        )
        texts = [
            edit for edit in single_edits(edits) if isinstance(edit, ReplaceWrapper) and edit.stage == wrapper
        ]
        names = names_of(program.base_graph(inductor_graph_id(compile_id, part, "aot"), edits))
        alike = sum(
            names_of(graph) == names for graph in graphs_of_kind(program.base.capture, "aot").values()
        )
        rows.append(
            EditedInductorGraph(
                tuple(stage for stage in (loops, kernels, wrapper) if stage in stages),
                names,
                part == "backward",
                fusion_choices(edits, loops),
                tuple(kernel_sources(edits, kernels).items()),
                compile_id if alike > 1 else "",
                chosen_knobs(compile_id, part, edits),
                texts[-1].text if texts else "",
                texts[-1].base if texts else "",
            )
        )
    return tuple(rows)


def graphs_of_kind(capture: Capture, what: str) -> Mapping[StageId, Graph]:
    """All graphs of one kind in a capture, by stage; bodies of control flow are part of others."""
    return {
        stage.id: stage.graph
        for stage in capture.stages
        if stage.graph is not None and split(stage.id)[2] == what and not body_of(stage.id)
    }
