"""What came of a way to call torch.compile, in words."""

from compiler.analysis.text_format.shortened import shortened
from compiler.analysis.text_format.times import time_text
from compiler.model.capture.counted import counted
from compiler.model.experiments.compile_choices import ChoiceOutcome, ChoicesMeasured, CodeChange
from compiler.model.experiments.trials import TrialSide
from compiler.model.timing.paired_ratio import format_change
from compiler.model.timing.timings import TimingSummary


def format_code(code: CodeChange) -> str:
    """``2 kernels changed, 1 new, wrapper``, or ``the same``."""
    parts = []
    if code.changed:
        parts.append(f"{counted(code.changed, 'kernel')} changed")
    for number, word in ((code.new, "new"), (code.gone, "gone")):
        if number:
            parts.append(f"{number} {word}" if parts else f"{counted(number, 'kernel')} {word}")
    if code.wrappers and not parts:
        parts.append("wrapper only")
    return ", ".join(parts) or "the same"


def format_shapes(base: TrialSide, side: TrialSide) -> str:
    """``2 → 0 breaks``, and the like; empty where nothing of it differs."""
    pairs = (
        ("break", base.breaks, side.breaks),
        ("graph", base.graphs, side.graphs),
        ("compile", base.compiles, side.compiles),
    )
    return ", ".join(f"{a} → {counted(b, name)}" for name, a, b in pairs if a != b)


def format_code_change(base: ChoiceOutcome, outcome: ChoiceOutcome) -> str:
    """What is different in code and graphs: ``8 kernels gone, 1 → 0 graphs``."""
    shape = (
        format_shapes(base.side, outcome.side) if base.side is not None and outcome.side is not None else ""
    )
    code = "" if outcome.code.same and shape else format_code(outcome.code)
    return ", ".join(filter(None, (code, shape)))


def changes_nothing(base: ChoiceOutcome, outcome: ChoiceOutcome) -> bool:
    """Whether the same code runs in the same graphs, with no difference in time that could be told."""
    return (
        outcome.problem is None
        and outcome.code.same
        and base.side is not None
        and outcome.side is not None
        and not format_shapes(base.side, outcome.side)
    )


def format_verdict(base: ChoiceOutcome, outcome: ChoiceOutcome) -> str:
    """One sentence on a choice: what it changes for this program and whether it is faster."""
    if outcome.problem is not None:
        return f"Does not work here: {shortened(outcome.problem.what)}"
    if base.side is None or outcome.side is None:
        return ""
    if changes_nothing(base, outcome):
        reported = ["Changes nothing here: the same code runs."]
        if outcome.code.graphs:
            reported = ["The same code runs, though graphs on the way to it differ."]
        if _both_steady(base, outcome) and outcome.ratio is not None and outcome.ratio.clear:
            reported.append(
                f"Steps still differ: {format_change(outcome.ratio)}; that is the machine or what calls the code."
            )
    else:
        reported = [f"Changes: {format_code_change(base, outcome)}."]
        reported += [f"{format_change(outcome.ratio)}."] if _both_steady(base, outcome) else []
    if unsteady := _unsteady(outcome):
        reported.append(unsteady)
    if outcome.same_results is False:
        reported.append(f"Results differ from what eager gives{outcome.results and f': {outcome.results}'}.")
    elif outcome.same_results is None and outcome.results:
        reported.append(f"Results were not compared: {outcome.results}.")
    return " ".join(reported)


def format_warm_up(measured: ChoicesMeasured, outcome: ChoiceOutcome) -> str:
    """Calls one by one, the steady step, and after how many steps compiling has paid off against eager."""
    if not outcome.calls or outcome.side is None:
        return ""
    calls = ", ".join(
        f"{time_text(call)}{' (compiles again)' if number in outcome.compiling else ''}"
        for number, call in enumerate(outcome.calls)
    )
    if not outcome.is_steady:
        return f"Calls: {calls}. {_unsteady(outcome)}"
    if outcome.side.step is None:
        return ""
    why = f" Compiled again since {outcome.failed_guard}." if outcome.failed_guard else ""
    text = f"Calls: {calls}; steady {time_text(outcome.side.step.median)}.{why}"
    return f"{text} {pays_off(outcome.calls, outcome.side.step, measured.eager)}".strip()


def _both_steady(base: ChoiceOutcome, outcome: ChoiceOutcome) -> bool:
    return base.is_steady and outcome.is_steady


def _unsteady(outcome: ChoiceOutcome) -> str:
    """Why a step's time is none of compiled code that stays; empty where it is."""
    if outcome.is_steady:
        return ""
    why = f" ({outcome.failed_guard})" if outcome.failed_guard else ""
    ended = (
        "until torch gives it up and runs it eagerly"
        if outcome.gave_up
        else f"the last of {counted(len(outcome.calls), 'call')} too"
    )
    return f"There is no steady step: later calls compile again{why}, {ended}."


def pays_off(calls: tuple[int, ...], step: TimingSummary, eager: TimingSummary | None) -> str:
    """After how many steps the time of compiling is won back, where steps are clearly faster than eager ones."""
    if eager is None:
        return ""
    if step.high >= eager.low:
        return f"A step is not clearly faster than an eager one ({time_text(eager.median)}), so compiling is not won back."
    spent = sum(calls) - len(calls) * step.median
    count = max(round(spent / (eager.median - step.median)), 1)
    return (
        f"Eager takes {time_text(eager.median)}: compiling has paid off after about {counted(count, 'step')}."
    )
