"""What came of a capture, in one line, and where the time of its step goes, in one sentence."""

import msgspec
import pytest

from compiler.analysis.text_format.result_line import result_line, time_sentence
from compiler.model.timing.paired_ratio import PairedRatio
from compiler.model.timing.step_trace import Span, SpanKind, StepPart, StepTrace
from compiler.model.timing.timings import TimingReport, TimingSummary
from tests.helpers import sample_capture


def _time(median: float) -> TimingSummary:
    return TimingSummary(median, median * 0.9, median * 1.1, 100)


def _report(parts: dict[StepPart, float], ratio: PairedRatio | None = None) -> TimingReport:
    found = tuple(_time(parts.get(part, 0.0)) for part in StepPart)
    return TimingReport("capture-1", (), _time(1000.0), _time(1500.0), 2, found, ratio)


def test_a_factor_is_told_only_where_it_is_clear_and_with_its_interval() -> None:
    capture = sample_capture.capture()
    assert "faster" not in result_line(capture)
    clear = PairedRatio(1.5, 1.4, 1.6, 100, 1000.0, 1500.0)
    assert "compiled 1.50× faster (1.40–1.60)" in result_line(capture, _report({}, clear))
    slower = PairedRatio(0.5, 0.4, 0.8, 100, 1000.0, 500.0)
    assert "compiled 2.00× slower (1.25–2.50)" in result_line(capture, _report({}, slower))
    unclear = PairedRatio(1.1, 0.8, 1.4, 100, 1000.0, 1100.0)
    assert "not told apart from eager (0.80–1.40×)" in result_line(capture, _report({}, unclear))


def test_the_largest_part_comes_first_and_small_ones_are_left_out() -> None:
    report = _report(
        {StepPart.GENERATED: 30.0, StepPart.EXTERN: 20.0, StepPart.WRAPPER: 5.0, StepPart.OUTSIDE: 450.0}
    )
    assert time_sentence(report) == (
        "45% of the step is spent outside compiled graphs, 5% in kernels (library calls 2%)."
    )


def test_guards_are_a_share_of_the_step_that_the_profiler_saw() -> None:
    spans = (Span(0, 240, SpanKind.GUARDS),)
    trace = StepTrace(True, True, 2000, spans)
    report = msgspec.structs.replace(_report({StepPart.OUTSIDE: 450.0}), traces=(trace,))
    assert "outside compiled graphs (guards about 12%)" in time_sentence(report)


@pytest.mark.parametrize("report", [None, TimingReport("capture-1", (), None, None, 2)])
def test_nothing_is_said_where_nothing_was_measured(report: TimingReport | None) -> None:
    assert time_sentence(report) == ""
