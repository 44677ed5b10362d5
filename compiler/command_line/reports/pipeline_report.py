"""A predicted pipeline as text: stages, their memory and time, and a drawing of who does what when."""

from compiler.command_line.reports.tables import table
from compiler.model.capture.counted import counted
from compiler.model.ir.tensor_types import describe_bytes
from compiler.model.prediction.predicted_pipeline import PredictedPipeline, PredictedStage
from compiler.model.prediction.simulated_step import FORWARD

_WIDTH = 96
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def pipeline_text(reported: PredictedPipeline, title: str) -> str:
    """The step, stage by stage."""
    bound, largest = reported.bound_by, reported.largest
    lines = [
        f"Predicted, not measured: the pipeline of {title}: {counted(len(reported.stages), 'stage')}, {reported.microbatches} microbatches, "
        f"schedule {reported.schedule} (order by torch.distributed.pipelining)",
        "",
        f"Step {reported.seconds * 1e3:,.2f} ms, of which {reported.bubble:.1%} is bubble: stages waiting for others, over {reported.link}",
        f"  Stage {bound.stage} bounds it: it works {bound.busy * 1e3:,.2f} ms. Stage {largest.stage} needs most memory: "
        f"{describe_bytes(largest.peak)}.",
        table(
            (
                "stage", ">ms forward", ">ms backward", ">ms optimizer", ">ms working", ">waits", ">in flight", ">peak", ">sends",
                ">ms sending",
            ),
            [_row(stage, reported.seconds) for stage in reported.stages],
        ),
        "",
        *(_drawn(stage, reported.seconds) for stage in reported.stages),
        f"  {'upper row F: forward of microbatch 0–9, a–z; B below; · waits':<{_WIDTH}}",
    ]  # fmt: skip
    return "\n".join(lines)


def _row(stage: PredictedStage, seconds: float) -> tuple[str, ...]:
    times = (stage.forward, stage.backward, stage.optimizer, stage.busy)
    return (
        str(stage.stage),
        *(f"{value * 1e3:,.3f}" for value in times),
        f"{1 - stage.busy / seconds:.1%}" if seconds else "–",
        str(stage.in_flight),
        describe_bytes(stage.peak) + ("" if stage.fits else " does NOT fit"),
        describe_bytes(stage.sent) if stage.sent else "–",
        f"{stage.sending * 1e3:,.3f}" if stage.sent else "–",
    )


def _drawn(stage: PredictedStage, seconds: float) -> str:
    """Two rows, so that forward and backward are distinguished without colours."""
    forward, backward = ["·"] * _WIDTH, ["·"] * _WIDTH
    for slot in stage.slots:
        row = forward if slot.action.phase == FORWARD else backward
        first, last = (round(time / seconds * _WIDTH) for time in (slot.begin, slot.end))
        for at in range(first, max(last, first + 1)):
            if at < _WIDTH:
                row[at] = _DIGITS[slot.action.microbatch % len(_DIGITS)]
    return f"  {stage.stage:>3} F {''.join(forward)}\n      B {''.join(backward)}"
