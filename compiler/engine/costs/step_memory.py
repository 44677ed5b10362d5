"""What the memory of a step goes to, by line and module, and what makes it less."""

from collections import defaultdict
from collections.abc import Iterator

from compiler.engine.capture.capture import LiveCapture
from compiler.engine.costs.copies import Copies, Emit, Wanted, forward_of, module_classes
from compiler.engine.costs.rows import line_rows, module_rows, purpose_of
from compiler.engine.errors import EngineError
from compiler.engine.timing.gpu_timing import runs_on_gpu
from compiler.engine.torch_internals.dynamo.compile_costs import Purpose
from compiler.engine.torch_internals.inductor.bisect_switches import is_setting, setting
from compiler.engine.torch_internals.profiler.peak_memory import peak_memory
from compiler.engine.user_program.stepper import unchanged_state
from compiler.model.capture.program_changes import (
    CHECKPOINT,
    Change,
    SetCompileOption,
    SetConfig,
    WrapFunction,
)
from compiler.model.experiments.costs import MEMORY, CostFound, CostRow
from compiler.model.ir.stage import JointStage, StageKind
from compiler.model.ir.tensor_types import describe_bytes

_BUDGET = "torch._functorch.config.activation_memory_budget"
_BUDGETS = (0.75, 0.5, 0.25, 0.0)
_CHECKPOINTED = 2
_SETTINGS: tuple[tuple[str, bool, str], ...] = (
    ("memory_planning", True, "memory planned in pools"),
    ("inplace_buffers", True, "buffers written in place"),
    ("allow_buffer_reuse", True, "buffers used again"),
    ("reorder_for_peak_memory", True, "kernels ordered for the least peak"),
    ("epilogue_fusion", False, "nothing fused behind library calls"),
)
_SAVED = "kept for the backward"


def step_memory(copies: Copies, emit: Emit) -> CostFound:
    """Raises EngineError where a step cannot be measured."""
    base = copies.program.base
    copies.report_progress("Measuring the memory of a step")
    peak = peak_of(base)
    spent = dict(_saved(base))
    saved = sum(spent.values())
    spent[Purpose("temporary buffers, gradients and results")] = max(peak - saved, 0.0)
    lines = line_rows(spent)
    modules = module_rows(spent, base.program)

    def measured(changes: tuple[Change, ...]) -> tuple[float, LiveCapture]:
        live = copies.capture(changes)
        return peak_of(live), live

    trials = copies.tried(_wanted(copies, spent, modules), measured, emit, 1)
    notes = [
        "The peak is what torch's allocator gave out beside what was there when the step began. What is kept for the "
        "backward is counted by the sizes in the graph; of it something may be given back before the peak."
    ]
    if copies.program.edits:
        notes.append("Trials are of the program without its edits.")
    return CostFound(
        MEMORY,
        _sentence(peak, saved, lines, modules),
        peak,
        tuple(lines),
        tuple(modules),
        tuple(trials),
        tuple(notes),
    )


def peak_of(live: LiveCapture) -> float:
    """Bytes that a step takes at most, beside what is there when it begins. Raises EngineError."""
    with live.changes.active(), unchanged_state(live.program):
        live.stepper.step(live.compiled)
        most = peak_memory(lambda: live.stepper.step(live.compiled), runs_on_gpu(live))
    if most is None:
        raise EngineError("This torch's profiler saw no allocations.", "Use a newer torch.")
    return float(most)


def _saved(live: LiveCapture) -> Iterator[tuple[Purpose, float]]:
    """What is kept from forward to backward, by what it was made for; inputs and parameters live anyway."""
    found: dict[Purpose, float] = defaultdict(float)
    for stage in live.capture.of_kind(StageKind.JOINT_GRAPH):
        content = stage.content
        if not isinstance(content, JointStage) or content.partition is None:
            continue
        bases = {row.node: row.base for row in content.partition.decisions}
        counted: set[str] = set()
        for tensor in content.partition.saved:
            storage = bases.get(tensor.node) or tensor.node
            if (
                not content.graph.holds(tensor.node)
                or tensor.bytes is None
                or storage in counted
                or content.graph.node(tensor.node).op == "placeholder"
                or (content.graph.holds(storage) and content.graph.node(storage).op == "placeholder")
            ):
                continue
            counted.add(storage)
            found[purpose_of(_SAVED, (content.graph.node(tensor.node),))] += tensor.bytes
    yield from found.items()


def _wanted(copies: Copies, spent: dict[Purpose, float], modules: list[CostRow]) -> list[Wanted]:
    found = []
    if any(purpose.phase == _SAVED for purpose in spent):
        program = copies.program.base.program
        found += [
            Wanted(
                f"{kind.__name__} checkpointed (its activations computed again)",
                (WrapFunction(forward_of(program, kind), CHECKPOINT),),
            )
            for kind, _ in [*module_classes(program, modules)][:_CHECKPOINTED]
        ]
        found += [
            Wanted(f"memory budget {budget:g} (activation_memory_budget)", (SetConfig(_BUDGET, budget),))
            for budget in _BUDGETS
        ]
    for name, wanted, words in _SETTINGS:
        if is_setting(name) and setting(name) != wanted:
            found.append(Wanted(f"{words} ({name} = {wanted})", (SetCompileOption(name, wanted),)))
    return found


def _sentence(peak: float, saved: float, lines: list[CostRow], modules: list[CostRow]) -> str:
    if not peak:
        return "A step takes no memory beside what is there when it begins."
    reported = [f"A step takes {describe_bytes(round(peak))} at its peak."]
    if saved:
        reported.append(f"{describe_bytes(round(saved))} ({saved / peak:.0%}) are kept for the backward.")
    line = next((row for row in lines if row.line is not None), None)
    if line is not None:
        reported.append(f"The costliest line is {line.name} with {describe_bytes(round(line.amount))}.")
    if modules:
        reported.append(
            f"The costliest module is {modules[0].name} with {describe_bytes(round(modules[0].amount))}."
        )
    return " ".join(reported)
