"""One Dynamo graph of a live capture with every version of it that was compiled.

A version has two parts. The trunk is what both halves come from: Dynamo's, the pre-grad and the joint graph, with their
edits. On it stand the units: the forward, backward or inference graph, each with edits of its own. A change compiles the
trunk from the latest stage on whose source is known, or only the unit that it concerns.
"""

import copy
import dataclasses
import time
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import torch.fx

from compiler.engine.assembling import region_stages
from compiler.engine.capturing import LiveCapture
from compiler.engine.directing import chosen_fusions, directed
from compiler.engine.failures import EngineError
from compiler.engine.fusion_checking import require_choices
from compiler.engine.graph_reading import read_graph
from compiler.engine.input_roles import carry_roles
from compiler.engine.output_aliases import aliases
from compiler.engine.partition_checking import require_partition, require_repeatable
from compiler.engine.recording import Recorder, RegionRecord, UnitRecord
from compiler.engine.stage_editing import edit_module
from compiler.engine.stage_ids import region_id, split, unit_id
from compiler.engine.stages.python_bytecode import code_stage_ids
from compiler.engine.torch_internals import settings
from compiler.engine.torch_internals.backend_graphs import joint_role
from compiler.engine.torch_internals.cloning import clone_module
from compiler.engine.torch_internals.listening import listening
from compiler.engine.torch_internals.live_regions import LiveRegion, LiveUnit
from compiler.engine.unit_building import build_error_in, build_kernels, fresh_record
from compiler.model.edit_order import edits_before, trunk_edits, unit_edits
from compiler.model.edits import Edit, describe_edit, stages_of
from compiler.model.graph import Graph
from compiler.model.ids import StageId
from compiler.model.problems import Problem
from compiler.model.provenance import LinkTable
from compiler.model.stage import Stage

Say = Callable[[str], None]
Edits = tuple[Edit, ...]


@dataclasses.dataclass
class UnitVersion:
    """What one Inductor graph ran after some edits of its own."""

    callable: Callable[..., Any]
    module: Any
    strides: tuple[tuple[int, ...] | None, ...]
    sources: dict[str, torch.fx.GraphModule]
    record: UnitRecord


@dataclasses.dataclass
class Trunk:
    """What a region ran after some edits of Dynamo's, the pre-grad and the joint graph."""

    edits: Edits
    function: Callable[..., Any] | None
    units: list[LiveUnit]
    sources: dict[str, torch.fx.GraphModule]
    traced: Any
    record: RegionRecord
    compiled: dict[tuple[str, Edits], UnitVersion] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class Version:
    """A trunk with one version of each of its units, as it is shown."""

    trunk: Trunk
    record: RegionRecord
    stages: tuple[Stage, ...]
    links: tuple[LinkTable, ...]


class EditedRegion:
    """Brings a region to any edits and back; `edits` are those it runs with."""

    def __init__(self, base: LiveCapture, region: LiveRegion) -> None:
        self.base = base
        self.region = region
        self.name = region.record.compile_id
        self.edits: Edits = ()
        self._trunks: dict[tuple[Edits, Edits], Trunk] = {}
        """By their own edits and, where other results of the forward made it necessary, those of the forward."""
        self._versions: dict[Edits, Version] = {}
        trunk = self._keep_trunk((), ())
        self._assemble(trunk, ())

    # -- asking ------------------------------------------------------------------------------------------------

    @property
    def version(self) -> Version:
        """What runs now."""
        return self._versions[self.edits]

    def source(self, stage: StageId, edits: Edits) -> tuple[torch.fx.GraphModule, Graph]:
        """The live graph of a stage without edits of its own, as the edits before it lead to it, and the same as data.
        Raises EngineError where those were never compiled.
        """
        _, part, what = split(stage)
        if what == "dynamo":
            return self.region.dynamo_module, self._versions[()].record.dynamo
        known = self._known_units(stage, part, edits) if part else self._known_trunks(stage, edits)
        spare: tuple[torch.fx.GraphModule, Graph, Graph | None] | None = None
        for module, own, shown in known:
            if not own and shown is not None:
                return module, shown
            spare = spare or (module, read_graph(module.graph, joint_role), shown)
        if spare is not None:
            module, graph, shown = spare
            return module, _dressed(graph, shown)
        raise self._unknown(stage, part, edits)

    def _known_trunks(
        self, stage: StageId, edits: Edits
    ) -> Iterator[tuple[torch.fx.GraphModule, bool, Graph | None]]:
        """(source, whether the version has edits of the stage itself, the graph it has there)."""
        what, wanted = split(stage)[2], edits_before(edits, stage)
        for trunk in self._trunks.values():
            if what in trunk.sources and edits_before(trunk.edits, stage) == wanted:
                own = any(stage in stages_of(edit) for edit in trunk.edits)
                yield trunk.sources[what], own, getattr(trunk.record, what)

    def _known_units(
        self, stage: StageId, part: str, edits: Edits
    ) -> Iterator[tuple[torch.fx.GraphModule, bool, Graph | None]]:
        what, wanted = split(stage)[2], edits_before(unit_edits(edits, self.name, part), stage)
        for trunk in self._trunks_for(edits):
            for (other, own_edits), version in trunk.compiled.items():
                if other == part and what in version.sources and edits_before(own_edits, stage) == wanted:
                    own = any(stage in stages_of(edit) for edit in own_edits)
                    shown = version.record.aot_graph if what == "aot" else version.record.post_grad
                    yield version.sources[what], own, shown

    def _unknown(self, stage: StageId, part: str, edits: Edits) -> EngineError:
        if split(stage)[2] not in ("pre_grad", "joint", "aot", "post_grad"):
            return EngineError(
                Problem(f"{stage} cannot be edited.", "Edit a graph, the loop IR or a kernel.")
            )
        trunk = next(iter(self._trunks_for(edits)), None)
        if trunk is None or any(unit.part == part for unit in trunk.units):
            what = f"{stage} comes from a graph with edits that are not compiled yet."
            return EngineError(Problem(what, "Recompile first."))
        what = f"There is no {stage} in this program, or an edit of an earlier graph took it away."
        return EngineError(Problem(what, "Undo the edits of that graph."))

    def edited_module(self, stage: StageId, edits: Edits) -> torch.fx.GraphModule:
        """A live copy of a stage's graph with its edits carried out. Raises EngineError."""
        source, base = self.source(stage, edits)
        module = clone_module(source)
        edit_module(module, base, edits, stage, self.region)
        return module

    # -- changing ----------------------------------------------------------------------------------------------

    def restore(self, edits: Edits) -> None:
        """Run a version that was compiled before."""
        version = self._versions[edits]
        self._enter(version.trunk)
        for unit in version.trunk.units:
            self._activate(unit, version.trunk.compiled[unit.part, unit_edits(edits, self.name, unit.part)])
        self.region.record = version.record
        self.edits = edits

    def bring(self, edits: Edits, say: Say) -> None:
        """Let the region run with these edits; what is compiled already is not compiled again. Raises EngineError, and
        then it is for the caller to restore a version.
        """
        if edits in self._versions:
            self.restore(edits)
            return
        trunk = next(iter(self._trunks_for(edits)), None)
        if trunk is None:
            trunk = self._compile_trunk(edits, (), say)
            forward = _of_graphs(unit_edits(edits, self.name, "forward"))
            if forward and not _keeps_aliases(trunk.compiled["forward", forward]):
                trunk = self._compile_trunk(edits, forward, say)
        self._require_parts(trunk, edits)
        self._enter(trunk)
        for unit in trunk.units:
            wanted = unit_edits(edits, self.name, unit.part)
            if not self._bring_unit(trunk, unit, wanted, say):
                forward = _of_graphs(wanted)
                say(f"The forward graph of {self.name} returns other layouts: its backward is compiled too")
                trunk = self._compile_trunk(edits, forward, say)
                self._enter(trunk)
                for other in trunk.units:
                    self._bring_unit(trunk, other, unit_edits(edits, self.name, other.part), say)
                break
        self._assemble(trunk, edits)
        self.edits = edits

    def _trunks_for(self, edits: Edits) -> Iterator[Trunk]:
        own = trunk_edits(edits, self.name)
        forward = _of_graphs(unit_edits(edits, self.name, "forward"))
        keys = ((own, forward), (own, ())) if forward else ((own, ()),)
        yield from (self._trunks[key] for key in keys if key in self._trunks)

    def _require_parts(self, trunk: Trunk, edits: Edits) -> None:
        parts = {unit.part for unit in trunk.units}
        for edit in edits:
            for stage in stages_of(edit):
                part = split(stage)[1]
                if part and part not in parts:
                    what = f"“{describe_edit(edit)}” is for {stage}, which is not there: this graph has no {part} part."
                    raise EngineError(Problem(what, "Undo this edit, or the edits of earlier graphs."))

    def _compile_trunk(self, edits: Edits, forward: Edits, say: Say) -> Trunk:
        """Compile the region from the latest stage on that leads to all of its edits, those of its units included.

        With edits of the `forward` that change what it returns, no saved tensor may be overwritten by the backward.
        """
        own = trunk_edits(edits, self.name)
        start, origin = self._start(own)
        self._enter(origin)
        region = self.region
        record = self._begun(start, origin, own)
        say(f"Compiling the edited graph {self.name}" if start == "dynamo" else _from(start, self.name))
        if start == "dynamo":
            module = self.edited_module(region_id(self.name, "dynamo"), own)
            record.dynamo = _dressed(read_graph(module.graph), self._versions[()].record.dynamo)
        else:
            module = clone_module(region.sources.get("pre_grad", region.dynamo_module))
        live = self.base.live
        started = time.perf_counter()
        recorder = self._recorder(say, record)
        with settings.capturing(), settings.donating(not forward), directed(live, region, edits):
            self._require_repeatable()
            try:
                with listening(recorder):
                    live.compile_dynamo(region, module, start)
            except Exception as error:
                raise build_error_in(error) from error
            require_partition(record, live.saved, live.refusals, self._joint)
        _note_time(record, start, time.perf_counter() - started)
        for unit in record.units:
            unit.choices = chosen_fusions(self.name, unit.part, edits)
            require_choices(unit)
        region.record = record
        return self._keep_trunk(own, forward, edits)

    @property
    def _joint(self) -> StageId:
        return region_id(self.name, "joint")

    def _require_repeatable(self) -> None:
        if "joint" in self.region.sources:
            require_repeatable(self.region.sources["joint"].graph, self.base.live.saved, self._joint)

    def _start(self, own: Edits) -> tuple[str, Trunk]:
        """From which stage on a trunk with these edits can be compiled, and the trunk whose stages before are kept."""
        for what in ("joint", "pre_grad"):
            stage = region_id(self.name, what)
            for trunk in self._trunks.values():
                known = what in trunk.sources and (what != "joint" or trunk.traced is not None)
                if known and edits_before(trunk.edits, stage) == edits_before(own, stage):
                    return what, trunk
        return "dynamo", self._trunks[(), ()]

    def _begun(self, start: str, origin: Trunk, own: Edits) -> RegionRecord:
        """The record of a compile that begins at a stage: what comes before is as it was."""
        base = origin.record
        edited = {split(stage)[2] for edit in own for stage in stages_of(edit)}
        record = RegionRecord(self.name, base.dynamo, edited="dynamo" in edited)
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

    def _bring_unit(self, trunk: Trunk, unit: LiveUnit, wanted: Edits, say: Say) -> bool:
        """Let a unit run with these edits of its own; False where its backward cannot take what it would return."""
        key = unit.part, wanted
        if key in trunk.compiled:
            self._activate(unit, trunk.compiled[key])
            return True
        graphs = _of_graphs(wanted)
        if graphs != wanted:
            if not self._bring_unit(trunk, unit, graphs, say):
                return False
            known = trunk.compiled[unit.part, graphs]
            record = build_kernels(unit, known.record, self.name, wanted, say)
            trunk.compiled[key] = _unit_version(unit, record)
            return True
        return self._compile_unit(trunk, unit, wanted, say)

    def _compile_unit(self, trunk: Trunk, unit: LiveUnit, wanted: Edits, say: Say) -> bool:
        start, origin = self._unit_start(trunk, unit.part, wanted)
        first = next(version for (part, _), version in trunk.compiled.items() if part == unit.part)
        unit.sources = dict(origin.sources)
        stage = unit_id(self.name, unit.part, start)
        module = clone_module(origin.sources[start])
        record = dataclasses.replace(trunk.record, units=[], rewrites=list(trunk.record.rewrites))
        recorder = self._recorder(say, record)
        if start == "post_grad":
            edit_module(module, self.source_of(origin, start), wanted, stage, self.region)
            fresh = fresh_record(origin.record, chosen_fusions(self.name, unit.part, wanted))
            recorder.current_units.append(fresh)
        say(f"Compiling the edited {unit.part} graph of {self.name}")
        live = self.base.live
        with settings.capturing(), listening(recorder), directed(live, self.region, wanted):
            try:
                live.compile_unit(self.region, unit, module, start)
            except Exception as error:
                raise build_error_in(error) from error
        if start == "post_grad":
            fresh.seconds["whole"] = time.perf_counter() - fresh.started
        else:
            fresh = record.units[-1]
            fresh.choices = chosen_fusions(self.name, unit.part, wanted)
            fresh.aot_edited = any(stage in stages_of(edit) for edit in wanted)
        require_choices(fresh)
        carry_roles(dataclasses.replace(trunk.record, units=[fresh]))
        if unit.part == "forward" and len(trunk.units) > 1 and not _fits(first, unit, fresh):
            return False
        trunk.compiled[unit.part, wanted] = _unit_version(unit, fresh)
        return True

    def source_of(self, version: UnitVersion, what: str) -> Graph:
        """A unit's source as data."""
        return read_graph(version.sources[what].graph, joint_role)

    def _unit_start(self, trunk: Trunk, part: str, wanted: Edits) -> tuple[str, UnitVersion]:
        for what in ("post_grad", "aot"):
            stage = unit_id(self.name, part, what)
            for (other, own), version in trunk.compiled.items():
                if (
                    other == part
                    and what in version.sources
                    and edits_before(own, stage) == edits_before(wanted, stage)
                ):
                    return what, version
        what = f"The {part} graph of {self.name} was not kept, so it cannot be compiled again."
        raise EngineError(Problem(what, "Capture again; this torch may lack a hook (see loupe doctor)."))

    def twin(self, edits: Edits, say: Say) -> Callable[..., Any]:
        """The region compiled with edits of graphs so that it draws the random numbers that eager draws; what runs stays.
        Raises EngineError where an edit does not fit, since dropout looks otherwise behind AOTAutograd then.
        """
        say(f"Compiling graph {self.name} with eager's random numbers, to compare results")
        region, live = self.region, self.base.live
        module = self.edited_module(region_id(self.name, "dynamo"), edits)
        record = RegionRecord(self.name, self._versions[()].record.dynamo)
        kept = region.function, region.units, region.sources, region.traced
        recorder = self._recorder(say, record)
        with (
            settings.capturing(),
            settings.eager_random(),
            listening(recorder),
            directed(live, region, edits),
        ):
            live.saved, live.budget = {}, None  # what is kept changes no result
            try:
                live.compile_dynamo(region, module)
                compiled = region.function
            except Exception as error:
                raise build_error_in(error) from error
            finally:
                region.function, region.units, region.sources, region.traced = kept
        assert compiled is not None
        return compiled

    # -- versions ----------------------------------------------------------------------------------------------

    def _keep_trunk(self, own: Edits, forward: Edits, edits: Edits = ()) -> Trunk:
        """What the region runs now is a trunk with a version of each unit."""
        region = self.region
        carry_roles(region.record)
        trunk = Trunk(
            own, region.function, list(region.units), dict(region.sources), region.traced, region.record
        )
        for unit in region.units:
            record = next((row for row in reversed(region.record.units) if row.part == unit.part), None)
            if record is not None and unit.output is not None:
                part_edits = _of_graphs(unit_edits(edits, self.name, unit.part))
                stage = unit_id(self.name, unit.part, "aot")
                record.aot_edited = any(stage in stages_of(edit) for edit in part_edits)
                trunk.compiled[unit.part, part_edits] = UnitVersion(
                    unit.output.current_callable, unit.module, unit.strides, dict(unit.sources), record
                )
        trunk.units = [unit for unit in trunk.units if any(part == unit.part for part, _ in trunk.compiled)]
        self._trunks[own, forward] = trunk
        return trunk

    def _enter(self, trunk: Trunk) -> None:
        region = self.region
        region.function, region.units = trunk.function, list(trunk.units)
        region.sources, region.traced = dict(trunk.sources), trunk.traced

    def _activate(self, unit: LiveUnit, version: UnitVersion) -> None:
        unit.swap(version.callable)
        unit.module, unit.strides, unit.sources = version.module, version.strides, dict(version.sources)

    def _assemble(self, trunk: Trunk, edits: Edits) -> None:
        record = copy.copy(trunk.record)
        chosen = {
            unit.part: trunk.compiled[unit.part, unit_edits(edits, self.name, unit.part)].record
            for unit in trunk.units
        }
        record.units = [chosen.get(row.part, row) for row in trunk.record.units]
        recorder = self.base.recorder
        frames = {frame.id: frame for frame in recorder.frames}
        stages, links = region_stages(record, frames.get(self.name), code_stage_ids(recorder))
        self.region.record = record
        self._versions[edits] = Version(trunk, record, stages, links)

    def _recorder(self, say: Say, record: RegionRecord) -> Recorder:
        recorder = Recorder(say)
        recorder.live = self.base.live
        recorder.regions.append(record)
        recorder.current_regions.append(record)
        return recorder


def _of_graphs(edits: Edits) -> Edits:
    """The edits but those of kernels' sources."""
    return tuple(edit for edit in edits if not all(split(stage)[2] == "kernels" for stage in stages_of(edit)))


def _from(start: str, name: str) -> str:
    words = {"pre_grad": "edited graph after its pre-grad passes", "joint": "edited joint graph"}
    return f"Compiling the {words[start]} of {name}"


def _unit_version(unit: LiveUnit, record: UnitRecord) -> UnitVersion:
    return UnitVersion(unit.output.current_callable, unit.module, unit.strides, dict(unit.sources), record)


def _fits(before: UnitVersion, unit: LiveUnit, fresh: UnitRecord) -> bool:
    """Whether the backward, as compiled, can take what the forward returns now: the same layouts, and nothing it may
    overwrite that is seen elsewhere.
    """
    same = len(before.strides) == len(unit.strides) and all(
        was is None or now is None or was == now
        for was, now in zip(before.strides, unit.strides, strict=True)
    )
    old, new = before.record.post_grad, fresh.post_grad
    return same and (old is None or new is None or aliases(old) == aliases(new))


def _keeps_aliases(version: UnitVersion) -> bool:
    """Whether what a forward returns shares memory as it did before its edits: the backward was compiled for that."""
    final = version.record.post_grad
    return final is None or aliases(read_graph(version.sources["aot"].graph, joint_role)) == aliases(final)


def _note_time(record: RegionRecord, start: str, seconds: float) -> None:
    """What AOTAutograd's tracing took is known only where it was done; what the whole backend took, only of all of it."""
    whole = record.seconds.get("backend", 0.0)
    record.note_backend_time(seconds + (record.seconds.get("pre_grad", 0.0) if start == "pre_grad" else 0.0))
    if start != "dynamo":
        record.seconds["backend"] = whole
    if start == "joint":
        record.seconds.pop("aot", None)


def _dressed(graph: Graph, shown: Graph | None) -> Graph:
    """The graph with roles and lanes as they are shown."""
    known = shown.by_id() if shown is not None else {}
    return Graph(
        tuple(
            msgspec.structs.replace(node, role=known[node.id].role, lane=known[node.id].lane)
            if node.id in known
            else node
            for node in graph.nodes
        )
    )
