"""Ranks in groups: names, runs, and what contradicts itself."""

import pytest

from compiler.model.prediction.other_ranks import SAME, UNKNOWN, AlikeRanks, OtherRanks, ranks_fault, runs_of


def test_ranks_are_named_in_runs():
    assert runs_of((0, 1, 2, 5, 7, 8)) == ((0, 2), (5, 5), (7, 8))
    group = AlikeRanks(((0, 2), (5, 5)), SAME)
    assert (group.names, group.count, group.example) == ("ranks 0–2, 5", 4, 0)
    assert AlikeRanks(((3, 3),), SAME).names == "rank 3"
    assert OtherRanks(0, (group,)).group_of(4) is None


@pytest.mark.parametrize(
    ("groups", "fault"),
    [
        ((AlikeRanks(((0, 1),), "odd"),), "unknown verdict"),
        ((AlikeRanks((), SAME),), "no rank"),
        ((AlikeRanks(((0, 3),), SAME), AlikeRanks(((2, 2),), UNKNOWN)), "two groups"),
        ((AlikeRanks(((2, 1),), SAME),), "none that there is"),
        ((AlikeRanks(((1, 3),), SAME),), "not in the first"),
    ],
)
def test_what_contradicts_itself_is_reported(groups: tuple[AlikeRanks, ...], fault: str):
    assert fault in ranks_fault(OtherRanks(0, groups))
    assert ranks_fault(OtherRanks(0, (AlikeRanks(((0, 3),), SAME),))) == ""
