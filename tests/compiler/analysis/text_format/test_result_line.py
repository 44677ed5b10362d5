"""What came of a capture, in one line, and where the time of its step goes, in one sentence."""

import msgspec
import pytest

from compiler.analysis.text_format.result_line import result_line, time_sentence
from compiler.command_line.reports.time_reports import timing_table
from compiler.model.ir.gpu_target import TARGETS
from compiler.model.ir.ids import NOWHERE, place
from compiler.model.timing.paired_ratio import PairedRatio, format_unclear
from compiler.model.timing.step_trace import Span, SpanKind, StepPart, StepTrace
from compiler.model.timing.timings import KernelTiming, TimedKernel, TimingReport, TimingSummary
from tests.helpers import sample_capture


def _time(median: float) -> TimingSummary:
    return TimingSummary(median, median * 0.9, median * 1.1, 100)


def _report(parts: dict[StepPart, float], ratio: PairedRatio | None = None) -> TimingReport:
    found = tuple(_time(parts.get(part, 0.0)) for part in StepPart)  # nanoseconds of a step of 1000
    return TimingReport("capture-1", (), _time(1000.0), _time(1500.0), 2, found, ratio)


def test_for_which_gpu_it_was_compiled_is_reported() -> None:
    capture = sample_capture.capture()
    assert "· for " not in result_line(capture)
    spec = msgspec.structs.replace(capture.spec, device=TARGETS["h100"])
    assert "· for NVIDIA H100 80GB HBM3" in result_line(msgspec.structs.replace(capture, spec=spec))


def test_where_nothing_was_captured_that_is_reported_in_place_of_noughts() -> None:
    capture = sample_capture.capture()
    nothing = msgspec.structs.replace(capture, stages=(), frames=(), breaks=(), recompiles=())
    assert result_line(nothing) == "no graph was captured"
    broken = msgspec.structs.replace(nothing, breaks=capture.breaks)
    assert result_line(broken) == "no graph was captured · 1 break"
    for front_end, said in (("export", "captured with torch.export"), ("eager", "run eagerly")):
        spec = msgspec.structs.replace(capture.spec, front_end=front_end)
        assert result_line(msgspec.structs.replace(nothing, spec=spec)) == said


def test_a_factor_is_reported_only_where_it_is_clear_and_with_its_interval() -> None:
    capture = sample_capture.capture()
    assert "faster" not in result_line(capture)
    clear = PairedRatio(1.5, 1.4, 1.6, 100, 1000.0, 1500.0)
    assert "compiled 1.50× faster (1.40–1.60)" in result_line(capture, _report({}, clear))
    slower = PairedRatio(0.5, 0.4, 0.8, 100, 1000.0, 500.0)
    assert "compiled 2.00× slower (1.25–2.50)" in result_line(capture, _report({}, slower))
    unclear = PairedRatio(1.1, 0.8, 1.4, 100, 1000.0, 1100.0)
    assert "not told apart from eager (0.71–1.25 times as long)" in result_line(capture, _report({}, unclear))
    assert "0.71 to 1.25 times as long" in format_unclear(
        unclear, of_first=True
    )  # the Timings pane's numbers


def test_what_was_not_distinguished_on_a_gpu_has_no_time() -> None:
    """*Generated wrappers: 0.00 µs*, and all of the host's time was *outside compiled graphs*."""
    parts = (_time(100.0), _time(70.0), None, None, _time(830.0))
    report = msgspec.structs.replace(_report({}), parts=parts)
    assert (
        time_sentence(report)
        == "83% of the step is spent with no kernel of a graph on the GPU, 17% in kernels (library calls 7%)."
    )
    table = timing_table(report, sample_capture.capture())
    assert "The rest: wrappers, launching kernels" in table
    assert "AOTAutograd" not in table
    assert "0.00" not in table


def test_the_largest_part_comes_first_and_small_ones_are_left_out() -> None:
    report = _report(
        {
            StepPart.GENERATED: 30.0,
            StepPart.EXTERN: 20.0,
            StepPart.WRAPPER: 5.0,
            StepPart.RUNTIME: 45.0,
            StepPart.OUTSIDE: 900.0,
        }
    )
    assert time_sentence(report) == (
        "90% of the step is spent outside compiled graphs, 5% in kernels (library calls 2%), "
        "4% in AOTAutograd's runtime around them."
    )


def test_guards_are_a_share_of_the_step_that_the_profiler_saw() -> None:
    trace = StepTrace(True, True, 2000, (Span(0, 240, SpanKind.GUARDS),))
    report = msgspec.structs.replace(_report({StepPart.OUTSIDE: 950.0}), traces=(trace,))
    assert "outside compiled graphs (guards about 12%)" in time_sentence(report)


def test_nothing_is_said_of_parts_that_do_not_add_up_to_the_step() -> None:
    assert time_sentence(_report({StepPart.OUTSIDE: 160.0, StepPart.GENERATED: 80.0})) == ""


def test_no_part_is_more_than_the_whole() -> None:
    """On a busy machine medians of parts add up to somewhat more than that of the step."""
    sentence = time_sentence(_report({StepPart.GENERATED: 1030.0, StepPart.OUTSIDE: 30.0}))
    assert sentence == "97% of the step is spent in kernels, 3% outside compiled graphs."


@pytest.mark.parametrize(
    ("medians", "sentence"),
    [
        ((), "97% of the step is spent in kernels (library calls 37%), 3% outside compiled graphs."),
        (
            (300.0, 590.0),
            "97% of the step is spent in kernels (library calls 37%), 3% outside compiled graphs.",
        ),
        (
            (30.0, 40.0),
            "97% of the step is spent in kernels (their medians add up to 7%: in most steps some took far longer), "
            "3% outside compiled graphs.",
        ),
    ],
)
def test_it_says_so_where_kernels_take_more_together_than_their_medians(
    medians: tuple[float, ...], sentence: str
) -> None:
    """Where threads wait for a core, another kernel takes long in each step: the table's shares add up to far less."""
    report = _report({StepPart.GENERATED: 600.0, StepPart.EXTERN: 370.0, StepPart.OUTSIDE: 30.0})
    kernel = TimedKernel("mm", NOWHERE, "forward", "extern")
    rows = tuple(KernelTiming(kernel, _time(median)) for median in medians)
    assert time_sentence(msgspec.structs.replace(report, kernels=rows)) == sentence


@pytest.mark.parametrize("report", [None, TimingReport("capture-1", (), None, None, 2)])
def test_nothing_is_said_where_nothing_was_measured(report: TimingReport | None) -> None:
    assert time_sentence(report) == ""


def test_where_a_graph_did_not_run_what_runs_in_its_place_is_not_outside_of_compiled_graphs() -> None:
    """A model with a rotary table that it keeps: its step was said to be spent outside compiled graphs."""
    first, second = (
        TimedKernel("mm", place(f"{name}:forward:kernels", "mm"), "forward", "extern")
        for name in ("0/0", "2/0")
    )
    report = msgspec.structs.replace(
        _report({StepPart.EXTERN: 100.0, StepPart.OUTSIDE: 900.0}),
        kernels=(KernelTiming(first, _time(100.0)), KernelTiming(second, None)),
    )
    assert report.unrun_graphs == ("2/0",)
    assert "90% of the step is spent outside compiled graphs" in time_sentence(report)  # nothing calls it
    report = msgspec.structs.replace(report, failed_guards=("2/0: self.length is None",))
    sentence = time_sentence(report)
    assert "90% of the step is spent outside the captured graphs" in sentence
    assert "Of what was captured 2/0 did not run in these steps" in sentence
    assert sentence.endswith("2/0: self.length is None")


def test_where_no_captured_graph_ran_there_is_no_factor_and_the_guard_is_named() -> None:
    clear = PairedRatio(0.5, 0.4, 0.8, 100, 1000.0, 500.0)
    kernel = TimedKernel("mm", NOWHERE, "forward", "extern")
    report = msgspec.structs.replace(
        _report({StepPart.OUTSIDE: 1000.0}, clear),
        kernels=(KernelTiming(kernel, None),),
        failed_guards=("0/0: self.seen == 0",),
    )
    line = result_line(sample_capture.capture(), report)
    assert "other code was timed" in line
    assert "slower" not in line
    assert time_sentence(report).startswith("No captured graph ran in the steps that were timed")
    assert time_sentence(report).endswith("0/0: self.seen == 0")
    ran = msgspec.structs.replace(report, kernels=(KernelTiming(kernel, _time(10.0)),))
    assert "slower" in result_line(sample_capture.capture(), ran)
