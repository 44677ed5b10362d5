"""What is tried to make a step faster, each on a copy of the generated code: the program that runs stays as it is."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec
import torch

from compiler.engine.capture.capture import LiveCapture, make_capture
from compiler.engine.causes.compile_again import CompiledAgain, compiled_again
from compiler.engine.causes.graph_levels import COMPILED, DYNAMO, GraphPart, has_symbols, install, parts_of
from compiler.engine.errors import EngineError, problem_from
from compiler.engine.experiments.shared_values import share_values
from compiler.engine.measuring.interleaved_timing import Around
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.records.recorder import InductorGraphRecord
from compiler.engine.records.wrapper_kernels import read_kernels
from compiler.engine.stage_ids import dynamo_graph_id, inductor_graph_id
from compiler.engine.torch_internals.inductor.bisect_switches import changed_settings, is_setting, setting
from compiler.engine.user_program.device_placement import device_of
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.edits.edits import Edit
from compiler.model.experiments.slowness import SettingValue, SpeedTrial
from compiler.model.ir.ids import place
from compiler.model.ir.loop_ir import FusionChoice, Kernel
from compiler.model.protocol.progress import prefixed
from compiler.model.timing.timings import TimingReport

ReportProgress = Callable[[str], None]

_CPU: tuple[tuple[str, SettingValue, str], ...] = (
    ("cpp.threads", 1, "kernels on one thread"),
    ("cpp.simdlen", 1, "kernels without vector instructions"),
    ("cpp.enable_tiling_heuristics", False, "tiling without heuristics"),
    ("cpp.enable_loop_tail_vec", False, "ends of loops without vector instructions"),
    ("cpp.dynamic_threads", True, "the number of threads left to OpenMP"),
    ("epilogue_fusion", False, "nothing fused behind library calls"),
    ("inplace_buffers", False, "no buffer written in place"),
    ("layout_optimization", False, "layouts as the program has them"),
    ("comprehensive_padding", False, "no padded strides"),
)
_GPU: tuple[tuple[str, SettingValue, str], ...] = (
    ("max_autotune_pointwise", True, "pointwise kernels autotuned"),
    ("coordinate_descent_tuning", True, "kernels tuned by coordinate descent"),
    ("triton.persistent_reductions", False, "no persistent reductions"),
    ("split_reductions", False, "no split reductions"),
    ("epilogue_fusion", False, "nothing fused behind library calls"),
    ("layout_optimization", False, "layouts as the program has them"),
    ("comprehensive_padding", False, "no padded strides"),
)
OP_BY_OP = "op by op"
"""The kind of the trial in which a graph is compiled no more."""
_FUSED_KERNELS = 3
"""So many of the costliest are tried with nothing fused."""
_MODE = "max-autotune-no-cudagraphs"


class Variant(NamedTuple):
    """Something to time."""

    trial: SpeedTrial
    around: Around
    """Entered around each step."""
    live: LiveCapture | None = None
    """Another capture, where it is not the program itself with something exchanged."""
    recompiled: bool = False
    """Whether halves were compiled again for it: then it is compared with such halves."""


class Variants:
    """Makes them, one after the other; what cannot be made says why."""

    def __init__(
        self,
        program: EditedProgram,
        edits: tuple[Edit, ...],
        report: TimingReport | None,
        report_progress: ReportProgress,
    ) -> None:
        self._program, self._edits, self._report = program, edits, report
        self._report_progress = report_progress
        self._parts = [part for part in parts_of(program, COMPILED) if self._record(part) is not None]
        self._plain: dict[int, CompiledAgain] = {}

    def control(self) -> Variant:
        """The same code compiled again, with nothing changed: what the others are compared with."""
        for index, part in enumerate(self._parts):
            self._plain[index] = self._again(part)
        calls = {index: again.call for index, again in self._plain.items()}
        trial = SpeedTrial("compiled again, nothing changed", "")
        return Variant(trial, lambda: self._exchanged(calls), recompiled=True)

    def all(self) -> Iterator[Variant]:
        """Everything that is tried."""
        yield from self._op_by_op()
        yield self._unguarded()
        given = {name: value for part in self._parts for name, value in part.graph.settings.items()}
        changed = {name: (value, default) for name, value, default in changed_settings(given)}
        for name, (value, default) in changed.items():
            what = f"{name} as torch has it at first ({default!r}, not {value!r})"
            yield from self.with_setting(name, default, what)
        for name, value, words in _GPU if self._on_gpu else _CPU:
            if name not in changed and is_setting(name) and given.get(name, setting(name)) != value:
                yield from self.with_setting(name, value, f"{words} ({name} = {value})")
        yield from self._unfused()
        yield from self._captured_otherwise()

    def with_setting(
        self, name: str, value: SettingValue, what: str, only: GraphPart | None = None
    ) -> Iterator[Variant]:
        """All halves, or one, compiled with a setting; nothing where their code is the same with it."""
        trial = SpeedTrial(what, "setting", setting=(name, value) if only is None else None)
        if only is not None:
            trial = _at(msgspec.structs.replace(trial, what=f"{what}, in {only.name} alone"), only)
        calls = {}
        try:
            for index, part in enumerate(self._parts):
                if only is None or part is only:
                    self._report_progress(
                        f"Looking for what is slow: compiling {part.name} with {name} = {value}"
                    )
                    again = self._again(part, options={name: value})
                    if again.record.wrapper_text != self._plain[index].record.wrapper_text:
                        calls[index] = again.call
        except Exception as error:  # noqa: BLE001  what torch says of a setting is part of the answer
            yield _failed(trial, error)
            return
        if calls:
            yield Variant(trial, lambda: self._exchanged(calls), recompiled=True)

    @property
    def parts(self) -> list[GraphPart]:
        """The halves that can be compiled again."""
        return self._parts

    @property
    def _on_gpu(self) -> bool:
        return device_of(self._program.base.program).type == "cuda"

    def _op_by_op(self) -> Iterator[Variant]:
        for part in parts_of(self._program, DYNAMO):
            trial = SpeedTrial(f"the graph {part.compile_id} op by op, not compiled", OP_BY_OP)
            trial = msgspec.structs.replace(
                trial, graph=part.compile_id, stage=dynamo_graph_id(part.compile_id, DYNAMO)
            )
            module, _ = self._program.edited_module(dynamo_graph_id(part.compile_id, DYNAMO), self._edits)
            yield Variant(trial, _installing(part, module))

    def _unguarded(self) -> Variant:
        trial = SpeedTrial("without checking guards (unsafe: to see what they cost)", "guards")
        return Variant(trial, lambda: torch.compiler.set_stance(skip_guard_eval_unsafe=True))

    def _unfused(self) -> Iterator[Variant]:
        """The costliest kernels that have several nodes, each with nothing fused."""
        rows = []
        for index, part in enumerate(self._parts):
            record = self._record(part)
            assert record is not None
            stage = inductor_graph_id(part.compile_id, part.part, "kernels")
            rows += [
                (self._nanoseconds(stage, kernel), index, kernel)
                for kernel in read_kernels(record)
                if len(_loops(record, kernel)) > 1
            ]
        rows.sort(key=lambda row: -row[0])
        for _, index, kernel in rows[:_FUSED_KERNELS]:
            yield from self._isolated(index, kernel)

    def _isolated(self, index: int, kernel: Kernel) -> Iterator[Variant]:
        part = self._parts[index]
        record = self._record(part)
        assert record is not None
        loops = _loops(record, kernel)
        choices = tuple(
            FusionChoice(first, second, False) for at, first in enumerate(loops) for second in loops[at + 1 :]
        )
        fused = inductor_graph_id(part.compile_id, part.part, "fused")
        trial = _at(SpeedTrial(f"{kernel.name} with nothing fused", "fusion", stage=fused, nodes=loops), part)
        self._report_progress(f"Looking for what is slow: compiling {part.name}, {trial.what}")
        try:
            call = self._again(part, choices).call
        except Exception as error:  # noqa: BLE001  Inductor may refuse
            yield _failed(trial, error)
            return
        yield Variant(trial, lambda: self._exchanged({index: call}), recompiled=True)

    def _captured_otherwise(self) -> Iterator[Variant]:
        """The whole program compiled with another mode, or for its sizes alone."""
        spec = self._program.base.capture.spec
        if self._edits or spec.compile.backend != "inductor":
            return
        if spec.compile.mode is None and not spec.compile.options:
            yield self._captured(
                msgspec.structs.replace(spec.compile, mode=_MODE), SpeedTrial(f'mode="{_MODE}"', "mode")
            )
        if spec.compile.dynamic is not False and has_symbols(self._program):
            trial = SpeedTrial("compiled for these sizes alone (dynamic=False)", "shapes")
            yield self._captured(msgspec.structs.replace(spec.compile, dynamic=False), trial)

    def _captured(self, wanted: Any, trial: SpeedTrial) -> Variant:
        spec: CaptureSpec = msgspec.structs.replace(self._program.base.capture.spec, compile=wanted)
        try:
            live = make_capture(
                spec, "other", lambda text: self._report_progress(prefixed(trial.what, text)), alone=False
            )
        except EngineError as error:
            return Variant(msgspec.structs.replace(trial, problem=error.problem.what), contextlib.nullcontext)
        share_values(self._program.base.program, live.program)
        return Variant(trial, contextlib.nullcontext, live)

    def _again(
        self,
        part: GraphPart,
        choices: tuple[FusionChoice, ...] = (),
        options: Mapping[str, object] | None = None,
    ) -> CompiledAgain:
        record = self._record(part)
        assert record is not None
        return compiled_again(
            self._program, self._edits, part, record, contextlib.nullcontext, choices, options
        )

    def _record(self, part: GraphPart) -> InductorGraphRecord | None:
        rows = (row for row in part.graph.record.inductor_graphs if row.part == part.part)
        return next((row for row in rows if row.wrapper_text), None)

    def _nanoseconds(self, stage: str, kernel: Kernel) -> float:
        rows = self._report.kernels if self._report is not None else ()
        return next(
            (
                row.summary.median
                for row in rows
                if row.summary is not None and row.kernel.place == place(stage, kernel.id)
            ),
            0.0,
        )

    @contextlib.contextmanager
    def _exchanged(self, calls: Mapping[int, Callable[..., Any]]) -> Iterator[None]:
        """With other code for some halves; the rest as compiled again with nothing changed."""
        with contextlib.ExitStack() as stack:
            for index, part in enumerate(self._parts):
                assert part.half is not None
                call = calls.get(index, self._plain[index].call)
                stack.callback(part.half.swap, part.half.swap(call))
            yield


def _installing(part: GraphPart, module: torch.fx.GraphModule) -> Around:
    @contextlib.contextmanager
    def around() -> Iterator[None]:
        with contextlib.ExitStack() as stack:
            install(stack, part.graph, module.forward)
            yield

    return around


def _loops(record: InductorGraphRecord, kernel: Kernel) -> tuple[str, ...]:
    """The scheduler nodes that a kernel runs, before they were fused."""
    rows = {row.id: row for row in (record.after_fusion.nodes if record.after_fusion is not None else ())}
    return tuple(
        loop
        for name in kernel.loop_nodes
        for loop in (rows[name].children if name in rows else ()) or (name,)
    )


def _at(trial: SpeedTrial, part: GraphPart) -> SpeedTrial:
    stage = trial.stage or inductor_graph_id(part.compile_id, part.part, "kernels")
    return msgspec.structs.replace(trial, graph=part.compile_id, part=part.part, stage=stage)


def _failed(trial: SpeedTrial, error: Exception) -> Variant:
    problem = problem_from(error, "It could not be compiled", "").what
    return Variant(msgspec.structs.replace(trial, problem=problem), contextlib.nullcontext)
