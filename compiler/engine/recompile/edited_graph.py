"""One Dynamo graph of a live capture, brought to any edits and back.

A version has two parts. The trunk is what both halves come from: Dynamo's, the pre-grad and the joint graph, with their
edits. On it stand the units: the forward, backward or inference graph, each with edits of its own. A change compiles the
trunk from the latest stage on whose source is known, or only the unit that it concerns.
"""

import copy
from collections.abc import Callable
from typing import Any

import torch.fx

from compiler.engine.capture.assemble import region_stages
from compiler.engine.capture.capture import LiveCapture
from compiler.engine.capture.partial_results import copied
from compiler.engine.errors import EngineError
from compiler.engine.recompile.compile_inductor_graph import UnitCompiler, keeps_aliases
from compiler.engine.recompile.compile_shared_stages import TrunkCompiler
from compiler.engine.recompile.version_store import Edits, RegionVersions, Trunk, Version, of_graphs
from compiler.engine.records.recorder import Recorder, RegionRecord
from compiler.engine.stage_ids import split
from compiler.engine.stages.python_bytecode import code_stages_of
from compiler.engine.torch_internals.live.live_graphs import LiveRegion
from compiler.model.edits.edits import describe_edit, stages_of
from compiler.model.edits.kernel_knobs import KnobState
from compiler.model.edits.stage_order import unit_edits
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.ir.links import LinkTable
from compiler.model.ir.memory_budget_curve import CurvePoint
from compiler.model.ir.stage import Stage

Say = Callable[[str], None]


class EditedRegion:
    """Brings a region to any edits and back; `edits` are those it runs with."""

    def __init__(self, base: LiveCapture, region: LiveRegion) -> None:
        self.base = base
        self.region = region
        self.name = region.record.compile_id
        self.edits: Edits = ()
        self.versions = RegionVersions(region)
        self._trunks = TrunkCompiler(base, self.versions)
        self._units = UnitCompiler(base.live, self.versions)
        self._assemble(self._trunks.keep((), ()), ())

    @property
    def version(self) -> Version:
        """What runs now."""
        return self.versions.versions[self.edits]

    def source(self, stage: StageId, edits: Edits) -> tuple[torch.fx.GraphModule, Graph]:
        """The live graph of a stage without edits of its own, as the edits before it lead to it, and the same as data.
        Raises EngineError where those were never compiled.
        """
        return self.versions.source(stage, edits)

    def explore(self, edits: Edits, say: Say) -> tuple[CurvePoint, ...]:
        """The partitions that torch would choose at every memory budget; what runs stays. Raises EngineError."""
        try:
            return self._trunks.explore(edits, say)
        finally:
            self.restore(self.edits)

    def twin(self, edits: Edits, say: Say) -> Callable[..., Any]:
        """The region compiled with edits so that it draws eager's random numbers; what runs stays. Raises EngineError."""
        return self._trunks.twin(edits, say)

    def try_knobs(
        self, part: str, nodes: tuple[NodeId, ...], edits: Edits, say: Say
    ) -> tuple[KnobState, ...]:
        """What Inductor's knobs do to the kernels of some nodes; what runs stays. Raises EngineError."""
        trunk = next(iter(self.versions.trunks_for(edits)), None)
        unit = next((unit for unit in trunk.units if unit.part == part), None) if trunk is not None else None
        if trunk is None or unit is None:
            what = f"The {part} graph of {self.name} comes from edits that are not compiled yet."
            raise EngineError(Problem(what, "Recompile first."))
        try:
            return self._units.try_knobs(trunk, unit, unit_edits(edits, self.name, part), nodes, say)
        finally:
            self.restore(self.edits)

    def restore(self, edits: Edits) -> None:
        """Run a version that was compiled before."""
        version = self.versions.versions[edits]
        self._trunks.enter(version.trunk)
        for unit in version.trunk.units:
            self._units.activate(
                unit, version.trunk.compiled[unit.part, unit_edits(edits, self.name, unit.part)]
            )
        self.region.record = version.record
        self.edits = edits

    def bring(self, edits: Edits, say: Say) -> None:
        """Let the region run with these edits; what is compiled already is not compiled again. Raises EngineError, and
        then it is for the caller to restore a version.
        """
        if edits in self.versions.versions:
            self.restore(edits)
            return
        trunk = next(iter(self.versions.trunks_for(edits)), None)
        if trunk is None:
            trunk = self._trunks.compile(edits, (), say)
            forward = of_graphs(unit_edits(edits, self.name, "forward"))
            if forward and not keeps_aliases(trunk.compiled["forward", forward]):
                trunk = self._trunks.compile(edits, forward, say)
        self._require_parts(trunk, edits)
        self._trunks.enter(trunk)
        for unit in trunk.units:
            wanted = unit_edits(edits, self.name, unit.part)
            if not self._units.bring(trunk, unit, wanted, say):
                forward = of_graphs(wanted)
                say(f"The forward graph of {self.name} returns other layouts: its backward is compiled too")
                trunk = self._trunks.compile(edits, forward, say)
                self._trunks.enter(trunk)
                for other in trunk.units:
                    self._units.bring(trunk, other, unit_edits(edits, self.name, other.part), say)
                break
        self._assemble(trunk, edits)
        self.edits = edits

    def _require_parts(self, trunk: Trunk, edits: Edits) -> None:
        parts = {unit.part for unit in trunk.units}
        for edit in edits:
            for stage in stages_of(edit):
                part = split(stage)[1]
                if part and part not in parts:
                    what = f"“{describe_edit(edit)}” is for {stage}, which is not there: this graph has no {part} part."
                    raise EngineError(Problem(what, "Undo this edit, or the edits of earlier graphs."))

    def _assemble(self, trunk: Trunk, edits: Edits) -> None:
        record = copy.copy(trunk.record)
        chosen = {
            unit.part: trunk.compiled[unit.part, unit_edits(edits, self.name, unit.part)].record
            for unit in trunk.units
        }
        record.units = [chosen.get(row.part, row) for row in trunk.record.units]
        stages, links = self.read(record)
        self.region.record = record
        self.versions.versions[edits] = Version(trunk, record, stages, links)

    def read(self, record: RegionRecord) -> tuple[tuple[Stage, ...], tuple[LinkTable, ...]]:
        """The stages of a record of this region."""
        recorder = self.base.recorder
        frames = {frame.id: frame for frame in recorder.frames}
        return region_stages(record, frames.get(self.name), code_stages_of(recorder))

    def early_record(self, recorder: Recorder) -> RegionRecord:
        """What is being compiled of this region, as far as it is generated; where a unit is compiled by itself, the others
        are as they run.
        """
        fresh = {unit.part: unit for unit in (*recorder.regions[-1].units, *recorder.current_units)}
        alone = self.base.live.start in ("", "aot", "post_grad")
        known = {unit.part: unit for unit in self.region.record.units} if alone else {}
        return copied(recorder.regions[-1], (known | fresh).values())
