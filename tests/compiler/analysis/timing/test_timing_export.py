"""Times as CSV."""

import csv
import io

from compiler.analysis.timing.timing_export import csv_text
from compiler.model.ir.ids import place
from compiler.model.timing.step_trace import StepPart
from compiler.model.timing.timings import KernelTiming, TimedKernel, TimingReport, TimingSummary

KERNEL = TimedKernel("relu", place("0/0:forward:kernels", "relu"), "forward", "cpp")


def summary(value: float) -> TimingSummary:
    return TimingSummary(value, value - 1, value + 1, 20)


REPORT = TimingReport(
    "capture-1",
    (KernelTiming(KERNEL, summary(500)),),
    summary(1000),
    None,
    2,
    tuple(summary(index) for index in range(len(StepPart))),
    None,
)


def test_the_table_has_kernels_parts_and_steps() -> None:
    rows = list(csv.DictReader(io.StringIO(csv_text(REPORT, None))))
    assert [row["row"] for row in rows] == ["kernel", *["part"] * len(StepPart), "step", "step"]
    assert (rows[0]["name"], rows[0]["median_ns"], rows[0]["share_of_step"]) == ("relu", "500", "0.5")
    assert rows[-1]["name"] == "eager"
    assert rows[-1]["median_ns"] == ""
