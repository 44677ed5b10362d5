"""Applying edits to a live capture and compiling again from the earliest edited stage on, no further back."""

import contextlib
import copy
import dataclasses
import time
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import torch.fx

from compiler.engine.assembling import region_stages
from compiler.engine.capturing import LiveCapture
from compiler.engine.failures import EngineError, problem_from
from compiler.engine.fusion_checking import require_choices
from compiler.engine.graph_reading import read_graph
from compiler.engine.graph_syncing import sync
from compiler.engine.kernel_texts import build_error, with_kernel_source
from compiler.engine.pass_assembling import passes_of
from compiler.engine.random_ops import is_random
from compiler.engine.recording import Recorder, RegionRecord
from compiler.engine.shape_checking import problems_of, propagate, with_types
from compiler.engine.stage_ids import graph_stage, region_id, split, unit_id
from compiler.engine.stages.python_bytecode import code_stage_ids
from compiler.engine.torch_internals import settings
from compiler.engine.torch_internals.cloning import clone_module
from compiler.engine.torch_internals.listening import listening
from compiler.engine.torch_internals.live_regions import LiveRegion, LiveUnit, fake_mode_of
from compiler.engine.torch_internals.wrapper_modules import load_wrapper
from compiler.model.capture import Capture
from compiler.model.edits import Edit, EditError, apply_edits, fusion_choices, kernel_sources, stages_of
from compiler.model.graph import Graph
from compiler.model.ids import CaptureId, StageId
from compiler.model.problems import Problem
from compiler.model.provenance import LinkTable
from compiler.model.stage import Stage


@dataclasses.dataclass
class _Version:
    """What a region ran after some edits; going back to it compiles nothing."""

    function: Callable[..., Any] | None
    units: list[LiveUnit]
    callables: list[Callable[..., Any]]
    modules: list[Any]
    strides: list[tuple[tuple[int, ...] | None, ...]]
    record: RegionRecord
    stages: tuple[Stage, ...]
    links: tuple[LinkTable, ...]


class EditedProgram:
    """A live capture whose graphs are edited. The running program always matches `edits`, the last that compiled."""

    def __init__(self, base: LiveCapture) -> None:
        self.base = base
        self.edits: tuple[Edit, ...] = ()
        self._versions: dict[tuple[str, tuple[Edit, ...]], _Version] = {}
        self._current: dict[str, tuple[Edit, ...]] = {}
        self._twins: dict[tuple[str, tuple[Edit, ...]], Callable[..., Any]] = {}
        for region in base.live.regions:
            self._remember(region, (), *self._stages_of(region))

    # -- asking ------------------------------------------------------------------------------------------------

    def region(self, stage: StageId) -> LiveRegion:
        """The live region of a stage. Raises EngineError."""
        compile_id = split(stage)[0]
        for region in self.base.live.regions:
            if region.record.compile_id == compile_id:
                return region
        raise EngineError(Problem(f"There is no compiled graph {compile_id} to edit.", "Capture again."))

    def base_graph(self, stage: StageId, edits: tuple[Edit, ...]) -> Graph:
        """The graph that edits of a stage start from: Dynamo's as captured, or the post-grad graph that the edits of
        the Dynamo graph lead to. Raises EngineError.
        """
        return self._source(stage, edits)[1]

    def _source(self, stage: StageId, edits: tuple[Edit, ...]) -> tuple[torch.fx.GraphModule, Graph]:
        region = self.region(stage)
        name, part, what = split(stage)
        if what == "dynamo":
            return region.dynamo_module, self._versions[name, ()].record.dynamo
        if what != "post_grad":
            raise EngineError(
                Problem(f"{stage} cannot be edited.", "Edit a Dynamo graph or a post-grad graph.")
            )
        version = self._versions.get((name, self._graph_edits(name, edits)))
        if version is None:
            raise EngineError(
                Problem(
                    f"{stage} comes from a Dynamo graph with edits that are not compiled yet.",
                    "Recompile first.",
                )
            )
        for unit, record in zip(version.units, version.record.units, strict=True):
            if unit.part == part and unit.post_grad is not None and record.post_grad is not None:
                return unit.post_grad, record.post_grad
        raise EngineError(
            Problem(f"There is no {part} graph in {name} any more.", "Undo the edits of that graph.")
        )

    def edited_module(self, stage: StageId, edits: tuple[Edit, ...]) -> tuple[torch.fx.GraphModule, Graph]:
        """A live copy of a stage's graph with its edits applied, and the same as data. Raises EngineError."""
        source, base = self._source(stage, edits)
        module = clone_module(source)
        try:
            edited = apply_edits(base, edits, stage)
        except EditError as error:
            raise EngineError(
                Problem(f"{error} An edit of an earlier graph may have changed this one.", "Undo the edit.")
            ) from error
        sync(module, base, edited, stage)
        return module, edited

    def preview(
        self, edits: tuple[Edit, ...]
    ) -> tuple[tuple[tuple[StageId, Graph], ...], tuple[Problem, ...]]:
        """Edited graphs with fresh result types, and what is wrong with them."""
        graphs: list[tuple[StageId, Graph]] = []
        problems: list[Problem] = []
        named = (stage for edit in edits for stage in stages_of(edit))
        for stage in dict.fromkeys(stage for stage in named if graph_stage(stage) == stage):
            module, edited = self.edited_module(stage, edits)
            region = self.region(stage)
            _, part, what = split(stage)
            inputs = region.placeholders if what == "dynamo" else self._unit(region, part).inputs
            gradients = region.gradients and what == "dynamo"
            types, failure = propagate(module, list(inputs), fake_mode_of(list(inputs)), gradients)
            typed = with_types(edited, types)
            graphs.append((stage, typed))
            problems += problems_of(stage, self.base_graph(stage, edits), typed, failure)
        return tuple(graphs), tuple(problems)

    # -- changing ----------------------------------------------------------------------------------------------

    def recompile(
        self, edits: tuple[Edit, ...], capture_id: CaptureId, say: Callable[[str], None]
    ) -> Capture:
        """Compile what the edits change, swap it in, and give the pipeline as it is now. Raises EngineError.

        Either every region runs its new version, or all run what they ran before.
        """
        started = time.perf_counter()
        before = dict(self._current)
        wanted = {
            region.record.compile_id: self._edits_of(region, edits) for region in self.base.live.regions
        }
        for edit in edits:
            for stage in stages_of(edit):
                self.region(stage)
        try:
            for region in self.base.live.regions:
                self._bring(region, wanted[region.record.compile_id], say)
        except BaseException:
            for region in self.base.live.regions:
                self._restore(region, before[region.record.compile_id])
            raise
        self.edits = edits
        return self._capture(capture_id, time.perf_counter() - started)

    def _bring(self, region: LiveRegion, edits: tuple[Edit, ...], say: Callable[[str], None]) -> None:
        name = region.record.compile_id
        if self._current[name] == edits:
            return
        if (name, edits) in self._versions:
            self._restore(region, edits)
            return
        kernel_edits = tuple(edit for edit in edits if all(split(s)[2] == "kernels" for s in stages_of(edit)))
        if kernel_edits:
            self._bring(region, tuple(edit for edit in edits if edit not in kernel_edits), say)
            self._build_kernels(region, kernel_edits, edits, say)
            return
        graph_edits = self._graph_edits(name, edits)
        if (name, graph_edits) in self._versions:
            self._restore(region, graph_edits)
        else:
            self._compile_dynamo(region, graph_edits, say)
        later = tuple(edit for edit in edits if edit not in graph_edits)
        if later:
            self._compile_post_grad(region, later, edits, say)

    def _compile_dynamo(
        self, region: LiveRegion, edits: tuple[Edit, ...], say: Callable[[str], None]
    ) -> None:
        stage = region_id(region.record.compile_id, "dynamo")
        self._restore(region, ())
        module, _ = self.edited_module(stage, edits)
        record = RegionRecord(region.record.compile_id, read_graph(module.graph), edited=True)
        record.dynamo = _with_roles(record.dynamo, region.record.dynamo)
        record.seconds = dict(region.record.seconds)
        recorder = self._recorder(say, record)
        say(f"Compiling the edited graph {record.compile_id}")
        started = time.perf_counter()
        with settings.capturing(), listening(recorder):
            try:
                self.base.live.compile_dynamo(region, module)
            except Exception as error:
                raise _failed(error) from error
        record.note_backend_time(time.perf_counter() - started)
        region.record = record
        self._remember(region, edits, *self._stages_of(region))

    def _compile_post_grad(
        self,
        region: LiveRegion,
        later: tuple[Edit, ...],
        edits: tuple[Edit, ...],
        say: Callable[[str], None],
    ) -> None:
        name = region.record.compile_id
        record = copy.copy(region.record)
        record.units = list(record.units)
        for stage in dict.fromkeys(graph_stage(stage) for edit in later for stage in stages_of(edit)):
            part = split(stage)[1]
            unit = self._unit(region, part)
            choices = fusion_choices(later, unit_id(name, part, "loops"))
            module, _ = self.edited_module(stage, edits)
            recorder = self._recorder(say, record)
            index = next(number for number, row in enumerate(record.units) if row.part == part)
            passes = record.units[index].passes
            fresh = dataclasses.replace(
                record.units[index],
                started=time.perf_counter(),
                edited=True,
                before_fusion=None,
                after_fusion=None,
                choices=choices,
                not_fused=[],
                fusions=[],
                passes=passes.copy() if passes is not None else None,
                kernels=[],
                call_lines=[],
                written={},
                read_kernels=None,
                seconds={},
            )
            recorder.current_units.append(fresh)
            say(f"Compiling the edited {part} graph of {name}")
            with settings.capturing(), listening(recorder):
                try:
                    self.base.live.compile_post_grad(region, unit, module, choices)
                except Exception as error:
                    raise _failed(error) from error
            require_choices(fresh)
            fresh.seconds["whole"] = time.perf_counter() - fresh.started
            record.units[index] = fresh
        region.record = record
        self._remember(region, edits, *self._stages_of(region))

    def _build_kernels(
        self,
        region: LiveRegion,
        kernel_edits: tuple[Edit, ...],
        edits: tuple[Edit, ...],
        say: Callable[[str], None],
    ) -> None:
        """Put other sources into the wrappers that run now, and load these."""
        name = region.record.compile_id
        record = copy.copy(region.record)
        record.units = list(record.units)
        for stage in dict.fromkeys(stage for edit in kernel_edits for stage in stages_of(edit)):
            part = split(stage)[1]
            unit = self._unit(region, part)
            index = next(number for number, row in enumerate(record.units) if row.part == part)
            sources = kernel_sources(kernel_edits, stage)
            text = record.units[index].wrapper_text
            for kernel, source in sources.items():
                text = with_kernel_source(text, kernel, source)
            say(f"Building {', '.join(sources)} of {name}")
            started = time.perf_counter()
            try:
                unit.module = load_wrapper(text, unit.module)
            except Exception as error:
                raise build_error(error, stage, sources) from error
            unit.swap(unit.module.call)
            record.units[index] = dataclasses.replace(
                record.units[index],
                wrapper_text=text,
                wrapper_path=str(unit.module.__file__),
                edited=True,
                read_kernels=None,
                seconds={"whole": time.perf_counter() - started},
            )
        region.record = record
        self._remember(region, edits, *self._stages_of(region))

    # -- running a version -------------------------------------------------------------------------------------

    def random_regions(self) -> tuple[str, ...]:
        """Compile ids of graphs that draw random numbers."""
        return tuple(
            region.record.compile_id
            for region in self.base.live.regions
            if any(is_random(node) for node in region.dynamo_module.graph.nodes)
        )

    def edits_reach_random_numbers(self, edits: tuple[Edit, ...]) -> bool:
        """Whether an edited post-grad graph draws random numbers, which no reference can repeat."""
        stages = {graph_stage(stage) for edit in edits for stage in stages_of(edit)}
        names = {split(stage)[0] for stage in stages if split(stage)[2] == "post_grad"}
        return any(
            is_random(node)
            for region in self.base.live.regions
            if region.record.compile_id in names
            for unit in region.units
            if unit.post_grad is not None
            for node in unit.post_grad.graph.nodes
        )

    @contextlib.contextmanager
    def switching(self) -> Iterator[Callable[[tuple[Edit, ...]], None]]:
        """A function that lets the program run with other edits, all compiled before; what ran is put back at the end."""
        before = dict(self._current)

        def switch(edits: tuple[Edit, ...]) -> None:
            for region in self.base.live.regions:
                self._restore(region, self._edits_of(region, edits))

        try:
            yield switch
        finally:
            for region in self.base.live.regions:
                self._restore(region, before[region.record.compile_id])

    @contextlib.contextmanager
    def running(
        self, edits: tuple[Edit, ...], eager_random: tuple[str, ...], say: Callable[[str], None]
    ) -> Iterator[None]:
        """While this is entered, the program runs with these edits, and the graphs named draw random numbers as eager
        does. Those are compiled for it, unless their edits reach into the post-grad graph.
        """
        with self.switching() as switch, contextlib.ExitStack() as stack:
            switch(edits)
            for region in self.base.live.regions:
                own = self._edits_of(region, edits)
                dynamo = region_id(region.record.compile_id, "dynamo")
                if region.record.compile_id in eager_random and all(
                    dynamo in stages_of(edit) for edit in own
                ):
                    twin = self._eager_random_twin(region, own, say)
                    stack.callback(setattr, region, "function", region.function)
                    region.function = twin
            yield

    def _eager_random_twin(
        self, region: LiveRegion, edits: tuple[Edit, ...], say: Callable[[str], None]
    ) -> Callable[..., Any]:
        key = (region.record.compile_id, edits)
        if key not in self._twins:
            say(f"Compiling graph {key[0]} with eager's random numbers, to compare results")
            module, _ = self.edited_module(region_id(key[0], "dynamo"), edits)
            with settings.capturing(), settings.eager_random():
                self._twins[key] = self.base.live.compile_aside(region, module)
        return self._twins[key]

    def _graph_edits(self, name: str, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
        """Those of the edits that change the Dynamo graph of that compile id."""
        return tuple(edit for edit in edits if region_id(name, "dynamo") in stages_of(edit))

    def _edits_of(self, region: LiveRegion, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
        name = region.record.compile_id
        return tuple(edit for edit in edits if any(split(stage)[0] == name for stage in stages_of(edit)))

    # -- versions ----------------------------------------------------------------------------------------------

    def _remember(
        self,
        region: LiveRegion,
        edits: tuple[Edit, ...],
        stages: tuple[Stage, ...],
        links: tuple[LinkTable, ...],
    ) -> None:
        name = region.record.compile_id
        callables = [unit.output.current_callable for unit in region.units if unit.output is not None]
        modules = [unit.module for unit in region.units]
        strides = [unit.strides for unit in region.units]
        self._versions[name, edits] = _Version(
            region.function, list(region.units), callables, modules, strides, region.record, stages, links
        )
        self._current[name] = edits

    def _restore(self, region: LiveRegion, edits: tuple[Edit, ...]) -> None:
        version = self._versions[region.record.compile_id, edits]
        region.function, region.units, region.record = version.function, list(version.units), version.record
        live = [unit for unit in version.units if unit.output is not None]
        for unit, callable_ in zip(live, version.callables, strict=True):
            unit.swap(callable_)
        for unit, module, strides in zip(version.units, version.modules, version.strides, strict=True):
            unit.module, unit.strides = module, strides
        self._current[region.record.compile_id] = edits

    def _recorder(self, say: Callable[[str], None], record: RegionRecord) -> Recorder:
        recorder = Recorder(say)
        recorder.live = self.base.live
        recorder.regions.append(record)
        recorder.current_regions.append(record)
        return recorder

    def _unit(self, region: LiveRegion, part: str) -> LiveUnit:
        for unit in region.units:
            if unit.part == part:
                return unit
        raise EngineError(Problem(f"This graph has no {part} part.", "Capture again."))

    def _stages_of(self, region: LiveRegion) -> tuple[tuple[Stage, ...], tuple[LinkTable, ...]]:
        recorder = self.base.recorder
        frames = {frame.id: frame for frame in recorder.frames}
        return region_stages(region.record, frames.get(region.record.compile_id), code_stage_ids(recorder))

    def _capture(self, capture_id: CaptureId, seconds: float) -> Capture:
        """The base capture with the stages of every region as they are now."""
        fresh: dict[str, _Version] = {
            name: self._versions[name, edits] for name, edits in self._current.items() if edits
        }
        stages: list[Stage] = []
        placed: set[str] = set()
        for stage in self.base.capture.stages:
            name = split(stage.id)[0]
            if name not in fresh or stage.id.endswith(":rewritten"):
                stages.append(stage)
            elif name not in placed:
                placed.add(name)
                stages += fresh[name].stages
        links = [
            row
            for row in self.base.capture.links
            if split(row.target)[0] not in fresh or row.target.endswith(":rewritten")
        ]
        links += [row for version in fresh.values() for row in version.links]
        passes = passes_of(region.record for region in self.base.live.regions)
        return msgspec.structs.replace(
            self.base.capture,
            id=capture_id,
            stages=tuple(stages),
            links=tuple(links),
            parent=self.base.capture.id,
            seconds=seconds,
            problems=(),
            passes=tuple(passes.runs),
            pass_starts=tuple(passes.starts),
            fusions=tuple(passes.fusions),
        )


def _with_roles(edited: Graph, base: Graph) -> Graph:
    roles = {node.id: node.role for node in base.nodes}
    return Graph(
        tuple(msgspec.structs.replace(node, role=roles.get(node.id, node.role)) for node in edited.nodes)
    )


def _failed(error: Exception) -> EngineError:
    problem = problem_from(
        error,
        "The edited graph does not compile",
        "Undo the edit or change it; the version before it still runs.",
    )
    return EngineError(problem)
