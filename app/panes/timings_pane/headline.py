"""The headline: the compiled step against the eager step, with spreads and counts, whichever is faster."""

from app.session.timing.timing_recorder import TimingRecorder
from compiler.analysis.text_format.times import change_text, summary_text
from compiler.model.timing.paired_ratio import format_ratio
from compiler.model.timing.timings import TimingReport, TimingSummary


def headline_of(recorder: TimingRecorder) -> str:
    """One line. What was not measured is said, not left out."""
    compiled, eager, before = recorder.compiled_summary(), recorder.eager_summary(), recorder.baseline
    if compiled is None:
        if before is None or before.compiled is None:
            return "Times are medians with quartiles in brackets; nothing has been timed yet."
        text = f"Timed before: {_counted('compiled step', before.compiled)}"
        if before.eager is not None:
            reported = format_ratio(before.ratio, "compiled", "eager")
            text += f" · {_counted('eager step', before.eager)} · {reported}"
        return " · ".join([text, _threads(before.threads), *_on_gpu(before)])
    parts = [_counted("Compiled step", compiled)]
    if eager is None:
        parts.append("eager not timed")
    else:
        parts += [_counted("eager step", eager), format_ratio(recorder.ratio(), "compiled", "eager")]
    if before is not None and before.compiled is not None:
        change = change_text(before.compiled, compiled)
        parts.append(f"before the recompile {summary_text(before.compiled)}, now {change} of that")
    report = recorder.report()
    if report is not None:
        parts += [_threads(report.threads), *_on_gpu(report)]
    return " · ".join(part for part in parts if part)


def _on_gpu(report: TimingReport) -> list[str]:
    """How kernels are timed on a GPU, and what CUDA graphs save."""
    reported = ["kernel times are the GPU's own (CUPTI), of bursts of steps"] if report.clock else []
    if report.replay is not None:
        replayed, launched = report.replay.replayed, report.replay.launched
        reported.append(
            f"a step with CUDA graphs replayed {summary_text(replayed)}, with each kernel launched {summary_text(launched)}"
        )
    return reported + [note.words() for note in report.cuda_graphs if not note.recorded]


def _counted(what: str, summary: TimingSummary) -> str:
    samples = "sample" if summary.count == 1 else "samples"
    return f"{what} {summary_text(summary)} ({summary.count:,} {samples})"


def _threads(count: int) -> str:
    return f"{count} thread" if count == 1 else f"{count} threads"
