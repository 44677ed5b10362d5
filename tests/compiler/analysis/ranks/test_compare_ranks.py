"""Ranks that did the same, and every respect in which one may not."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.analysis.ranks.compare_ranks import (
    RanksCompared,
    compare_ranks,
    compare_reported,
    difference_lines,
    distinct_names,
    reported_by,
)
from compiler.analysis.ranks.rank_names import ranks_text
from compiler.model.capture.capture import Capture
from tests.helpers import sample_capture
from tests.helpers.changed_capture import with_graph
from tests.helpers.planted_ranks import (
    rank,
    with_all_reduce,
    with_cache,
    with_frame,
    with_kernel,
    with_shorter_graph,
    with_steps,
    with_value,
    with_wrapper,
)


def compared(*captures: Capture) -> RanksCompared:
    found = compare_ranks([(str(index), capture) for index, capture in enumerate(captures)])
    assert found is not None
    return found


def test_device_and_addresses_are_no_difference() -> None:
    found = compared(rank(), rank(device=1, address=140584415341408))
    assert not found.differences
    assert found.sentence() == (
        "Ranks 0 and 1 did the same in 1 compile: graph, tensors, guards, lowered graphs, collectives, kernels."
    )
    assert found.groups_sentence() == "Ranks 0 and 1 did the same"
    assert compare_ranks([("0", rank())]) is None


def test_names_that_processes_give_their_groups_are_no_difference() -> None:
    assert not compared(with_all_reduce(rank(), "1"), with_all_reduce(rank(), "7")).differences


def test_a_process_that_still_runs_may_only_be_behind() -> None:
    reported = [reported_by("0", rank()), reported_by("1", rank(frames=()))]
    behind, ended = compare_reported(reported, frozenset("1")), compare_reported(reported)
    assert behind is not None
    assert ended is not None
    words = [row.differences[0].groups[1].words for row in (behind, ended)]
    assert words == ["not compiled so far", "not compiled"]


PLANTED = [
    (rank(frames=()), "compiled", "rank 2: not compiled"),
    (
        with_frame(rank(), error="BackendError: no\nlong"),
        "compiled",
        "rank 2: runs eagerly: BackendError: no",
    ),
    (with_frame(rank(), line=99), "function", ":99"),
    (with_shorter_graph(rank()), "graph", "nodes"),
    (with_value(rank(), sample_capture.DYNAMO, shape=("31", "64")), "tensors", "(B)"),
    (with_value(rank(), sample_capture.DYNAMO, dtype="bfloat16"), "tensors", "(B)"),
    (with_value(rank(), sample_capture.DYNAMO, stride=("1", "32")), "tensors", "(B)"),
    (with_value(rank(), sample_capture.DYNAMO, device="meta"), "tensors", "(B)"),
    (with_value(rank(), sample_capture.FORWARD, shape=("31", "64")), "tensors", "(B)"),
    (rank(guards=("L['n'] == 3",)), "guards", "rank 2: 2 guards"),
    (
        with_graph(rank(), sample_capture.POST_GRAD, lambda nodes: nodes[:-1]),
        "lowered graphs",
        "lowered nodes",
    ),
    (
        with_wrapper(rank(), "\ntorch.ops._c10d_functional.all_reduce_.default(buf0)\n"),
        "collectives",
        "all_reduce_",
    ),
    (with_kernel(rank(), " // other"), "kernels", "(B)"),
]


@pytest.mark.parametrize(("other", "what", "said"), PLANTED)
def test_each_respect_in_which_a_rank_goes_apart(other: Capture, what: str, said: str) -> None:
    found = compared(rank(), rank(device=1), other)
    assert found.differences[0].what == what
    assert found.differences[0].groups[0].ranks == ("0", "1")
    assert said in found.sentence()
    assert [group.ranks for group in found.groups] == [("0", "1"), ("2",)]
    assert found.groups[1].first == f"0/0, {what}"
    row = found.rows[0]
    assert row.first_difference("0") is None
    apart = row.first_difference("2")
    assert apart.what == what
    shown = difference_lines("0/0", what, ("0", rank()), ("2", other))
    assert any(line.startswith(("+", "-")) for line in shown[2:])
    assert not difference_lines("0/0", what, ("0", rank()), ("1", rank(device=1)))


@pytest.mark.parametrize("other", [{"elements": 256}, {"reduce": "avg"}])
def test_sizes_and_kinds_of_collectives_are_compared(other: dict[str, object]) -> None:
    plain = with_all_reduce(rank())
    found = compared(plain, with_all_reduce(rank(), **other))  # type: ignore[arg-type]
    assert "collectives" in {row.what for row in found.differences}
    shown = "\n".join(
        difference_lines("0/0", "collectives", ("0", plain), ("1", with_all_reduce(rank(), **other)))
    )  # type: ignore[arg-type]
    assert "all_reduce sum f32[128], 512 B, group A" in shown


def test_the_order_of_collectives_is_compared() -> None:
    calls = [
        "\ntorch.ops._c10d_functional.all_reduce_.default(b)\n",
        "\ntorch.ops._c10d_functional.broadcast_.default(b)\n",
    ]
    found = compared(with_wrapper(rank(), calls[0] + calls[1]), with_wrapper(rank(), calls[1] + calls[0]))
    assert [row.what for row in found.differences] == ["collectives"]


def test_a_cache_that_hit_on_one_rank_only() -> None:
    found = compared(with_cache(rank(), "hit"), with_cache(rank(), "miss"), with_cache(rank(), "hit"))
    assert found.sentence() == "Ranks 0–2 go apart first at 0/0, cache: ranks 0 and 2: hit; rank 1: miss"


def test_what_a_rank_does_not_tell_is_not_judged() -> None:
    bare = msgspec.structs.replace(rank(), stages=(), guards=())
    assert not compared(rank(), bare).differences
    assert difference_lines("0/0", "guards", ("0", rank()), ("1", bare))[-1] == "+not told"


def test_slow_ranks_are_reported_only_beyond_both_spreads() -> None:
    found = compared(with_steps(rank(), 10), with_steps(rank(), 10.2), with_steps(rank(), 14))
    assert [row.rank for row in found.slow_ranks()] == ["1", "2"]
    assert not compared(with_steps(rank(), 10, apart=4), with_steps(rank(), 11, apart=4)).slow_ranks()


@given(st.integers(2, 70), st.data())
@settings(max_examples=25, deadline=None)
def test_equal_ranks_are_one_group_and_any_others_stand_apart(count: int, data: st.DataObject) -> None:
    apart = data.draw(st.sets(st.integers(0, count - 1), max_size=(count - 1) // 2))
    plain, other = reported_by("", rank()), reported_by("", with_kernel(rank(), " // other"))
    rows = [
        msgspec.structs.replace(other if index in apart else plain, rank=str(index)) for index in range(count)
    ]
    found = compare_reported(rows)
    members = [set(map(int, group.ranks)) for group in found.groups]
    assert members == [set(range(count)) - apart, *([apart] if apart else [])]
    assert bool(found.differences) == bool(apart)


def test_sixty_four_ranks_in_a_sentence() -> None:
    rows = [
        (str(index), with_kernel(rank(), "//") if index == 7 else rank(device=index)) for index in range(64)
    ]
    found = compare_ranks(rows)
    assert found.groups_sentence() == "Ranks 0–6, 8–63 did the same; rank 7 goes apart at 0/0, kernels"


def test_ranks_are_named_in_ranges() -> None:
    assert ranks_text(["10", "2", "0", "1", "5", "4"]) == "0–2, 4, 5, 10"
    assert ranks_text(["3", "process 12"]) == "3, process 12"
    assert distinct_names(["0", "1", "0"]) == ["0", "1", "0 (2)"]
