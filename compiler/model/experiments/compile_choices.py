"""Ways to call torch.compile, measured on one program beside the way it is captured: what each changes, and what it costs."""

import msgspec

from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions
from compiler.model.capture.program_changes import Change, SetCompileArgument, SetCompileOption
from compiler.model.experiments.trials import TrialSide
from compiler.model.graph_breaks.remedy import with_change
from compiler.model.ir.diagnostics import Problem
from compiler.model.timing.paired_ratio import PairedRatio
from compiler.model.timing.timings import TimingSummary


class CompileChoice(msgspec.Struct, frozen=True):
    """One way to try."""

    title: str
    """``mode="reduce-overhead"``."""
    changes: tuple[Change, ...]


class MeasureChoices(msgspec.Struct, frozen=True, tag="measure_choices"):
    """Capture a program as it is and with each choice, compare code and results, and time all interleaved. What was captured
    before is given up, so ask it of a worker of its own. Replies with `ChoicesMeasured`.
    """

    spec: CaptureSpec
    choices: tuple[CompileChoice, ...]


class CodeChange(msgspec.Struct, frozen=True):
    """How the generated code differs from that of the program as it is."""

    changed: int = 0
    """Kernels with another text."""
    new: int = 0
    gone: int = 0
    wrappers: int = 0
    """Wrappers that say something else, names and paths of one run left out."""
    graphs: int = 0
    """FX graphs and loop IR that differ, of any stage."""
    text: str = ""
    """Unified diff of kernels and wrappers; empty where they are the same."""

    @property
    def same(self) -> bool:
        """Whether the same code runs."""
        return not (self.changed or self.new or self.gone or self.wrappers)


def has_settled(calls: tuple[int, ...], compiling: tuple[int, ...], gave_up: bool) -> bool:
    """Whether compiling was over with the last of these calls; see `ChoiceOutcome`."""
    return not gave_up and len(calls) - 1 not in compiling


class ChoiceOutcome(msgspec.Struct, frozen=True):
    """The program with one choice; for the program as it is, `choice` has no changes."""

    choice: CompileChoice
    side: TrialSide | None = None
    code: CodeChange = CodeChange()
    calls: tuple[int, ...] = ()
    """Nanoseconds of the first calls one after another; the first one compiles."""
    compiling: tuple[int, ...] = ()
    """Which of `calls` behind the first compiled too, from 1."""
    failed_guard: str = ""
    """Why they did, in torch's words."""
    gave_up: bool = False
    """Torch compiled a function too often in these calls: from there on it runs eagerly, and that is what was timed."""
    ratio: PairedRatio | None = None
    """Time of a step ÷ time of a step of the program as it is."""
    same_results: bool | None = None
    """Whether results are as near to float64 as eager is; None where that was not judged."""
    problem: Problem | None = None
    """Why it does not work; then nothing of it was timed."""
    notes: tuple[Problem, ...] = ()
    """What torch skipped, with the line of the user's that it names."""
    results: str = ""
    """In which part results differ, or why they were not judged, in words."""

    @property
    def is_steady(self) -> bool:
        """Whether compiling was over before the steps that were timed."""
        return has_settled(self.calls, self.compiling, self.gave_up)


class ChoicesMeasured(msgspec.Struct, frozen=True, tag="choices_measured"):
    """Answer to `MeasureChoices`."""

    spec: CaptureSpec
    base: ChoiceOutcome
    outcomes: tuple[ChoiceOutcome, ...]
    eager: TimingSummary | None = None
    """One step without torch.compile, taken interleaved with the others."""
    notes: tuple[str, ...] = ()


def applied_options(options: CompileOptions, changes: tuple[Change, ...]) -> CompileOptions:
    """The arguments of torch.compile with the changes to them; other changes are left out.

    Raises ValueError for an argument that there is not.
    """
    for change in changes:
        if isinstance(change, SetCompileOption):
            others = tuple(row for row in options.options if row[0] != change.name)
            options = msgspec.structs.replace(options, options=(*others, (change.name, change.value)))
        elif isinstance(change, SetCompileArgument):
            if change.name not in CompileOptions.__struct_fields__ or change.name == "options":
                raise ValueError(f"torch.compile has no argument {change.name!r}.")
            options = msgspec.structs.replace(options, **{change.name: change.value})
    return options


def taken_over(spec: CaptureSpec, choice: CompileChoice) -> CaptureSpec:
    """The spec with a choice: arguments and options of torch.compile go into its own, the rest becomes a change of it."""
    changes = spec.changes
    for change in choice.changes:
        if not isinstance(change, SetCompileArgument | SetCompileOption):
            changes = with_change(changes, change)
    return msgspec.structs.replace(
        spec, compile=applied_options(spec.compile, choice.changes), changes=changes
    )


def combined(choices: tuple[CompileChoice, ...]) -> CompileChoice:
    """Several at once."""
    changes = tuple(dict.fromkeys(change for choice in choices for change in choice.changes))
    return CompileChoice(" + ".join(choice.title for choice in choices), changes)


def choice_of(name: str, value: bool | int | float | str | None, arguments: frozenset[str]) -> CompileChoice:
    """``mode``, ``dynamic`` and the other `arguments` by their name; any other name is an option."""
    if name in arguments:
        return CompileChoice(f"{name}={value!r}", (SetCompileArgument(name, value),))
    return CompileChoice(f"{name}={value!r}", (SetCompileOption(name, value),))


COMMON = tuple(
    CompileChoice(f"{name}={value!r}", (SetCompileArgument(name, value),))
    for name, value in (
        ("mode", "reduce-overhead"),
        ("mode", "max-autotune-no-cudagraphs"),
        ("mode", "max-autotune"),
        ("mode", "lite"),
        ("dynamic", True),
        ("fullgraph", True),
        ("backend", "aot_eager"),
        ("backend", "eager"),
        ("disable", True),
    )
)
"""What most people would try first."""
