"""What graphs of a running program return is looked at every so many calls, and each graph's first NaN is reported once."""

import torch

from compiler.model.protocol.run_events import RunValuesFound
from compiler.recorder.value_watch import ValueWatch

GOOD, BAD = torch.ones(3), torch.tensor([1.0, float("nan"), float("inf")])


def reported(every: int, calls: list[tuple[str, object]]) -> list[RunValuesFound]:
    found: list[RunValuesFound] = []
    watch = ValueWatch(every, found.append)
    for graph, values in calls:
        watch.look(graph, values)
    return found


def test_the_first_of_each_graph_is_reported_once() -> None:
    rows = reported(1, [("0/0", (GOOD,)), ("0/0", (GOOD, BAD)), ("0/0", (BAD,)), ("0/0 backward", BAD)])
    assert [(row.graph, row.call, row.output, row.text) for row in rows] == [
        ("0/0", 2, 1, "1 NaN and 1 Inf"),
        ("0/0 backward", 1, 0, "1 NaN and 1 Inf"),
    ]


def test_only_each_nth_call_is_looked_at() -> None:
    rows = reported(3, [("0/0", (BAD if number == 1 else GOOD,)) for number in range(9)])
    assert rows == []
    rows = reported(3, [("0/0", (BAD if number >= 3 else GOOD,)) for number in range(9)])
    assert [row.call for row in rows] == [6]
    assert "looked at every 3 calls" in rows[0].sentence


def test_what_is_no_tensor_is_left_alone() -> None:
    assert reported(1, [("0/0", (1, None, torch.tensor([1]), "x"))]) == []
