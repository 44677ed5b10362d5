"""What of a cold compile is spent for which line and module, and what makes it shorter."""

from collections.abc import Iterable
from pathlib import Path

from compiler.engine.capture.capture import LiveCapture
from compiler.engine.causes.graph_levels import DYNAMO, has_symbols, parts_of
from compiler.engine.costs.copies import ROUNDS, Copies, Emit, Wanted, forward_of, module_classes
from compiler.engine.costs.rows import line_rows, module_rows, purpose_of
from compiler.engine.timing.gpu_timing import runs_on_gpu
from compiler.engine.torch_internals.dynamo.compile_costs import BUILD, REST, Purpose, compile_clock
from compiler.engine.torch_internals.inductor.bisect_switches import changed_settings, is_setting, setting
from compiler.model.capture.program_changes import (
    COMPILE_ONCE,
    Change,
    DisableFunction,
    SetCompileArgument,
    SetCompileOption,
    WrapFunction,
)
from compiler.model.experiments.costs import COMPILE_TIME, CostFound, CostRow
from compiler.model.ir.stage import StageKind

_SETTINGS: tuple[tuple[str, bool | int, str], ...] = (
    ("cpp.simdlen", 1, "kernels without vector instructions"),
    ("max_fusion_size", 8, "at most 8 nodes in a kernel"),
    ("pattern_matcher", False, "no pattern rewrites"),
    ("epilogue_fusion", False, "nothing fused behind library calls"),
    ("loop_ordering_after_fusion", False, "loops not reordered after fusion"),
)
_LONG = 5.0
"""Seconds: what takes longer is measured twice, not three times."""
_ONCE, _DISABLED = 3, 2


def compile_time(copies: Copies, emit: Emit) -> CostFound:
    """Raises EngineError where the program does not compile any more."""
    copies.report_progress("Compiling from cold, with a clock by line")
    with compile_clock() as clock:
        live = copies.capture((), cold=True)
    total = live.capture.seconds
    spent = dict(clock.spent)
    waited = sum(seconds for purpose, seconds in spent.items() if purpose.phase == BUILD)
    spent = {purpose: seconds for purpose, seconds in spent.items() if purpose.phase not in (BUILD, REST)}
    for purpose, seconds in _builds(live, waited):
        spent[purpose] = spent.get(purpose, 0.0) + seconds
    rest = Purpose(REST)
    spent[rest] = max(total - sum(spent.values()), 0.0)
    lines = line_rows(spent)
    modules = module_rows(spent, copies.program.base.program)

    def measured(changes: tuple[Change, ...]) -> tuple[float, LiveCapture]:
        live = copies.capture(changes, cold=True)
        return live.capture.seconds, live

    rounds = ROUNDS if total < _LONG else 2
    trials = copies.tried(_wanted(copies, modules), measured, emit, rounds)
    notes = ["The clock by line makes tracing somewhat slower; trials are measured without it."]
    if copies.program.edits:
        notes.append("Measured is the program without its edits.")
    sentence = _sentence(total, lines, modules)
    return CostFound(COMPILE_TIME, sentence, total, tuple(lines), tuple(modules), tuple(trials), tuple(notes))


def _builds(live: LiveCapture, waited: float) -> Iterable[tuple[Purpose, float]]:
    """Waiting for kernels, divided by how long each was built: builds go on side by side."""
    rows = [phase for phase in live.capture.phases if phase.kind == "build"]
    whole = sum(row.seconds for row in rows)
    if not whole:  # built in processes of torch's own, as Triton's are: no clock of ours sees one of them
        yield Purpose(BUILD), waited
        return
    kernels = {
        (kernel.name, f"{stage.compile_id} {stage.part}"): (stage, kernel.origins)
        for stage in live.capture.of_kind(StageKind.KERNELS)
        for kernel in stage.kernels
    }
    graphs = {
        (stage.compile_id, stage.part): stage.graph
        for stage in live.capture.of_kind(StageKind.POST_GRAD_GRAPH)
    }
    for row in rows:
        seconds = row.seconds / whole * waited
        stage, origins = kernels.get((row.name, row.detail), (None, ()))
        graph = graphs.get((stage.compile_id, stage.part)) if stage is not None else None
        nodes = [graph.node(name) for name in origins if graph is not None and graph.holds(name)]
        yield purpose_of(BUILD, nodes), seconds


def _wanted(copies: Copies, modules: list[CostRow]) -> list[Wanted]:
    """What is tried, the likeliest first."""
    program, spec = copies.program.base.program, copies.spec
    classes = list(module_classes(program, modules))
    found = []
    for kind, paths in classes:
        if len(paths) > 1:
            change = WrapFunction(forward_of(program, kind), COMPILE_ONCE)
            found.append(
                Wanted(f"the {len(paths)} {kind.__name__} compiled once (nested_compile_region)", (change,))
            )
    found = found[:_ONCE] + [
        Wanted(f"{kind.__name__} not compiled", (DisableFunction(forward_of(program, kind)),))
        for kind, _ in classes[:_DISABLED]
    ]
    if spec.compile.mode is not None:
        found.append(Wanted("mode as torch has it at first", (SetCompileArgument("mode", None),)))
    if spec.compile.dynamic is not False and has_symbols(copies.program):
        found.append(Wanted("for these sizes alone (dynamic=False)", (SetCompileArgument("dynamic", False),)))
    given = {
        name: value
        for part in parts_of(copies.program, DYNAMO)
        for name, value in part.graph.settings.items()
    }
    changed = {name: (value, default) for name, value, default in changed_settings(given)}
    for name, (value, default) in changed.items():
        what = f"{name} as torch has it at first ({default!r}, not {value!r})"
        found.append(Wanted(what, (SetCompileOption(name, default),)))
    for name, wanted, words in _SETTINGS:
        if name.startswith("cpp.") and runs_on_gpu(copies.program.base):
            continue
        if name not in changed and is_setting(name) and setting(name) != wanted:
            found.append(Wanted(f"{words} ({name} = {wanted})", (SetCompileOption(name, wanted),)))
    return found


def _sentence(total: float, lines: list[CostRow], modules: list[CostRow]) -> str:
    reported = [f"A cold compile takes {total:.1f} s."]
    line = next((row for row in lines if row.line is not None), None)
    if line is not None and total:
        phase, seconds = max(line.parts, key=lambda part: part[1])
        reported.append(
            f"The costliest line is {Path(line.path).name}:{line.line} with {line.amount:.2f} s "
            f"({line.amount / total:.0%}), most of it {phase} ({seconds:.2f} s)."
        )
    if modules and total:
        reported.append(f"The costliest module is {modules[0].name} with {modules[0].amount / total:.0%}.")
    return " ".join(reported)
