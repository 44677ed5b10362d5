"""What is reported of other ranks, in words."""

from compiler.model.ir.tensor_types import describe_bytes
from compiler.model.prediction.other_ranks import (
    CONSTANTS,
    SAME,
    SIZES,
    STAGE,
    STORED,
    UNKNOWN,
    AlikeRanks,
)
from compiler.model.prediction.predicted_step import PredictedRanks

_WORDS = {
    SAME: "the same program",
    STORED: "the same program, smaller or larger shards are kept",
    CONSTANTS: "the same program but for numbers in it",
    SIZES: "other sizes, so other code where they are used",
    STAGE: "another stage of the pipeline",
    UNKNOWN: "not derived",
}


def format_verdict(group: AlikeRanks, captured: int) -> str:
    """In what a group differs from the captured rank, and what to do where that is not derived."""
    if group.has(captured):
        others = group.count - 1
        return f"rank {captured} was captured" + (f", {_WORDS[SAME]} on {_others(others)}" if others else "")
    words = _WORDS[group.verdict]
    if group.verdict in (SIZES, STAGE, UNKNOWN):
        words += f": capture it with --rank {group.example}"
    return words


def ranks_sentence(ranks: PredictedRanks) -> str:
    """Which rank was captured, which needs most memory, and the spread."""
    if ranks.problem:
        return f"rank {ranks.captured} was captured. {ranks.problem}"
    most, least = ranks.most, ranks.least
    text = f"rank {ranks.captured} of {ranks.count:,} was captured"
    if most is not None and least is not None:
        if most.peak == least.peak:
            known = ranks.count - ranks.unknown
            text += f"; the peak is {describe_bytes(most.peak)} on {'every rank' if not ranks.unknown else f'{known:,} of them'}"
        else:
            text += (
                f"; {most.group.names} need{'s' if most.group.count == 1 else ''} most, {describe_bytes(most.peak)}, "
                f"{least.group.names} least, {describe_bytes((most.peak or 0) - (least.peak or 0))} less"
            )
    if ranks.unknown:
        text += f"; of {ranks.unknown:,} {'rank' if ranks.unknown == 1 else 'ranks'} the peak is not derived"
    return f"{text}."


def _others(count: int) -> str:
    return "1 other rank" if count == 1 else f"{count:,} other ranks"
