"""A predicted step as text."""

from compiler.analysis.prediction.equal_layers import equal_layers
from compiler.analysis.prediction.format_ranks import format_verdict, ranks_sentence
from compiler.command_line.reports.tables import table
from compiler.model.capture.counted import counted
from compiler.model.ir.tensor_types import describe_bytes
from compiler.model.prediction.predicted_step import NETWORK, LayerTime, PredictedStep

_BAR = 40
_MOST_LAYERS = 24
_MOST_RANKS, _MOST_WORDS = 12, 3
_FULL, _EMPTY = "█", "·"


def prediction_text(reported: PredictedStep, title: str) -> str:
    """Memory, whether it fits, what would help, time and where it goes."""
    parts = [
        f"Predicted, not measured: {title} on {reported.machine}, optimizer {reported.optimizer}",
        _memory(reported),
        _ranks(reported),
        _time(reported),
        "\n".join(f"  {note}" for note in reported.notes),
    ]
    return "\n\n".join(part for part in parts if part)


def _memory(reported: PredictedStep) -> str:
    curve = reported.memory
    peak = curve.peak.total
    verdict = "fits" if reported.fits else "does NOT fit"
    of_rank = f" (rank {reported.ranks.captured})" if reported.ranks is not None else ""
    lines = [
        f"Memory of one GPU{of_rank}: {describe_bytes(peak)} at the peak of {describe_bytes(reported.limit)} that tensors can have: "
        f"{verdict}",
        f"  The peak is in {curve.where}",
        f"  By phase: {', '.join(f'{phase} {describe_bytes(size)}' for phase, size in curve.peaks)}",
    ]
    largest = max((size for _, size in curve.by_kind()), default=1)
    for kind, size in curve.by_kind():
        bar = _FULL * max(round(_BAR * size / largest), 1 if size else 0)
        lines.append(f"  {kind:20} {describe_bytes(size):>12}  {bar}")
    if reported.remedies:
        lines.append("  What would help, each computed:")
        for remedy in reported.remedies:
            if remedy.problem:
                lines.append(f"    {remedy.what}: could not be tried: {remedy.problem.splitlines()[0]}")
                continue
            fits = "fits" if remedy.peak <= reported.limit else "does not fit"
            slower = f", step {remedy.seconds * 1e3:,.1f} ms" if remedy.seconds is not None else ""
            lines.append(
                f"    {remedy.what}: {describe_bytes(remedy.peak)}, {fits}{slower}  {remedy.how}".rstrip()
            )
    return "\n".join(lines)


def _ranks(reported: PredictedStep) -> str:
    """Which rank was captured, and every other beside it."""
    ranks = reported.ranks
    if ranks is None:
        return ""
    lines = [f"Ranks: {ranks_sentence(ranks)}"]
    if ranks.problem:
        return lines[0]
    for row in ranks.rows[:_MOST_RANKS]:
        size = (
            "not derived"
            if row.peak is None
            else f"{'at most ' if row.at_most else ''}{describe_bytes(row.peak)}"
        )
        held = "" if row.group.parameters is None else f", parameters {describe_bytes(row.group.parameters)}"
        lines.append(f"  {row.group.names}: {format_verdict(row.group, ranks.captured)}; peak {size}{held}")
        lines += [f"      {words}" for words in row.group.words[:_MOST_WORDS]]
        lines += [
            f"      {shard.name} is {list(shard.shape)} here, {describe_bytes(shard.bytes)} where rank {ranks.captured} has "
            f"{describe_bytes(shard.captured)}"
            for shard in row.group.shards[:_MOST_WORDS]
        ]
        more = max(len(row.group.words) - _MOST_WORDS, 0) + max(len(row.group.shards) - _MOST_WORDS, 0)
        lines += [f"      … and {more} more (--json has all)"] if more else []
    hidden = len(ranks.rows) - _MOST_RANKS
    return "\n".join(
        lines + ([f"  … and {hidden} more groups of ranks (--json has all)"] if hidden > 0 else [])
    )


def _time(reported: PredictedStep) -> str:
    time = reported.time
    phases = ", ".join(f"{name} {seconds * 1e3:,.2f}" for name, seconds in time.phases)
    lines = [
        f"Time of a step: {time.seconds * 1e3:,.2f} ms ({phases})",
        f"  computing {time.busy * 1e3:,.2f} ms; sending {time.sending * 1e3:,.2f} ms, of which nothing hides "
        f"{time.exposed * 1e3:,.2f} ms; waiting for the host {time.idle * 1e3:,.2f} ms",
    ]
    if time.depends_on_host:
        lines.append(
            f"  up to {time.slowest * 1e3:,.2f} ms where the host takes {time.slower:g} times as long, as was measured in real steps"
        )
    grouped = equal_layers(time.layers)
    longest = sorted(grouped, key=lambda row: -row[1].seconds * row[2])[:_MOST_LAYERS]
    lines.append(
        table(
            ("layer", "phase", ">ms each", ">compute", ">memory", ">network", "bound by", ">launches"),
            [_row(name, row) for name, row, count in grouped if (name, row, count) in longest],
        )
    )
    hidden = len(grouped) - len(longest)
    if hidden:
        lines.append(f"… and {counted(hidden, 'row')} below those (--json has all)")
    if any(row.bound == NETWORK for row in time.layers):
        lines.append("Where network bounds a layer, its kernels wait for a collective.")
    return "\n".join(lines)


def _row(name: str, row: LayerTime) -> tuple[str, ...]:
    figures = (row.seconds, row.compute, row.memory, row.network)
    return (name, row.phase, *(f"{seconds * 1e3:,.3f}" for seconds in figures), row.bound, str(row.launches))
