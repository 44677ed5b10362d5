"""One Dynamo graph of a live capture, brought to any edits and back.

A version has two parts. The shared stages are what both halves come from: Dynamo's, the pre-grad and the joint
graph, with their edits. On it stand the Inductor graphs: the forward, backward or inference graph, each with edits
of its own. A change compiles the shared stages from the latest stage on whose source is known, or only the Inductor
graph that it concerns.
"""

import copy
from collections.abc import Callable
from typing import Any

import torch.fx

from compiler.engine.capture.assemble import dynamo_graph_stages
from compiler.engine.capture.capture import CompiledGraphs
from compiler.engine.capture.partial_results import copied
from compiler.engine.errors import EngineError
from compiler.engine.recompile.compile_inductor_graph import InductorGraphCompiler, keeps_aliases
from compiler.engine.recompile.compile_shared_stages import SharedStagesCompiler
from compiler.engine.recompile.version_store import Edits, GraphVersions, SharedStages, Version, of_graphs
from compiler.engine.records.recorder import DynamoGraphRecord, Recorder
from compiler.engine.stage_ids import split
from compiler.engine.stages.python_bytecode import code_stages_of
from compiler.engine.torch_internals.live.live_graphs import LiveDynamoGraph
from compiler.model.capture.capture import Capture
from compiler.model.edits.addressed import why_not_taken
from compiler.model.edits.edits import describe_edit, stages_of
from compiler.model.edits.kernel_knobs import KnobState
from compiler.model.edits.stage_order import body_of, inductor_graph_edits
from compiler.model.edits.unfit_edits import does_not_fit
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.ir.links import LinkTable
from compiler.model.ir.memory_budget_curve import CurvePoint
from compiler.model.ir.stage import Stage

ReportProgress = Callable[[str], None]


def _why_failed(capture: Capture, compile_id: str) -> str:
    """The first line of what torch said, as a sentence; empty where it said nothing."""
    said = [frame.error for frame in capture.frames if frame.id == compile_id]
    said += [row.reason for row in capture.breaks if row.frame == compile_id]
    first = next((text.strip().partition("\n")[0] for text in said if text.strip()), "")
    return f"{first.rstrip('.:')}." if first else ""


class EditedDynamoGraph:
    """Brings a Dynamo graph to any edits and back; `edits` are those it runs with."""

    def __init__(self, base: CompiledGraphs, dynamo_graph: LiveDynamoGraph) -> None:
        self.base = base
        self.dynamo_graph = dynamo_graph
        self.name = dynamo_graph.record.compile_id
        self.edits: Edits = ()
        self.versions = GraphVersions(dynamo_graph, _why_failed(base.capture, self.name))
        self._compiler = SharedStagesCompiler(base, self.versions)
        self._inductor_graphs = InductorGraphCompiler(base.live, self.versions)
        self._assemble(self._compiler.keep((), ()), ())

    @property
    def version(self) -> Version:
        """What runs now."""
        return self.versions.versions[self.edits]

    def source(self, stage: StageId, edits: Edits) -> tuple[torch.fx.GraphModule, Graph]:
        """The live graph of a stage without edits of its own, as the edits before it lead to it, and the same as data.
        Raises EngineError where those were never compiled.
        """
        return self.versions.source(stage, edits)

    def explore(self, edits: Edits, report_progress: ReportProgress) -> tuple[CurvePoint, ...]:
        """The partitions that torch would choose at every memory budget; what runs stays. Raises EngineError."""
        try:
            return self._compiler.explore(edits, report_progress)
        finally:
            self.restore(self.edits)

    def eager_rng_variant(self, edits: Edits, report_progress: ReportProgress) -> Callable[..., Any]:
        """The Dynamo graph compiled with edits so that it draws eager's random numbers; what runs stays. Raises
        EngineError.
        """
        return self._compiler.eager_rng_variant(edits, report_progress)

    def try_knobs(
        self, part: str, nodes: tuple[NodeId, ...], edits: Edits, report_progress: ReportProgress
    ) -> tuple[KnobState, ...]:
        """What Inductor's knobs do to the kernels of some nodes; what runs stays. Raises EngineError."""
        shared_stages = next(iter(self.versions.shared_stages_for(edits)), None)
        inductor_graph = (
            next(
                (
                    inductor_graph
                    for inductor_graph in shared_stages.inductor_graphs
                    if inductor_graph.part == part
                ),
                None,
            )
            if shared_stages is not None
            else None
        )
        if shared_stages is None or inductor_graph is None:
            what = f"The {part} graph of {self.name} comes from edits that are not compiled yet."
            raise EngineError(what, "Recompile first.")
        try:
            return self._inductor_graphs.try_knobs(
                shared_stages,
                inductor_graph,
                inductor_graph_edits(edits, self.name, part),
                nodes,
                report_progress,
            )
        finally:
            self.restore(self.edits)

    def restore(self, edits: Edits) -> None:
        """Run a version that was compiled before."""
        version = self.versions.versions[edits]
        self._compiler.enter(version.shared_stages)
        for inductor_graph in version.shared_stages.inductor_graphs:
            self._inductor_graphs.activate(
                inductor_graph,
                version.shared_stages.compiled[
                    inductor_graph.part, inductor_graph_edits(edits, self.name, inductor_graph.part)
                ],
            )
        self.dynamo_graph.record = version.record
        self.edits = edits

    def bring(self, edits: Edits, report_progress: ReportProgress) -> None:
        """Let the Dynamo graph run with these edits; what is compiled already is not compiled again. Raises
        EngineError, and then it is for the caller to restore a version.
        """
        if edits in self.versions.versions:
            self.restore(edits)
            return
        self._require_inductor(edits)
        shared_stages = next(iter(self.versions.shared_stages_for(edits)), None)
        if shared_stages is None:
            shared_stages = self._compiler.compile(edits, (), report_progress)
            forward = of_graphs(inductor_graph_edits(edits, self.name, "forward"))
            if forward and not keeps_aliases(shared_stages.compiled["forward", forward]):
                shared_stages = self._compiler.compile(edits, forward, report_progress)
        self._require_parts(shared_stages, edits)
        self._compiler.enter(shared_stages)
        for inductor_graph in shared_stages.inductor_graphs:
            wanted = inductor_graph_edits(edits, self.name, inductor_graph.part)
            if not self._inductor_graphs.bring(shared_stages, inductor_graph, wanted, report_progress):
                forward = of_graphs(wanted)
                report_progress(
                    f"The forward graph of {self.name} returns other layouts: its backward is compiled too"
                )
                shared_stages = self._compiler.compile(edits, forward, report_progress)
                self._compiler.enter(shared_stages)
                for other in shared_stages.inductor_graphs:
                    self._inductor_graphs.bring(
                        shared_stages,
                        other,
                        inductor_graph_edits(edits, self.name, other.part),
                        report_progress,
                    )
                break
        self._assemble(shared_stages, edits)
        self.edits = edits

    def _require_inductor(self, edits: Edits) -> None:
        """What another backend was handed is not asked again: an edit of it would be left out without a word."""
        if not self.dynamo_graph.record.other_backend:
            return
        for edit in edits:
            for stage in stages_of(edit):
                if split(stage)[2] != "dynamo":
                    what = f"{stage} was handed to another backend than Inductor, which is not asked again."
                    raise EngineError(what, "Edit Dynamo's graph, or use Inductor.")

    def _require_parts(self, shared_stages: SharedStages, edits: Edits) -> None:
        parts = {inductor_graph.part for inductor_graph in shared_stages.inductor_graphs}
        for edit in edits:
            if why := why_not_taken(edit):
                raise EngineError(why, "Make the edit there.")
            for stage in stages_of(edit):
                part = split(stage)[1]
                if split(stage)[2] in ("loops", "fused") and (body := body_of(stage)):
                    what = f"“{describe_edit(edit)}” is for {stage}: fusions and knobs are chosen for whole graphs."
                    raise EngineError(what, f"Edit the graph of {body}.")
                if part and part not in parts:
                    if (never := self.versions.never_compiled(part)) is not None:
                        raise never
                    what = f"“{describe_edit(edit)}” is for {stage}, which is not there: this graph has no {part} part."
                    raise EngineError(does_not_fit(what, edits, stage, edit))

    def _assemble(self, shared_stages: SharedStages, edits: Edits) -> None:
        record = copy.copy(shared_stages.record)
        chosen = {
            inductor_graph.part: shared_stages.compiled[
                inductor_graph.part, inductor_graph_edits(edits, self.name, inductor_graph.part)
            ].record
            for inductor_graph in shared_stages.inductor_graphs
        }
        record.inductor_graphs = [chosen.get(row.part, row) for row in shared_stages.record.inductor_graphs]
        stages, links = self.read(record)
        self.dynamo_graph.record = record
        self.versions.versions[edits] = Version(shared_stages, record, stages, links)

    def read(self, record: DynamoGraphRecord) -> tuple[tuple[Stage, ...], tuple[LinkTable, ...]]:
        """The stages of a record of this Dynamo graph."""
        recorder = self.base.recorder
        frames = {frame.id: frame for frame in recorder.frames}
        return dynamo_graph_stages(record, frames.get(self.name), code_stages_of(recorder))

    def early_record(self, recorder: Recorder) -> DynamoGraphRecord:
        """What is being compiled of this Dynamo graph, as far as it is generated; where an Inductor graph is
        compiled by itself, the others are as they run.
        """
        fresh = {
            inductor_graph.part: inductor_graph
            for inductor_graph in (
                *recorder.dynamo_graphs[-1].inductor_graphs,
                *recorder.current_inductor_graphs,
            )
        }
        alone = self.base.live.start in ("", "aot", "post_grad")
        known = (
            {
                inductor_graph.part: inductor_graph
                for inductor_graph in self.dynamo_graph.record.inductor_graphs
            }
            if alone
            else {}
        )
        return copied(recorder.dynamo_graphs[-1], (known | fresh).values())
