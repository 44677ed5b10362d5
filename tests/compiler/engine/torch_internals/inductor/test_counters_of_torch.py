"""Torch's counters, which programs print and assert on, are as without us."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest
from torch._dynamo.utils import counters
from torch._inductor.utils import cache_on_self

from compiler.engine.torch_internals.inductor.scheduler_nodes import _estimated
from compiler.engine.torch_internals.patch.graph_caches import noting_caches


class Node:
    """Counts as Inductor's scheduler nodes do."""

    @cache_on_self
    def estimate_flops(self) -> int:
        counters["inductor"]["flop_count"] += 5
        return 5


@pytest.fixture(autouse=True)
def cleared() -> Iterator[None]:
    before = {name: group.copy() for name, group in counters.items()}
    counters.clear()
    yield
    counters.clear()
    counters.update(before)


def test_asking_for_operations_counts_none() -> None:
    node = Node()
    assert _estimated(node) == 5
    assert not counters
    counters["inductor"]["extern_calls"] = 2
    assert _estimated(node) == 5
    assert counters == {"inductor": {"extern_calls": 2}}
    node.estimate_flops()  # torch asks, and counts
    assert counters["inductor"]["flop_count"] == 5
    assert _estimated(node) == 5
    assert counters["inductor"]["flop_count"] == 5


def test_looking_for_what_caches_gave_makes_no_group() -> None:
    with noting_caches(cast("Any", SimpleNamespace(caches={}))):
        pass
    assert not counters
