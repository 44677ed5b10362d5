"""What one kernel for two scheduler nodes would save, asked of Inductor's scheduler when it is done fusing."""

import inspect
from collections import defaultdict
from itertools import combinations
from typing import Any

from compiler.model.ir.loop_ir import SharedTraffic

GIVES = "memory traffic that a fusion would save"
NEEDS = ("torch._inductor.scheduler:Scheduler.score_fusion_memory",)
_MOST_PAIRS = 2000


def read_shared_traffic(nodes: Any) -> tuple[tuple[SharedTraffic, ...], bool]:
    """(every pair of nodes that share data, with torch's score in bytes; whether these are all). Torch is only asked: it
    notes nothing of it but sizes, which it counts anyway.
    """
    touching: dict[str, list[int]] = defaultdict(list)
    for number, node in enumerate(nodes):
        for name in {str(item.name) for item in (*node.read_writes.reads, *node.read_writes.writes)}:
            touching[name].append(number)
    pairs: dict[tuple[int, int], None] = {}
    whole = True
    for numbers in touching.values():
        for pair in combinations(numbers, 2):
            if len(pairs) >= _MOST_PAIRS:
                whole = False
                break
            pairs[pair] = None
    found = []
    for one, other in sorted(pairs):
        first, second = nodes[one], nodes[other]
        if saved := _score(first.scheduler, first, second):
            found.append(SharedTraffic(str(first.get_name()), str(second.get_name()), saved))
    return tuple(found), whole


def _score(scheduler: Any, first: Any, second: Any) -> int:
    """Bytes. Reductions over different dimensions have a score of another kind, which is left aside."""
    ask = scheduler.score_fusion_memory
    if "allow_mix_order_reduction" in inspect.signature(ask).parameters:
        return int(ask(first, second, allow_mix_order_reduction=False))
    return int(ask(first, second))
