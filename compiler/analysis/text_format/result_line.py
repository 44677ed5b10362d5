"""What came of a capture in one line, and where its step's time goes in one sentence: for window, command line and reports."""

from typing import NamedTuple

from compiler.analysis.text_format.counted import counted
from compiler.model.capture.capture import Capture
from compiler.model.diff.capture_diff import Figures, figures_of
from compiler.model.ir.tensor_types import describe_bytes
from compiler.model.timing.paired_ratio import PairedRatio, format_unclear
from compiler.model.timing.step_trace import SpanKind, StepPart
from compiler.model.timing.timings import TimingReport


class ResultPart(NamedTuple):
    """One part of the line."""

    text: str
    pane: str
    """The id of the pane that tells more."""
    about: str


def result_parts(
    found: Figures, report: TimingReport | None, without_values: bool = False
) -> tuple[ResultPart, ...]:
    """``62 ops in 1 graph``, ``0 breaks``, ``23 kernels``, ``compiled 1.4× faster (1.1–1.6)``, ``0.8 MB saved for backward``.

    found: the figures of the capture (`figures_of`). A factor is told only where this program was timed, with its 95 % interval.
    """
    breaks, saved = int(found["breaks"] or 0), found["saved bytes"]
    parts = [
        ResultPart(
            f"{counted(int(found['ops'] or 0), 'op')} in {counted(int(found['graphs'] or 0), 'graph')}",
            "pipeline",
            "Operations of the graphs that Dynamo captured",
        ),
        ResultPart(counted(breaks, "break"), "breaks", "Where Dynamo stopped, and why"),
        ResultPart(counted(int(found["kernels"] or 0), "kernel"), "code", "Kernels that Inductor generated"),
    ]
    if found["recompiles"]:
        again = counted(int(found["recompiles"]), "recompile")
        parts.append(ResultPart(again, "guards", "Why earlier code did not fit"))
    if report is not None and report.eager is not None:
        about = "One step of the compiled program beside one of the eager program, measured interleaved on this machine"
        unclear = format_unclear(report.ratio) if report.ratio is not None else ""
        parts.append(ResultPart(_speed(report.ratio), "timings", f"{about}. {unclear}".rstrip(". ")))
    if saved:
        text = f"{describe_bytes(int(saved))} saved for backward"
        parts.append(ResultPart(text, "partition", "What the forward keeps for the backward"))
    if without_values:
        about = "Built under fake tensors: no parameter was allocated, nothing was run or measured"
        parts.append(ResultPart("without values", "problems", about))
    return tuple(parts)


def result_line(capture: Capture, report: TimingReport | None = None) -> str:
    """The parts in one line."""
    return " · ".join(
        part.text for part in result_parts(figures_of(capture), report, capture.spec.without_values)
    )


def _speed(ratio: PairedRatio | None) -> str:
    if ratio is None:
        return "too few steps to compare with eager"
    if format_unclear(ratio):
        return f"not told apart from eager ({ratio.low:.2f}–{ratio.high:.2f}×)"
    if ratio.ratio >= 1:
        return f"compiled {ratio.ratio:.2f}× faster ({ratio.low:.2f}–{ratio.high:.2f})"
    return f"compiled {1 / ratio.ratio:.2f}× slower ({1 / ratio.high:.2f}–{1 / ratio.low:.2f})"


def time_sentence(report: TimingReport | None) -> str:
    """``45 % of the step is outside compiled graphs (guards about 12 %); kernels are 5 %, …``, the largest part first; empty
    where nothing was measured. Medians of the parts over the median of the steps that they were timed in; on a machine so busy
    that they do not add up to the step, nothing is said.
    """
    step = report.dissected if report is not None else None
    if report is None or step is None or not step.median or len(report.parts) != len(StepPart):
        return ""
    share = {
        part: summary.median / step.median if summary is not None else 0.0
        for part, summary in zip(StepPart, report.parts, strict=True)
    }
    if not _LEAST_TOTAL <= sum(share.values()) <= _MOST_TOTAL:
        return ""
    kernels = share[StepPart.GENERATED] + share[StepPart.EXTERN]
    calls = (
        f" (library calls {share[StepPart.EXTERN]:.0%})" if share[StepPart.EXTERN] >= _WORTH_TELLING else ""
    )
    named = sorted(
        (
            (kernels, f"in kernels{calls}"),
            (share[StepPart.WRAPPER], "in generated wrappers between kernels"),
            (share[StepPart.RUNTIME], "in AOTAutograd's runtime around them"),
            (share[StepPart.OUTSIDE], f"outside compiled graphs{_guards(report)}"),
        ),
        reverse=True,
    )
    (first, words), *others = [row for row in named if row[0] >= _WORTH_TELLING or row == named[0]]
    reported = [
        f"{first:.0%} of the step is spent {words}",
        *(f"{part:.0%} {words}" for part, words in others),
    ]
    return ", ".join(reported) + "."


_WORTH_TELLING = 0.01
_LEAST_TOTAL, _MOST_TOTAL = 0.85, 1.15


def _guards(report: TimingReport) -> str:
    """Of a step that the profiler saw, which makes everything slower: the share holds, about."""
    trace = report.profiled
    share = trace.spent(SpanKind.GUARDS) / trace.length if trace is not None and trace.length else 0.0
    return f" (guards about {share:.0%})" if share >= _WORTH_TELLING else ""
