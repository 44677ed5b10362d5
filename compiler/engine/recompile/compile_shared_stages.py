"""Compiling a Dynamo graph again from Dynamo's, the pre-grad or the joint graph on, all its edits carried out on the way."""

import contextlib
import functools
import time
from collections.abc import Callable, Iterator
from typing import Any

import torch.fx

from compiler.engine.capture.capture import CompiledGraphs
from compiler.engine.capture.input_roles import carry_roles
from compiler.engine.errors import EngineError
from compiler.engine.fx.graph_import import read_bodies, read_graph
from compiler.engine.graph_editing.stage_editor import edit_module
from compiler.engine.recompile.build_kernels import build_error_in
from compiler.engine.recompile.check_fusion import require_choices
from compiler.engine.recompile.check_partition import require_partition, require_repeatable
from compiler.engine.recompile.edit_directives import chosen_fusions, chosen_knobs, directed
from compiler.engine.recompile.version_store import (
    Edits,
    GraphVersions,
    SharedStages,
    dressed,
    graph_version,
    of_graphs,
)
from compiler.engine.records.recorder import DynamoGraphRecord, Recorder
from compiler.engine.stage_ids import dynamo_graph_id, inductor_graph_id, split
from compiler.engine.torch_internals.aot_autograd.partition_choices import points_in
from compiler.engine.torch_internals.live.live_graphs import CompiledBefore, LiveProgram
from compiler.engine.torch_internals.memoized.all_of_them import memoized
from compiler.engine.torch_internals.patch import settings
from compiler.engine.torch_internals.patch.cloning import clone_module
from compiler.engine.torch_internals.registry.listening import listening
from compiler.model.edits.edits import keeps_graphs, stages_of
from compiler.model.edits.stage_order import concerns, inductor_graph_edits, shared_stage_edits
from compiler.model.ir.ids import StageId
from compiler.model.ir.memory_budget_curve import CurvePoint

ReportProgress = Callable[[str], None]


class SharedStagesCompiler:
    """Compiles the shared stages of one Dynamo graph and keeps them among its versions."""

    def __init__(self, base: CompiledGraphs, versions: GraphVersions) -> None:
        self.live = base.live
        self.versions = versions
        self.dynamo_graph = versions.dynamo_graph
        self.name = versions.name
        self._has_backward = self.dynamo_graph.has_backward

    def compile(self, edits: Edits, forward: Edits, report_progress: ReportProgress) -> SharedStages:
        """Compile the Dynamo graph from the latest stage on that leads to all of its edits, those of its Inductor
        graphs included.

        With edits of the `forward` that change what it returns, no saved tensor may be overwritten by the backward.
        Raises EngineError.
        """
        own = shared_stage_edits(edits, self.name)
        start, module, record = self._prepared(own)
        report_progress(_doing(start, self.name))
        live, dynamo_graph = self.live, self.dynamo_graph
        recorder = recorder_of(live, record, report_progress)
        started = time.perf_counter()
        donates = not forward and not dynamo_graph.keeps_graph
        live.compiled_before, live.taken = self._compiled_before(edits), []
        with self._recompiling(), settings.donating(donates), directed(live, dynamo_graph, edits):
            self._require_repeatable()
            try:
                with listening(recorder):
                    live.compile_dynamo(dynamo_graph, module, start)
            except Exception as error:
                raise build_error_in(error) from error
            finally:
                live.compiled_before = ()
            require_partition(record, live.saved, live.refusals, self._joint)
        _note_time(record, start, time.perf_counter() - started)
        for inductor_graph in record.inductor_graphs:
            inductor_graph.choices = chosen_fusions(self.name, inductor_graph.part, edits)
            inductor_graph.knobs = chosen_knobs(self.name, inductor_graph.part, edits)
            require_choices(inductor_graph, edits, inductor_graph_id(self.name, inductor_graph.part, "loops"))
        dynamo_graph.record = record
        return self.keep(own, forward, edits)

    @contextlib.contextmanager
    def _recompiling(self) -> Iterator[None]:
        """A backward is compiled along with its forward, while edits and choices are active; where the program never
        asked for one, there is none.
        """
        with settings.recompiling(backward=self._has_backward), memoized():
            yield

    def _compiled_before(self, edits: Edits) -> tuple[CompiledBefore, ...]:
        """What was compiled without edits of its own, of parts that these edits leave as they come."""
        found = []
        for shared_stages in self.versions.shared_stages.values():
            for graph in shared_stages.inductor_graphs:
                version = shared_stages.compiled.get((graph.part, ()))
                if version is None or inductor_graph_edits(edits, self.name, graph.part):
                    continue
                if (post_grad := version.sources.get("post_grad")) is not None:
                    found.append(
                        CompiledBefore(
                            graph,
                            version.callable,
                            version.module,
                            version.strides,
                            post_grad,
                            version.record,
                        )
                    )
        return tuple(found)

    def explore(self, edits: Edits, report_progress: ReportProgress) -> tuple[CurvePoint, ...]:
        """What torch's partitioner would do with the edited joint graph at every memory budget; nothing is compiled.
        Raises EngineError. What the Dynamo graph runs then is for the caller to restore.
        """
        start, module, record = self._prepared(shared_stage_edits(edits, self.name))
        report_progress(f"Asking the partitioner about {self.name}")
        live = self.live
        recorder = recorder_of(live, record, report_progress)
        with self._recompiling(), directed(live, self.dynamo_graph, edits):
            live.exploring = True
            try:
                with listening(recorder):
                    live.compile_dynamo(self.dynamo_graph, module, start)
            except Exception as error:
                points = points_in(error)
                if points is None:
                    raise build_error_in(error) from error
                return points
        raise EngineError(f"{self.name} has no backward, so nothing is saved for one.", "Train it.")

    def _prepared(self, own: Edits) -> tuple[str, torch.fx.GraphModule, DynamoGraphRecord]:
        """(where to start, the module to begin with, a record that has what comes before)."""
        start, origin = self.versions.start(own)
        self.enter(origin)
        record = self._begun(start, origin, own)
        if start != "dynamo":
            before = self.dynamo_graph.sources.get("pre_grad", self.dynamo_graph.dynamo_module)
            return start, clone_module(before), record
        module = self._edited_dynamo(own)
        record.bodies = read_bodies(module)
        record.dynamo = dressed(read_graph(module.graph), self.versions.versions[()].record.dynamo)
        return start, module, record

    def _edited_dynamo(self, edits: Edits) -> torch.fx.GraphModule:
        stage = dynamo_graph_id(self.name, "dynamo")
        source, base = self.versions.source(stage, edits)
        module = clone_module(source)
        edit_module(module, base, edits, stage, self.dynamo_graph)
        return module

    @property
    def _joint(self) -> StageId:
        return dynamo_graph_id(self.name, "joint")

    def _require_repeatable(self) -> None:
        if "joint" in self.dynamo_graph.sources:
            require_repeatable(self.dynamo_graph.sources["joint"].graph, self.live.saved, self._joint)

    def _begun(self, start: str, origin: SharedStages, own: Edits) -> DynamoGraphRecord:
        """The record of a compile that begins at a stage: what comes before is as it was."""
        base = origin.record
        edited = {split(stage)[2] for edit in own for stage in stages_of(edit)}
        record = DynamoGraphRecord(self.name, base.dynamo, edited="dynamo" in edited, bodies=base.bodies)
        record.part_of, record.cut_by = base.part_of, base.cut_by
        record.edited_graphs = frozenset(edited - {"dynamo"})
        record.seconds = dict(base.seconds)
        if start != "dynamo":
            record.pre_grad = base.pre_grad
            record.pre_grad_passes = base.pre_grad_passes.copy() if base.pre_grad_passes is not None else None
            record.rewrites = list(base.rewrites)
        if start == "pre_grad" and record.pre_grad_passes is not None:
            record.pre_grad_passes.take_back_edits()
        if start == "joint" and base.joint_passes is not None:
            record.joint_passes = base.joint_passes.copy()
            record.joint_passes.take_back_edits()
        return record

    def eager_rng_variant(self, edits: Edits, report_progress: ReportProgress) -> Callable[..., Any]:
        """The Dynamo graph compiled with edits of graphs so that it draws the random numbers that eager draws; what
        runs stays. Raises EngineError where an edit does not fit, since dropout looks otherwise behind AOTAutograd then.
        """
        edits = tuple(edit for edit in edits if not keeps_graphs(edit))
        report_progress(f"Compiling graph {self.name} with eager's random numbers, to compare results")
        dynamo_graph, live = self.dynamo_graph, self.live
        module = self._edited_dynamo(edits)
        base = self.versions.versions[()].record
        record = DynamoGraphRecord(self.name, base.dynamo, bodies=base.bodies, part_of=base.part_of)
        kept = dynamo_graph.function, dynamo_graph.inductor_graphs, dynamo_graph.sources, dynamo_graph.traced
        recorder = recorder_of(live, record, report_progress)
        with (
            self._recompiling(),
            settings.donating(not dynamo_graph.keeps_graph),
            settings.eager_random(),
            listening(recorder),
            directed(live, dynamo_graph, edits),
        ):
            try:
                live.compile_dynamo(dynamo_graph, module)
                compiled = dynamo_graph.function
            except Exception as error:
                raise build_error_in(error) from error
            finally:
                (
                    dynamo_graph.function,
                    dynamo_graph.inductor_graphs,
                    dynamo_graph.sources,
                    dynamo_graph.traced,
                ) = kept
        assert compiled is not None
        return compiled

    def keep(self, own: Edits, forward: Edits, edits: Edits = ()) -> SharedStages:
        """What the Dynamo graph runs now is shared stages with a version of each Inductor graph."""
        dynamo_graph = self.dynamo_graph
        carry_roles(dynamo_graph.record)
        shared_stages = SharedStages(
            own,
            dynamo_graph.function,
            list(dynamo_graph.inductor_graphs),
            dict(dynamo_graph.sources),
            dynamo_graph.traced,
            dynamo_graph.record,
        )
        for inductor_graph in dynamo_graph.inductor_graphs:
            record = next(
                (
                    row
                    for row in reversed(dynamo_graph.record.inductor_graphs)
                    if row.part == inductor_graph.part
                ),
                None,
            )
            if record is not None and inductor_graph.output is not None:
                part_edits = of_graphs(inductor_graph_edits(edits, self.name, inductor_graph.part))
                stage = inductor_graph_id(self.name, inductor_graph.part, "aot")
                record.aot_edited = any(concerns(stages_of(edit), stage) for edit in part_edits)
                shared_stages.compiled[inductor_graph.part, part_edits] = graph_version(
                    inductor_graph, record
                )
        shared_stages.inductor_graphs = [
            inductor_graph
            for inductor_graph in shared_stages.inductor_graphs
            if any(part == inductor_graph.part for part, _ in shared_stages.compiled)
        ]
        self.versions.shared_stages[own, forward] = shared_stages
        return shared_stages

    def enter(self, shared_stages: SharedStages) -> None:
        """Let the Dynamo graph run other shared stages; which versions its Inductor graphs run is another matter."""
        dynamo_graph = self.dynamo_graph
        dynamo_graph.function, dynamo_graph.inductor_graphs = (
            shared_stages.function,
            list(shared_stages.inductor_graphs),
        )
        dynamo_graph.sources, dynamo_graph.traced = dict(shared_stages.sources), shared_stages.traced


def recorder_of(live: LiveProgram, record: DynamoGraphRecord, report_progress: ReportProgress) -> Recorder:
    """A recorder for a Dynamo graph that is compiled again."""
    recorder = Recorder(report_progress)
    recorder.live = live
    recorder.generated = functools.partial(live.on_generated, recorder)
    recorder.made = functools.partial(live.on_made, recorder)
    recorder.dynamo_graphs.append(record)
    recorder.current_dynamo_graphs.append(record)
    return recorder


def _doing(start: str, name: str) -> str:
    words = {
        "dynamo": "edited graph",
        "pre_grad": "edited graph after its pre-grad passes",
        "joint": "edited joint graph",
    }
    return f"Compiling the {words[start]} of {name}"


def _note_time(record: DynamoGraphRecord, start: str, seconds: float) -> None:
    """What AOTAutograd's tracing took is known only where it was done; what the whole backend took, only of all of it."""
    whole = record.seconds.get("backend", 0.0)
    record.note_backend_time(seconds + (record.seconds.get("pre_grad", 0.0) if start == "pre_grad" else 0.0))
    if start != "dynamo":
        record.seconds["backend"] = whole
    if start == "joint":
        record.seconds.pop("aot", None)
