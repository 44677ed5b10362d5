"""Memory of every rank at its peak, from the captured rank's step and the sizes of the other ranks' shards."""

import msgspec

from compiler.analysis.prediction.memory_curve import memory_curve
from compiler.model.prediction.other_ranks import IS_DERIVED, AlikeRanks, OtherRanks
from compiler.model.prediction.predicted_step import PredictedRanks, RankPeak
from compiler.model.prediction.simulated_step import OPTIMIZER, STATE, SimulatedStep

_OF = " of "


def rank_memory(
    ranks: OtherRanks | None, step: SimulatedStep, library_bytes: int = 0
) -> PredictedRanks | None:
    """The peak of each group of ranks; None where the step is of one process."""
    if ranks is None:
        return None
    rows = tuple(_row(group, step, library_bytes) for group in ranks.groups)
    return PredictedRanks(ranks.captured, rows, ranks.problem)


def _row(group: AlikeRanks, step: SimulatedStep, library_bytes: int) -> RankPeak:
    peak, at_most = None, False
    if group.verdict in IS_DERIVED:
        curve = memory_curve(with_shards(step, group), library_bytes)
        peak = curve.peak.total
        peaks = dict(curve.peaks)
        if group.shards and peaks.get(OPTIMIZER) == peak:
            # what the optimizer makes on the way has the captured rank's sizes
            at_most = all(shard.bytes <= shard.captured for shard in group.shards)
            peak = peak if at_most else None
    return RankPeak(group, peak, at_most)


def with_shards(step: SimulatedStep, group: AlikeRanks) -> SimulatedStep:
    """The step with the optimizer's state of other shards. Parameters and gradients lie in what FSDP2 pads to one size."""
    sizes = {shard.name: (shard.captured, shard.bytes) for shard in group.shards}
    if not sizes:
        return step
    memory = []
    for held in step.memory:
        captured, size = sizes.get(held.name.partition(_OF)[2], (-1, 0))
        if held.kind == STATE and held.bytes == captured:
            memory.append(msgspec.structs.replace(held, bytes=size))
        else:
            memory.append(held)
    return msgspec.structs.replace(step, memory=tuple(memory))
