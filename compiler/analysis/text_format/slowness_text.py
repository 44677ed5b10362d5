"""What makes a step slow, as text: the evidence in rows, and every trial in one."""

import re
from collections.abc import Iterator

from compiler.analysis.text_format.result_line import time_sentence
from compiler.model.capture.counted import counted
from compiler.model.experiments.causes import EAGER
from compiler.model.experiments.slowness import SlownessFound, SpeedTrial
from compiler.model.timing.paired_ratio import PairedRatio, ratio_figure
from compiler.model.timing.timings import TimingReport

_TIME = re.compile(r"(\d+(?:\.\d+)?) ?(ns|us|µs|ms|s)")
_NANOSECONDS = {"ns": 1.0, "us": 1e3, "µs": 1e3, "ms": 1e6, "s": 1e9}
_GUARDS = 2


def nanoseconds_from(text: str) -> int | None:
    """A time as people write it: ``2ms``, ``350 us``; 0 for eager's, None where it is no time."""
    if text.strip() in ("", EAGER):
        return 0
    match = _TIME.fullmatch(text.strip())
    return max(round(float(match[1]) * _NANOSECONDS[match[2]]), 1) if match is not None else None


def slowness_facts(found: SlownessFound, kernels: int = 3) -> Iterator[tuple[str, str]]:
    """(what, in words) of where the time goes, and of what helps."""
    if found.step is not None:
        low, high = found.step.low / 1e3, found.step.high / 1e3
        yield (
            "step",
            f"{found.step.median / 1e3:,.1f} µs [{low:,.1f}–{high:,.1f}], {counted(found.step.count, 'step')}",
        )
    for trial in found.helped:
        if trial.again is not None:
            wrong = {
                False: "; the results are wrong with it",
                None: "; results not judged",
            }.get(trial.right, "")
            yield "faster with", f"{trial.what}: {ratio_figure(trial.again)} when timed again{wrong}"
    if words := time_sentence(found.report):
        yield "time", words
    yield from _kernels(found.report, kernels)
    for row in found.guards[:_GUARDS]:
        worst = f", most of it {row.guard}" if row.guard else ""
        yield "guards", f"{row.compile_id}: {row.nanoseconds / 1e3:.1f} µs{worst}"
    for note in found.notes:
        yield "note", note


def trial_figure(trial: SpeedTrial) -> str:
    """The step's time with it, over that without."""
    return "–" if trial.problem else ratio_figure(trial.ratio)


def format_trial(trial: SpeedTrial) -> str:
    """What was tried, and what became of it where it could not be run."""
    return f"{trial.what} ({trial.problem})" if trial.problem else trial.what


def trial_mark(trial: SpeedTrial) -> str:
    """In a word: whether it helps."""
    if trial.problem:
        return "not run"
    if trial.helps:
        return "wrong" if trial.right is False else "faster"
    return _side(trial.ratio)


def _side(ratio: PairedRatio | None) -> str:
    return "slower" if ratio is not None and ratio.clear and ratio.low > 1 else "same"


def _kernels(report: TimingReport | None, most: int) -> Iterator[tuple[str, str]]:
    step = report.dissected if report is not None else None
    if report is None or step is None or not step.median:
        return
    rows = [(row.summary.median, row.kernel.name) for row in report.kernels if row.summary is not None]
    for nanoseconds, name in sorted(rows, reverse=True)[:most]:
        yield "kernel", f"{name}: {nanoseconds / 1e3:,.1f} µs, {nanoseconds / step.median:.0%} of the step"
