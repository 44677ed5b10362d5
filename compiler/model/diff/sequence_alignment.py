"""Which elements of two sequences belong together, in time that hardly grows faster than their length.

What is unique in both is matched first; between such anchors the same is done again, more loosely each time.
"""

import difflib
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from itertools import pairwise

_EXACT_SIZE = 20_000
"""Product of two lengths up to which the longest common subsequence is looked for."""

Keys = Sequence[Hashable]


def align(
    before: Sequence[Keys], after: Sequence[Keys], plan: Sequence[tuple[int, int]] = ((0, 0),)
) -> dict[int, int]:
    """Index before → index after of the elements that match; all matches keep the order.

    Each of the first two arguments holds the same elements several times, by keys of different strictness. A step of
    the plan names two of them: by the first, equal beginnings and ends are taken off; by the second, anchors are found
    in what is left. Where both are the same, short gaps without anchors get their longest common subsequence. What is
    left goes on to the next step.
    """
    found: dict[int, int] = {}
    open_parts = [(0, 0, len(before[0]), 0, len(after[0]))]
    while open_parts:
        step, a, a_end, b, b_end = open_parts.pop()
        ends, level = plan[step]
        old, new = before[ends], after[ends]
        while a < a_end and b < b_end and old[a] == new[b]:
            found[a] = b
            a, b = a + 1, b + 1
        while a < a_end and b < b_end and old[a_end - 1] == new[b_end - 1]:
            a_end, b_end = a_end - 1, b_end - 1
            found[a_end] = b_end
        if a == a_end or b == b_end:
            continue
        old, new = before[level], after[level]
        anchors = _anchors(old, new, a, a_end, b, b_end)
        next_step = step
        if not anchors:
            next_step = step + 1
            if ends == level and (a_end - a) * (b_end - b) <= _EXACT_SIZE:
                anchors = _longest_common(old[a:a_end], new[b:b_end], a, b)
        found.update(anchors)
        if next_step < len(plan):
            edges = [(a - 1, b - 1), *anchors, (a_end, b_end)]
            for (a_from, b_from), (a_to, b_to) in pairwise(edges):
                open_parts.append((next_step, a_from + 1, a_to, b_from + 1, b_to))
    return found


def match_rest(before: Keys, after: Keys, found: dict[int, int]) -> None:
    """Add matches of equal keys among what is left, wherever they stand: the first with the first, and so on."""
    taken = set(found.values())
    waiting: defaultdict[Hashable, list[int]] = defaultdict(list)
    for index in range(len(after) - 1, -1, -1):
        if index not in taken:
            waiting[after[index]].append(index)
    for index, key in enumerate(before):
        if index not in found and waiting.get(key):
            found[index] = waiting[key].pop()


def _anchors(old: Keys, new: Keys, a: int, a_end: int, b: int, b_end: int) -> list[tuple[int, int]]:
    """Elements that are unique in both parts, as many as can be had in one order."""
    count_old, count_new = Counter(old[a:a_end]), Counter(new[b:b_end])
    at = {key: index for index, key in enumerate(new[b:b_end], b) if count_new[key] == 1}
    pairs = [
        (index, at[key]) for index, key in enumerate(old[a:a_end], a) if count_old[key] == 1 and key in at
    ]
    return longest_rising(pairs)


def longest_rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest chain in which both indices rise; the first index rises already."""
    ends: list[int] = []
    end_of: list[int] = []
    previous: list[int] = []
    for number, (_, value) in enumerate(pairs):
        length = bisect_left(ends, value)
        previous.append(end_of[length - 1] if length else -1)
        ends[length : length + 1] = [value]
        end_of[length : length + 1] = [number]
    chain = []
    number = end_of[-1] if end_of else -1
    while number >= 0:
        chain.append(pairs[number])
        number = previous[number]
    return chain[::-1]


def _longest_common(old: Keys, new: Keys, a: int, b: int) -> list[tuple[int, int]]:
    blocks = difflib.SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    return [(a + block.a + step, b + block.b + step) for block in blocks for step in range(block.size)]
