"""Compiling one forward, backward or inference graph again by itself."""

import dataclasses
import time
from collections.abc import Callable

from compiler.engine.capture.input_roles import carry_roles
from compiler.engine.errors import EngineError
from compiler.engine.fx.graph_import import read_graph
from compiler.engine.fx.output_aliases import aliases
from compiler.engine.graph_editing.stage_editor import edit_module
from compiler.engine.recompile.build_kernels import build_error_in, build_kernels, fresh_record
from compiler.engine.recompile.check_fusion import require_choices
from compiler.engine.recompile.compile_shared_stages import recorder_of
from compiler.engine.recompile.edit_directives import chosen_fusions, chosen_knobs, directed
from compiler.engine.recompile.version_store import Edits, RegionVersions, Trunk, UnitVersion, of_graphs
from compiler.engine.records.recorder import UnitRecord
from compiler.engine.stage_ids import unit_id
from compiler.engine.torch_internals.aot_autograd.backend_graphs import joint_role
from compiler.engine.torch_internals.inductor_kernels.kernel_knobs import Answered, Trial
from compiler.engine.torch_internals.live.live_graphs import LiveProgram, LiveUnit
from compiler.engine.torch_internals.patch import settings
from compiler.engine.torch_internals.patch.cloning import clone_module
from compiler.engine.torch_internals.registry.listening import listening
from compiler.model.edits.edits import stages_of
from compiler.model.edits.kernel_knobs import KnobState
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import NodeId

Say = Callable[[str], None]


class UnitCompiler:
    """Brings units of one region to edits of their own; what is compiled already is not compiled again."""

    def __init__(self, live: LiveProgram, versions: RegionVersions) -> None:
        self.live = live
        self.versions = versions
        self.region = versions.region
        self.name = versions.name

    def bring(self, trunk: Trunk, unit: LiveUnit, wanted: Edits, say: Say) -> bool:
        """Let a unit run with these edits of its own; False where its backward cannot take what it would return. Raises
        EngineError.
        """
        key = unit.part, wanted
        if key in trunk.compiled:
            self.activate(unit, trunk.compiled[key])
            return True
        graphs = of_graphs(wanted)
        if graphs != wanted:
            if not self.bring(trunk, unit, graphs, say):
                return False
            known = trunk.compiled[unit.part, graphs]
            recorder = recorder_of(self.live, dataclasses.replace(trunk.record, units=[]), say)
            record = build_kernels(unit, known.record, self.name, wanted, recorder)
            trunk.compiled[key] = _unit_version(unit, record)
            return True
        return self._compile(trunk, unit, wanted, say)

    def _compile(self, trunk: Trunk, unit: LiveUnit, wanted: Edits, say: Say) -> bool:
        start, origin = self.versions.unit_start(trunk, unit.part, wanted)
        first = next(version for (part, _), version in trunk.compiled.items() if part == unit.part)
        unit.sources = dict(origin.sources)
        stage = unit_id(self.name, unit.part, start)
        module = clone_module(origin.sources[start])
        record = dataclasses.replace(trunk.record, units=[], rewrites=list(trunk.record.rewrites))
        recorder = recorder_of(self.live, record, say)
        if start == "post_grad":
            edit_module(
                module, read_graph(origin.sources[start].graph, joint_role), wanted, stage, self.region
            )
            fresh = fresh_record(origin.record, chosen_fusions(self.name, unit.part, wanted))
            fresh.knobs = chosen_knobs(self.name, unit.part, wanted)
            recorder.current_units.append(fresh)
        say(f"Compiling the edited {unit.part} graph of {self.name}")
        live = self.live
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
            fresh.knobs = chosen_knobs(self.name, unit.part, wanted)
            fresh.aot_edited = any(stage in stages_of(edit) for edit in wanted)
        require_choices(fresh)
        carry_roles(dataclasses.replace(trunk.record, units=[fresh]))
        if unit.part == "forward" and len(trunk.units) > 1 and not _fits(first, unit, fresh):
            return False
        trunk.compiled[unit.part, wanted] = _unit_version(unit, fresh)
        return True

    def try_knobs(
        self, trunk: Trunk, unit: LiveUnit, wanted: Edits, nodes: tuple[NodeId, ...], say: Say
    ) -> tuple[KnobState, ...]:
        """What each of Inductor's knobs does to the kernels of some nodes, with these edits of the unit: their code is
        generated with each, nothing is built, and what runs stays. Raises EngineError.
        """
        wanted = of_graphs(wanted)
        start, origin = self.versions.unit_start(trunk, unit.part, wanted)
        stage = unit_id(self.name, unit.part, start)
        if start != "post_grad":
            what = f"The edits of the {unit.part} graph are not compiled yet."
            raise EngineError(Problem(what, "Recompile first."))
        module = clone_module(origin.sources[start])
        recorder = recorder_of(self.live, dataclasses.replace(trunk.record, units=[]), say)
        edit_module(module, read_graph(origin.sources[start].graph, joint_role), wanted, stage, self.region)
        recorder.current_units.append(fresh_record(origin.record, ()))
        trial = Trial(nodes)
        live = self.live
        try:
            with (
                settings.capturing(),
                listening(recorder),
                directed(live, self.region, wanted),
                trial.asking(),
            ):
                own = live.knobs(
                    unit.part
                )  # what is turned for these nodes would hide what Inductor does by itself
                live.knobs = lambda part: tuple(row for row in own if row.node not in nodes)
                live.compile_unit(self.region, unit, module, start)
        except Answered:
            return trial.states()
        except Exception as error:
            raise build_error_in(error) from error
        what = f"No C++ kernel runs {', '.join(nodes)}: a library call, or code for another device."
        raise EngineError(Problem(what, "Select a kernel with a source."))

    def activate(self, unit: LiveUnit, version: UnitVersion) -> None:
        """Let a unit run a version that was compiled before."""
        unit.swap(version.callable)
        unit.module, unit.strides, unit.sources = version.module, version.strides, dict(version.sources)


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


def keeps_aliases(version: UnitVersion) -> bool:
    """Whether what a forward returns shares memory as it did before its edits: the backward was compiled for that."""
    final = version.record.post_grad
    return final is None or aliases(read_graph(version.sources["aot"].graph, joint_role)) == aliases(final)
