"""Times as a table for other programs."""

import csv
import io

from compiler.analysis.timing.kernel_work import KernelWork, kernel_work
from compiler.analysis.timing.roofline import roof_point
from compiler.model.capture.capture import Capture
from compiler.model.export.csv_cells import csv_cell
from compiler.model.ir.ids import Place
from compiler.model.timing.machine_peaks import MachineCeilings
from compiler.model.timing.step_trace import StepPart
from compiler.model.timing.timings import KernelTiming, TimingReport, TimingSummary

_COLUMNS = (
    "row",
    "name",
    "graph",
    "part",
    "language",
    "median_ns",
    "lower_quartile_ns",
    "upper_quartile_ns",
    "samples",
    "share_of_step",
    "bytes",
    "flops",
    "flops_counted_by",
    "bytes_per_second",
    "flops_per_second",
    "share_of_roof",
)


def csv_text(report: TimingReport, capture: Capture | None, ceilings: MachineCeilings | None = None) -> str:
    """One row for each kernel, each part of the step and each whole step; empty cells where nothing is known."""
    out = io.StringIO()
    writer = csv.DictWriter(out, _COLUMNS, lineterminator="\n")
    writer.writeheader()
    work = kernel_work(capture) if capture is not None else {}
    step = report.dissected.median if report.dissected is not None else 0.0
    for row in report.kernels:
        kernel = row.kernel
        cells: dict[str, object] = {
            "row": "kernel",
            "name": csv_cell(", ".join(kernel.place.nodes)),
            "graph": kernel.place.stage.partition(":")[0],
            "part": kernel.part,
            "language": kernel.language,
        }
        writer.writerow(cells | _times(row.summary, step) | _work(row, work, ceilings))
    for part, summary in zip(StepPart, report.parts, strict=False):
        writer.writerow({"row": "part", "name": part.value} | _times(summary, step))
    steps = [("compiled", report.compiled), ("eager", report.eager)]
    if report.clocked is not None:
        steps.append(("compiled_with_clocks", report.clocked))
    for name, whole in steps:
        writer.writerow({"row": "step", "name": name} | _times(whole, 0.0))
    return out.getvalue()


def _times(summary: TimingSummary | None, step: float) -> dict[str, object]:
    if summary is None:
        return {}
    cells: dict[str, object] = {
        "median_ns": round(summary.median, 1),
        "lower_quartile_ns": round(summary.low, 1),
        "upper_quartile_ns": round(summary.high, 1),
        "samples": summary.count,
    }
    return cells | ({"share_of_step": round(summary.median / step, 6)} if step else {})


def _work(
    row: KernelTiming, work: dict[Place, KernelWork], ceilings: MachineCeilings | None
) -> dict[str, object]:
    found = work.get(row.kernel.place)
    if found is None:
        return {}
    cells: dict[str, object] = {"bytes": found.bytes, "flops": found.flops, "flops_counted_by": found.counted}
    if row.summary is not None and row.summary.median > 0:
        rate = 1e9 / row.summary.median
        cells["bytes_per_second"] = round(found.bytes * rate) if found.bytes is not None else None
        cells["flops_per_second"] = round(found.flops * rate) if found.flops is not None else None
        point = roof_point(found, row.summary.median, ceilings) if ceilings is not None else None
        cells["share_of_roof"] = round(point.share, 4) if point is not None else None
    return cells
