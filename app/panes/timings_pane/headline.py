"""The headline: the compiled step against the eager step, with spreads and counts, whichever is faster."""

from app.session.timing.timing_recorder import TimingRecorder
from app.translation.compiler_texts import translate
from app.translation.texts import tr
from compiler.analysis.text_format.times import change_text, summary_text
from compiler.model.timing.paired_ratio import format_ratio
from compiler.model.timing.timings import TimingReport, TimingSummary


def headline_of(recorder: TimingRecorder) -> str:
    """One line. What was not measured is said, not left out."""
    compiled, eager, before = recorder.compiled_summary(), recorder.eager_summary(), recorder.baseline
    if compiled is None:
        if before is None or before.compiled is None:
            return tr("Times are medians with quartiles in brackets; nothing has been timed yet.")
        text = tr("Timed before: {counted}").format(counted=_counted(tr("compiled step"), before.compiled))
        if before.eager is not None:
            reported = format_ratio(before.ratio, tr("compiled"), "eager", translate)
            text += f" · {_counted(tr('eager step'), before.eager)} · {reported}"
        return " · ".join([text, _threads(before.threads), *_on_gpu(before)])
    parts = [_counted(tr("Compiled step"), compiled)]
    if eager is None:
        parts.append(tr("eager not timed"))
    else:
        parts += [
            _counted(tr("eager step"), eager),
            format_ratio(recorder.ratio(), tr("compiled"), "eager", translate),
        ]
    if before is not None and before.compiled is not None:
        change = change_text(before.compiled, compiled)
        parts.append(
            tr("before the recompile {time}, now {change} of that").format(
                time=summary_text(before.compiled), change=change
            )
        )
    report = recorder.report()
    if report is not None:
        parts += [_threads(report.threads), *_on_gpu(report)]
    return " · ".join(part for part in parts if part)


def _on_gpu(report: TimingReport) -> list[str]:
    """How kernels are timed on a GPU, and what CUDA graphs save."""
    reported = [tr("kernel times are the GPU's own (CUPTI), of bursts of steps")] if report.clock else []
    if report.replay is not None:
        replayed, launched = report.replay.replayed, report.replay.launched
        reported.append(
            tr("a step with CUDA graphs replayed {time}, with each kernel launched {time2}").format(
                time=summary_text(replayed), time2=summary_text(launched)
            )
        )
    return reported + [note.words() for note in report.cuda_graphs if not note.recorded]


def _counted(what: str, summary: TimingSummary) -> str:
    return tr("{what} {time} ({count:,} sample(s))", None, summary.count).format(
        what=what, time=summary_text(summary), count=summary.count
    )


def _threads(count: int) -> str:
    return tr("%n thread(s)", None, count)
