"""Kernel times as measured: medians with their spread, never a lone number."""

import msgspec

from compiler.model.capture.gpu_autotuning import CudaGraphNote
from compiler.model.ir.ids import Place
from compiler.model.timing.paired_ratio import PairedRatio
from compiler.model.timing.step_trace import StepTrace


class TimingSettings(msgspec.Struct, frozen=True):
    """How to time."""

    iterations: int = 0
    """Stop after so many; 0: go on until told to stop."""
    warm_up: int = 10
    threads: int = 0
    """Threads torch may use; 0: as many as when the engine started. Another number captures again, since the generated
    code depends on it."""
    backward: bool = True
    eager_every: int = 1
    """Run the eager program interleaved with the compiled one every so many iterations; 0: never. Short steps run uncounted
    where the other program ran before, so that both are warm."""


class TimedKernel(msgspec.Struct, frozen=True):
    """One place in a wrapper that is timed. Its index in `TimingStarted.kernels` names it in batches."""

    name: str
    place: Place
    """The kernel in its kernel stage."""
    part: str
    """forward, backward or inference."""
    language: str


class TimingStarted(msgspec.Struct, frozen=True, tag="timing_started"):
    """What the samples that follow are of."""

    capture: str
    kernels: tuple[TimedKernel, ...]
    threads: int
    clock: str = ""
    """How kernels are timed, where it is not by a clock around each call."""


class TimingSummary(msgspec.Struct, frozen=True):
    """Median and spread of one series, in nanoseconds."""

    median: float
    low: float
    """25th percentile."""
    high: float
    """75th percentile."""
    count: int


class GraphReplay(msgspec.Struct, frozen=True):
    """Steps that replay CUDA graphs beside steps that launch each kernel, interleaved."""

    replayed: TimingSummary
    launched: TimingSummary


class TimingBatch(msgspec.Struct, frozen=True, tag="timing_batch"):
    """Samples of some iterations. Every time is in nanoseconds of the monotonic clock."""

    capture: str
    kernels: tuple[tuple[int, ...], ...]
    """[iteration][kernel]: time in the kernel call; -1 where the kernel did not run in that iteration."""
    compiled: tuple[int, ...]
    """[iteration]: the whole step as the user runs it: guards, wrappers, kernels and eager parts; no clock is in it."""
    eager: tuple[int, ...] = ()
    """Eager baseline steps that ran among these iterations."""
    parts: tuple[tuple[int, ...], ...] = ()
    """[iteration][part]: the step cut into the parts of `StepPart`, in that order; they add up to the step in `clocked`, or
    in `compiled` where that is empty."""
    pairs: tuple[tuple[int, int], ...] = ()
    """(compiled step, eager step right after it), for every eager step."""
    traces: tuple[StepTrace, ...] = ()
    """The newest step of these, and steps that the profiler saw, which are counted nowhere else."""
    cuda_graphs: tuple[CudaGraphNote, ...] = ()
    """At the end of a run on a GPU: what became of CUDA graphs in it."""
    replay: GraphReplay | None = None
    others: float = 0.0
    """Cores that other processes took from the run so far; 0: none."""
    clocked: tuple[int, ...] = ()
    """[iteration]: the step that kernels and parts were timed in, with a clock around each kernel call. Empty where those
    are known without clocks (on a GPU)."""


def summarise(samples: "list[int] | tuple[int, ...]") -> TimingSummary | None:
    """Median and quartiles of the samples that are times (not -1), or None where there are none."""
    ordered = sorted(sample for sample in samples if sample >= 0)
    if not ordered:
        return None

    def quantile(fraction: float) -> float:
        position = fraction * (len(ordered) - 1)
        lower = int(position)
        upper = min(lower + 1, len(ordered) - 1)
        return ordered[lower] + (ordered[upper] - ordered[lower]) * (position - lower)

    return TimingSummary(quantile(0.5), quantile(0.25), quantile(0.75), len(ordered))


class KernelTiming(msgspec.Struct, frozen=True):
    """One row of a timing table."""

    kernel: TimedKernel
    summary: TimingSummary | None


def are_distinct(parts: "tuple[TimingSummary | None, ...]") -> bool:
    """Whether there are times of each `StepPart`; where there are none at all, nothing says that there will not be."""
    return len({part is None for part in parts}) <= 1


class TimingReport(msgspec.Struct, frozen=True, tag="timing_report"):
    """The result of a timing run."""

    capture: str
    kernels: tuple[KernelTiming, ...]
    compiled: TimingSummary | None
    eager: TimingSummary | None
    threads: int
    parts: tuple[TimingSummary | None, ...] = ()
    """Of each `StepPart`, in order."""
    ratio: PairedRatio | None = None
    """Eager over compiled."""
    traces: tuple[StepTrace, ...] = ()
    """Typical steps: with clocks, and seen by the profiler compiled and eager."""
    clock: str = ""
    """As in `TimingStarted`."""
    cuda_graphs: tuple[CudaGraphNote, ...] = ()
    """What became of CUDA graphs meanwhile."""
    replay: GraphReplay | None = None
    clocked: TimingSummary | None = None
    """Of the steps that kernels and parts were timed in, with clocks around kernel calls; None: of `compiled` itself."""
    failed_guards: tuple[str, ...] = ()
    """Where a captured graph ran in none of the steps that were timed: the guards of it that did not hold any more, in torch's
    words.
    """

    @property
    def dissected(self) -> TimingSummary | None:
        """The steps that kernels and parts are shares of."""
        return self.clocked or self.compiled

    @property
    def is_of_other_code(self) -> bool:
        """Whether no captured graph ran in any of the steps, though there are kernels: what was timed is what torch went on in."""
        inside = self.parts[: len(self.parts) - 1]  # the last is what is outside of graphs
        return (
            bool(self.kernels and inside)
            and all(row.summary is None for row in self.kernels)
            and not any(part is not None and part.median for part in inside)
        )

    @property
    def unrun_graphs(self) -> tuple[str, ...]:
        """Compile ids of the captured graphs that have kernels, of which none ran in any of the steps."""
        ran: dict[str, bool] = {}
        for row in self.kernels:
            name = row.kernel.place.stage.partition(":")[0]
            ran[name] = ran.get(name, False) or row.summary is not None
        return tuple(name for name, any_ran in ran.items() if name and not any_ran)

    @property
    def parts_distinct(self) -> bool:
        """Whether wrappers and runtime have times of their own, as they have on a CPU."""
        return are_distinct(self.parts)

    @property
    def profiled(self) -> StepTrace | None:
        """The compiled step that the profiler saw."""
        return next((trace for trace in self.traces if trace.profiled and trace.compiled), None)


def nearest_trace(
    traces: "list[StepTrace] | tuple[StepTrace, ...]", step: TimingSummary | None
) -> tuple[StepTrace, ...]:
    """The step whose length is nearest to the median, and the newest that the profiler saw of either program."""
    clocked = [trace for trace in traces if not trace.profiled]
    typical = min(clocked, key=lambda trace: abs(trace.length - step.median), default=None) if step else None
    seen = {trace.compiled: trace for trace in traces if trace.profiled}
    return tuple(trace for trace in (typical, seen.get(True), seen.get(False)) if trace is not None)
