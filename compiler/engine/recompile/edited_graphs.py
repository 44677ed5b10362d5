"""Applying edits to a live capture and compiling again from the earliest edited stage on, no further back."""

import functools
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
import torch.fx

from compiler.engine.capture.assemble_passes import FoundPasses, passes_of
from compiler.engine.capture.capture import CompiledGraphs
from compiler.engine.capture.partial_results import EarlyStages, Emit
from compiler.engine.errors import EngineError
from compiler.engine.graph_editing.apply_to_live_graph import sync
from compiler.engine.graph_editing.shape_propagation import (
    problems_of,
    propagate,
    propagate_values,
    with_types,
)
from compiler.engine.graph_editing.stage_editor import applied, inputs_of, sync_bodies
from compiler.engine.provenance.caller_links import caller_links
from compiler.engine.provenance.stack_links import stack_links
from compiler.engine.recompile.edited_graph import EditedDynamoGraph
from compiler.engine.recompile.export import edited_graphs, edited_inductor_graphs, graphs_of_kind
from compiler.engine.records.recorder import DynamoGraphRecord, Recorder
from compiler.engine.records.wrapper_kernels import kernels_by_source
from compiler.engine.stage_ids import graph_stage, split
from compiler.engine.torch_internals.live.live_graphs import LiveDynamoGraph, fake_mode_of
from compiler.engine.torch_internals.patch.cloning import clone_module
from compiler.model.capture.capture import Capture
from compiler.model.capture.compile_ids import whole_of
from compiler.model.capture.counted import first_of
from compiler.model.capture.frames import VariableSize
from compiler.model.edits.edits import Edit, stages_of
from compiler.model.edits.kernel_knobs import KernelKnobs
from compiler.model.edits.partition_edits import ChooseMemoryBudget
from compiler.model.edits.stage_order import SHARED_STAGES, is_before_autograd, parts_of, shared_stage_edits
from compiler.model.export import EditedGraph, EditedInductorGraph
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import CaptureId, NodeId, StageId
from compiler.model.ir.memory_budget_curve import CurvePoint
from compiler.model.ir.stage import Stage, StageKind

_GRAPHS = (*SHARED_STAGES, "aot", "post_grad")
"""FX graphs that can be edited, in the order they are made in."""


class EditedGraphs:
    """Compiled graphs that are edited. What runs always matches `edits`, the last that compiled."""

    def __init__(self, base: CompiledGraphs) -> None:
        self.base = base
        self.edits: tuple[Edit, ...] = ()
        self._dynamo_graphs = {
            dynamo_graph.record.compile_id: EditedDynamoGraph(base, dynamo_graph)
            for dynamo_graph in base.live.dynamo_graphs
        }

    # -- asking ------------------------------------------------------------------------------------------------

    def dynamo_graph(self, stage: StageId) -> LiveDynamoGraph:
        """The live Dynamo graph of a stage. Raises EngineError."""
        return self._edited_graph(stage).dynamo_graph

    def _edited_graph(self, stage: StageId) -> EditedDynamoGraph:
        compile_id = split(stage)[0]
        found = self._dynamo_graphs.get(compile_id)
        if found is None:
            inside = whole_of(compile_id) != compile_id
            there = first_of(list(self._dynamo_graphs), 8)
            raise EngineError(
                f"{compile_id} was compiled inside of the compile of {whole_of(compile_id)}, where nothing can be put in "
                "its place."
                if inside
                else f"There is no compiled graph {compile_id} to edit.",
                "Change the program." if inside else f"Graphs that can be edited: {there or 'none'}.",
            )
        if parts := found.dynamo_graph.record.parts:
            held = [part.compile_id for part in parts if part.compile_id in self._dynamo_graphs]
            raise EngineError(
                f"Graph {compile_id} was compiled in {len(parts)} parts ({parts[0].cut_by}) and would be cut anew.",
                f"Edit its parts, {held[0]} to {held[-1]}." if held else "Change the program.",
            )
        return found

    def base_graph(self, stage: StageId, edits: tuple[Edit, ...]) -> Graph:
        """The graph that edits of a stage start from: as captured, or as the edits of earlier stages lead to it.
        Raises EngineError.
        """
        return self._edited_graph(stage).source(stage, edits)[1]

    def edited_module(self, stage: StageId, edits: tuple[Edit, ...]) -> tuple[torch.fx.GraphModule, Graph]:
        """A live copy of a stage's graph with its edits applied, and the same as data; types are those of before.
        Raises EngineError.
        """
        source, base = self._edited_graph(stage).source(stage, edits)
        module = clone_module(source)
        edited = applied(base, edits, stage)
        sync(module, base, edited, stage)
        for _ in sync_bodies(module, edits, stage):
            pass
        return module, edited

    def inputs_of(self, stage: StageId, module: torch.fx.GraphModule) -> list[Any]:
        """Fake values of the inputs of a stage's graph."""
        return inputs_of(module, stage, self.dynamo_graph(stage))

    def preview(
        self, edits: tuple[Edit, ...]
    ) -> tuple[tuple[tuple[StageId, Graph], ...], tuple[Problem, ...]]:
        """Edited graphs with fresh result types, and what is wrong with them."""
        graphs: list[tuple[StageId, Graph]] = []
        problems: list[Problem] = []
        named = (stage for edit in edits for stage in stages_of(edit))
        for stage in dict.fromkeys(stage for stage in named if graph_stage(stage) == stage):
            module, edited = self.edited_module(stage, edits)
            inputs = self.inputs_of(stage, module)
            types, failure = propagate(module, inputs, fake_mode_of(inputs), self._has_gradients(stage))
            typed = with_types(edited, types)
            graphs.append((stage, typed))
            problems += problems_of(stage, self.base_graph(stage, edits), typed, failure)
        return tuple(graphs), tuple(problems)

    def node_values(
        self, stage: StageId, edits: tuple[Edit, ...]
    ) -> tuple[torch.fx.GraphModule, Mapping[NodeId, Any], Any]:
        """An edited copy of a stage's graph, a fake of what each node gives, and their fake mode. Raises EngineError."""
        module, _ = self.edited_module(stage, edits)
        inputs = self.inputs_of(stage, module)
        mode = fake_mode_of(inputs)
        return module, propagate_values(module, inputs, mode, self._has_gradients(stage)), mode

    def _has_gradients(self, stage: StageId) -> bool:
        """Whether autograd records what a stage's graph runs."""
        return self.dynamo_graph(stage).gradients and is_before_autograd(stage)

    def graphs_alike(self, stage: StageId, edits: tuple[Edit, ...]) -> tuple[StageId, ...]:
        """Every stage with the same kind of graph: edits make none and take none away."""
        return tuple(graphs_of_kind(self.base.capture, split(stage)[2]))

    def exported(
        self, edits: tuple[Edit, ...]
    ) -> tuple[tuple[EditedGraph, ...], tuple[EditedInductorGraph, ...]]:
        """What edits that are compiled did to each FX graph and to generated code. Raises EngineError."""
        return edited_graphs(self, edits), edited_inductor_graphs(self, edits)

    # -- changing ----------------------------------------------------------------------------------------------

    def recompile(
        self,
        edits: tuple[Edit, ...],
        capture_id: CaptureId,
        report_progress: Callable[[str], None],
        emit: Emit | None = None,
    ) -> Capture:
        """Compile what the edits change, swap it in, and give the pipeline as it is now; what was generated is reported before
        it is built. Raises EngineError.

        Either every Dynamo graph runs its new version, or all run what they ran before.
        """
        started = time.perf_counter()
        self.base.live.phases.restart()
        before = {name: dynamo_graph.edits for name, dynamo_graph in self._dynamo_graphs.items()}
        for edit in edits:
            for stage in stages_of(edit):
                self.dynamo_graph(stage)
        emitting = EarlyStages(emit, credit=0.0)
        try:
            for name, dynamo_graph in self._dynamo_graphs.items():
                wanted = edits_of(name, edits)
                if dynamo_graph.edits != wanted:
                    self.base.live.on_generated = functools.partial(
                        self._generated, emitting, name, capture_id
                    )
                    self.base.live.on_made = functools.partial(self._made, emitting, name, capture_id, wanted)
                    dynamo_graph.bring(wanted, report_progress)
        except BaseException:
            for name, dynamo_graph in self._dynamo_graphs.items():
                dynamo_graph.restore(before[name])
            raise
        finally:
            self.base.live.on_generated = lambda recorder, sources: None
            self.base.live.on_made = lambda recorder: None
        self.edits = edits
        return self._capture(capture_id, time.perf_counter() - started)

    def explore(
        self, stage: StageId, edits: tuple[Edit, ...], report_progress: Callable[[str], None]
    ) -> tuple[CurvePoint, ...]:
        """The partitions that torch would choose for a joint graph at every memory budget, with its edits and those before
        it; compiles nothing. Raises EngineError.
        """
        dynamo_graph = self._edited_graph(stage)
        wanted = shared_stage_edits(edits, dynamo_graph.name)
        return dynamo_graph.explore(
            tuple(edit for edit in wanted if not isinstance(edit, ChooseMemoryBudget)), report_progress
        )

    def try_knobs(
        self,
        stage: StageId,
        nodes: tuple[NodeId, ...],
        edits: tuple[Edit, ...],
        report_progress: Callable[[str], None],
    ) -> KernelKnobs:
        """What Inductor's knobs do to the kernels that run some nodes of a loop IR; what runs stays. Raises EngineError."""
        dynamo_graph = self._edited_graph(stage)
        states = dynamo_graph.try_knobs(
            split(stage)[1], nodes, edits_of(dynamo_graph.name, edits), report_progress
        )
        effective = tuple(state for state in states if state.changes)
        without = tuple(state.knob for state in states if not state.changes)
        return KernelKnobs(stage, nodes, effective, without)

    # -- telling -----------------------------------------------------------------------------------------------

    def _generated(
        self,
        emitting: EarlyStages,
        name: str,
        capture_id: CaptureId,
        recorder: Recorder,
        sources: tuple[str, ...],
    ) -> None:
        """The kernels of a Dynamo graph are about to be built: tell what they come from."""
        with recorder.reading("the stages before their kernels are built"):
            record = self._dynamo_graphs[name].early_record(recorder)
            inductor_graphs = [(name, inductor_graph) for inductor_graph in record.inductor_graphs]
            emitting.emit(sources, inductor_graphs, lambda: self._capture(capture_id, 0.0, record))

    def _made(
        self,
        emitting: EarlyStages,
        name: str,
        capture_id: CaptureId,
        wanted: tuple[Edit, ...],
        recorder: Recorder,
    ) -> None:
        """A stage of a Dynamo graph was made: tell it, unless an edit of a later graph than the first may not be in it yet."""
        later = _GRAPHS[_GRAPHS.index(self.base.live.start) + 1 :]
        if any(parts_of(stage)[2] in later for edit in wanted for stage in stages_of(edit)):
            return
        with recorder.reading("the stages made so far"):
            record = self._dynamo_graphs[name].early_record(recorder)
            emitting.emit_made(lambda: self._capture(capture_id, 0.0, record))

    def _capture(
        self, capture_id: CaptureId, seconds: float, early: DynamoGraphRecord | None = None
    ) -> Capture:
        """The base capture with the stages of every Dynamo graph as they are now, or one of them as it will be."""
        fresh = {
            name: (dynamo_graph.version.stages, dynamo_graph.version.links)
            for name, dynamo_graph in self._dynamo_graphs.items()
            if dynamo_graph.edits
        }
        if early is not None:
            fresh[early.compile_id] = self._dynamo_graphs[early.compile_id].read(early)
        stages: list[Stage] = []
        placed: set[str] = set()
        for stage in self.base.capture.stages:
            name = split(stage.id)[0]
            if name not in fresh or stage.id.endswith(":rewritten"):
                stages.append(stage)
            elif name not in placed:
                placed.add(name)
                stages += fresh[name][0]
        links = [
            row
            for row in self.base.capture.links
            if split(row.target)[0] not in fresh or row.target.endswith(":rewritten")
        ]
        links += [row for _, rows in fresh.values() for row in rows]
        links += stack_links(stages, links)
        callers = {frame.id: frame.callers for frame in self.base.capture.frames if frame.id in fresh}
        links += caller_links(stages, callers, links)
        records = self._records()
        passes = FoundPasses()
        for record in records:
            passes.add(
                passes_of(early if early is not None and early.compile_id == record.compile_id else record)
            )
        return msgspec.structs.replace(
            self.base.capture,
            id=capture_id,
            stages=tuple(stages),
            links=tuple(links),
            variables=_with_nodes_left(self.base.capture.variables, stages),
            parent=self.base.capture.id,
            seconds=seconds,
            problems=_still_true(self.base.capture.problems),
            passes=tuple(passes.runs),
            pass_starts=tuple(passes.starts),
            fusions=tuple(passes.fusions),
            phases=self.base.live.phases.phases(kernels_by_source(records)),
        )

    def _records(self) -> list[DynamoGraphRecord]:
        """Of every graph, as it runs now."""
        live = [dynamo_graph.record for dynamo_graph in self.base.live.dynamo_graphs]
        names = {record.compile_id for record in live}
        inside = [row for row in self.base.recorder.dynamo_graphs if row.part_of is not None]
        return live + [row for row in inside if row.compile_id not in names]


def _with_nodes_left(variables: Iterable[VariableSize], stages: Iterable[Stage]) -> tuple[VariableSize, ...]:
    """Sizes of variables, which name nodes of Dynamo's graphs, as far as edits left these."""
    left = {
        split(stage.id)[0]: {node.id for node in stage.graph.nodes}
        for stage in stages
        if stage.kind is StageKind.DYNAMO_GRAPH and stage.graph is not None
    }
    return tuple(
        row if row.node in left.get(row.compile_id, ()) else msgspec.structs.replace(row, node="")
        for row in variables
    )


def edits_of(name: str, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    """Those of the edits that concern a Dynamo graph or what is made of it."""
    return tuple(edit for edit in edits if any(split(stage)[0] == name for stage in stages_of(edit)))


def _still_true(problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
    """What was said of the whole program and how it is captured, which the edited one is too."""
    return tuple(row for row in problems if row.place is None and row.severity is not Severity.ERROR)
