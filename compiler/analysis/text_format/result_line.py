"""What came of a capture in one line, and where its step's time goes in one sentence: for window, command line and reports."""

from typing import NamedTuple

from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.capture.front_ends import EAGER, front_end_named
from compiler.model.capture.guards import format_guard
from compiler.model.capture.translating import Translate, in_english
from compiler.model.diff.capture_diff import Figures, figures_of
from compiler.model.ir.tensor_types import describe_bytes
from compiler.model.prediction.parallel_plan import PIPELINE
from compiler.model.timing.paired_ratio import PairedRatio, format_unclear
from compiler.model.timing.step_trace import SpanKind, StepPart
from compiler.model.timing.timings import TimingReport


class ResultPart(NamedTuple):
    """One part of the line."""

    text: str
    pane: str
    """The id of the pane that says more."""
    about: str


def result_parts(
    found: Figures,
    report: TimingReport | None,
    spec: CaptureSpec | None = None,
    translate: Translate = in_english,
) -> tuple[ResultPart, ...]:
    """``62 ops in 1 graph``, ``0 breaks``, ``23 kernels``, ``compiled 1.4× faster (1.1–1.6)``, ``0.8 MB saved for backward``.

    found: the figures of the capture (`figures_of`); `spec`: what was asked for, which says for which GPU it is. A factor is
    reported only where this program was timed, with its 95 % interval.
    """
    parts, saved = _what_was_made(found, spec, translate), found["saved bytes"]
    if found["recompiles"]:
        again = _counted(translate, int(found["recompiles"]), "{count:,} recompile", "{count:,} recompiles")
        parts.append(ResultPart(again, "guards", translate("Why earlier code did not fit")))
    if report is not None and report.is_of_other_code:
        about = _other_code(report, translate)
        parts.append(ResultPart(translate("other code was timed"), "timings", about))
    elif report is not None and report.eager is not None:
        about = translate(
            "One step of the compiled program beside one of the eager program, measured interleaved on this machine"
        )
        unclear = format_unclear(report.ratio, translate) if report.ratio is not None else ""
        parts.append(
            ResultPart(_speed(report.ratio, translate), "timings", f"{about}. {unclear}".rstrip(". "))
        )
    if saved:
        text = translate("{size} saved for backward", size=describe_bytes(int(saved)))
        parts.append(ResultPart(text, "partition", translate("What the forward keeps for the backward")))
    if spec is not None and spec.device is not None:
        about = translate(
            "That GPU is not asked: kernels are Inductor's own for it, nothing was run or measured"
        )
        parts.append(ResultPart(translate("for {gpu}", gpu=spec.device.name), "problems", about))
    if spec is not None and (plan := spec.parallel) is not None:
        about = translate("One process of many was captured; the others are listed there")
        part = translate("rank {rank} of {world}", rank=plan.rank, world=plan.world)
        if (stages := plan.size(PIPELINE)) > 1:
            part = translate("stage {stage} of {count}", stage=plan.stage, count=stages) + ", " + part
        parts.append(ResultPart(part, "ranks", about))
    if spec is not None and spec.without_values:
        about = translate("Built under fake tensors: no parameter was allocated, nothing was run or measured")
        parts.append(ResultPart(translate("without values"), "problems", about))
    return tuple(parts)


def _what_was_made(found: Figures, spec: CaptureSpec | None, translate: Translate) -> list[ResultPart]:
    """A row of noughts looks like a result: where nothing was compiled that is said."""
    if spec is not None and not spec.is_of_dynamo:
        front_end = front_end_named(spec.front_end)
        words = translate("captured with {front_end}", front_end=front_end.title)
        return [
            ResultPart(
                words if spec.front_end != EAGER else translate("run eagerly"), "pipeline", front_end.lesson
            )
        ]
    breaks = int(found["breaks"] or 0)
    text = _counted(translate, breaks, "{count:,} break", "{count:,} breaks")
    stopped = ResultPart(text, "breaks", translate("Where Dynamo stopped, and why"))
    if not (found["graphs"] or found["kernels"]):
        about = translate("Nothing was compiled; what went wrong is listed there")
        nothing = ResultPart(translate("no graph was captured"), "problems", about)
        return [nothing, stopped] if breaks else [nothing]
    ops = _counted(translate, int(found["ops"] or 0), "{count:,} op", "{count:,} ops")
    graphs = _counted(translate, int(found["graphs"] or 0), "{count:,} graph", "{count:,} graphs")
    kernels = _counted(translate, int(found["kernels"] or 0), "{count:,} kernel", "{count:,} kernels")
    return [
        ResultPart(
            translate("{ops} in {graphs}", ops=ops, graphs=graphs),
            "pipeline",
            translate("Operations of the graphs that Dynamo captured"),
        ),
        stopped,
        ResultPart(kernels, "code", translate("Kernels that Inductor generated")),
    ]


def _counted(translate: Translate, count: int, one: str, many: str) -> str:
    return translate(one if count == 1 else many, count=count)


def result_line(capture: Capture, report: TimingReport | None = None) -> str:
    """The parts in one line."""
    return " · ".join(part.text for part in result_parts(figures_of(capture), report, capture.spec))


def _other_code(report: TimingReport, translate: Translate) -> str:
    words = translate(
        "No captured graph ran in the steps that were timed: after the first call its guards do not hold any more or nothing calls "
        "it, and torch goes on in other code, of which the times are."
    )
    if not report.failed_guards:
        return words
    return f"{words} {format_guard(report.failed_guards, translate)}"


def _speed(ratio: PairedRatio | None, translate: Translate) -> str:
    if ratio is None:
        return translate("too few steps to compare with eager")
    low, high = ratio.low, ratio.high
    if format_unclear(ratio):
        return translate(
            "not told apart from eager ({low:.2f}–{high:.2f} times as long)", low=1 / high, high=1 / low
        )
    if ratio.ratio >= 1:
        return translate(
            "compiled {ratio:.2f}× faster ({low:.2f}–{high:.2f})", ratio=ratio.ratio, low=low, high=high
        )
    return translate(
        "compiled {ratio:.2f}× slower ({low:.2f}–{high:.2f})",
        ratio=1 / ratio.ratio,
        low=1 / high,
        high=1 / low,
    )


def time_sentence(report: TimingReport | None, translate: Translate = in_english) -> str:
    """``45 % of the step is outside compiled graphs (guards about 12 %); kernels are 5 %, …``, the largest part first; empty
    where nothing was measured. Medians of the parts over their sum; on a machine so busy that they do not add up to the median of
    the steps that they were timed in, nothing is said, and where the kernels' own medians are far less than what they take
    together, that is said: it is their medians that stand in the tables.
    """
    step = report.dissected if report is not None else None
    if report is not None and report.is_of_other_code:
        return _other_code(report, translate)
    if report is None or step is None or not step.median or len(report.parts) != len(StepPart):
        return ""
    share = {
        part: summary.median / step.median if summary is not None else 0.0
        for part, summary in zip(StepPart, report.parts, strict=True)
    }
    total = sum(share.values())
    if not _LEAST_TOTAL <= total <= _MOST_TOTAL:
        return ""
    share = {part: of_step / total for part, of_step in share.items()}
    other_code = bool(report.unrun_graphs and report.failed_guards)
    kernels = share[StepPart.GENERATED] + share[StepPart.EXTERN]
    calls, usual = share[StepPart.EXTERN], _usual_kernels(report) / step.median / total
    if report.kernels and kernels - usual > max(_WORTH_EXPLAINING, kernels * _UNEXPLAINED):
        delayed = translate(
            "their medians add up to {share:.0%}: in most steps some took far longer", share=usual
        )
        in_kernels = translate("in kernels") + f" ({delayed})"
    else:
        in_kernels = translate("in kernels") + _aside(translate, "library calls {share:.0%}", calls)
    named = sorted(
        (
            (kernels, in_kernels),
            (share[StepPart.WRAPPER], translate("in generated wrappers between kernels")),
            (share[StepPart.RUNTIME], translate("in AOTAutograd's runtime around them")),
            (
                share[StepPart.OUTSIDE],
                translate(_OUTSIDE[report.parts_distinct, other_code])
                + _aside(translate, "guards about {share:.0%}", _guards(report)),
            ),
        ),
        reverse=True,
    )
    (first, words), *others = [row for row in named if row[0] >= _WORTH_REPORTING or row == named[0]]
    reported = [
        translate("{share:.0%} of the step is spent {where}", share=first, where=words),
        *(translate("{share:.0%} {where}", share=part, where=words) for part, words in others),
    ]
    sentence = ", ".join(reported) + "."
    if not other_code:
        return sentence
    other = translate(
        "Of what was captured {graphs} did not run in these steps: after the first call its guards do not hold any more. Torch goes "
        "on in other code, whose kernels are in none of these rows.",
        graphs=", ".join(report.unrun_graphs),
    )
    return f"{sentence} {other} {format_guard(report.failed_guards, translate)}"


_OUTSIDE = {
    (True, False): "outside compiled graphs",
    (True, True): "outside the captured graphs",
    (False, False): "with no kernel of a graph on the GPU",
    (False, True): "with no kernel of a captured graph on the GPU",
}
"""By whether wrappers have times of their own, and whether other compiled code runs as well."""
_WORTH_REPORTING = 0.01
_LEAST_TOTAL, _MOST_TOTAL = 0.85, 1.15
_WORTH_EXPLAINING, _UNEXPLAINED = 0.05, 0.25
"""Of the step, and of what kernels take of it: medians of what varies add up to somewhat less than the median of its sum."""


def _usual_kernels(report: TimingReport) -> float:
    """Nanoseconds: what the kernels take in a step where each takes its median; one that ran in some steps, as often as it did."""
    steps = report.dissected.count if report.dissected is not None else 0
    rows = (row.summary for row in report.kernels)
    return sum(row.median * row.count / steps for row in rows if row is not None) if steps else 0.0


def _guards(report: TimingReport) -> float:
    """Of a step that the profiler saw, which makes everything slower: the share holds, about."""
    trace = report.profiled
    return trace.spent(SpanKind.GUARDS) / trace.length if trace is not None and trace.length else 0.0


def _aside(translate: Translate, sentence: str, share: float) -> str:
    return f" ({translate(sentence, share=share)})" if share >= _WORTH_REPORTING else ""
