"""In what the programs of other ranks differ from the one that was captured: derived by torch's own sharding, or said not to be."""

from collections.abc import Iterable

import msgspec

SAME, STORED, CONSTANTS, SIZES, STAGE, UNKNOWN = "same", "stored", "constants", "sizes", "stage", "unknown"
VERDICTS = (SAME, STORED, CONSTANTS, SIZES, STAGE, UNKNOWN)
"""From the same program to one of which nothing is known. `STORED`: the same program, the rank keeps smaller shards (FSDP2 pads what
is sent); `CONSTANTS`: the same kernels but for numbers in them; `SIZES`: tensors of other sizes, so other kernels; `STAGE`: another
stage of the pipeline.
"""
IS_DERIVED = (SAME, STORED, CONSTANTS)
"""Of these the memory of a step is known too."""


class Shards(msgspec.Struct, frozen=True, array_like=True):
    """A parameter of which a rank has another part than the captured one."""

    name: str
    shape: tuple[int, ...]
    """On this rank."""
    bytes: int
    captured: int
    """Bytes on the captured rank."""


class AlikeRanks(msgspec.Struct, frozen=True):
    """Ranks with the same program as each other, and what is otherwise than on the captured rank."""

    runs: tuple[tuple[int, int], ...]
    """First and last rank of each run of them."""
    verdict: str
    """One of `VERDICTS`."""
    words: tuple[str, ...] = ()
    """What differs, and for `UNKNOWN` who asks for the rank."""
    parameters: int | None = None
    """Bytes of the parameters that such a rank has; None: not derived."""
    shards: tuple[Shards, ...] = ()
    """All parameters of other sizes."""

    @property
    def count(self) -> int:
        """How many ranks."""
        return sum(last - first + 1 for first, last in self.runs)

    @property
    def names(self) -> str:
        """``ranks 0–6, 8``."""
        parts = [str(first) if first == last else f"{first}–{last}" for first, last in self.runs]
        shown = ", ".join(parts[:6]) + (" …" if len(parts) > 6 else "")
        return f"rank{'' if self.count == 1 else 's'} {shown}"

    @property
    def example(self) -> int:
        """One of them, to be captured."""
        return self.runs[0][0]

    def has(self, rank: int) -> bool:
        """Whether a rank is one of them."""
        return any(first <= rank <= last for first, last in self.runs)


class OtherRanks(msgspec.Struct, frozen=True):
    """All ranks of a world."""

    captured: int
    groups: tuple[AlikeRanks, ...] = ()
    """The captured rank's first."""
    problem: str = ""
    """Why nothing is derived."""

    def group_of(self, rank: int) -> AlikeRanks | None:
        """The group that a rank is in."""
        return next((group for group in self.groups if group.has(rank)), None)


def runs_of(ranks: Iterable[int]) -> tuple[tuple[int, int], ...]:
    """Ascending ranks as runs."""
    found: list[tuple[int, int]] = []
    for rank in ranks:
        if found and found[-1][1] == rank - 1:
            found[-1] = found[-1][0], rank
        else:
            found.append((rank, rank))
    return tuple(found)


def ranks_fault(ranks: OtherRanks) -> str:
    """What contradicts itself, in words; empty where nothing does."""
    for group in ranks.groups:
        if group.verdict not in VERDICTS or not group.runs:
            return f"a group of ranks has an unknown verdict ({group.verdict[:40]!r}) or no rank"
    end = -1
    for first, last in sorted(run for group in ranks.groups for run in group.runs):
        if not end < first <= last:
            return "a rank is in two groups, or in none that there is"
        end = last
    if ranks.groups and not ranks.groups[0].has(ranks.captured):
        return "the rank that was captured is not in the first group"
    return ""
