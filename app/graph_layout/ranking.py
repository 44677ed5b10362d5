"""Which row each item stands in: cycles are broken, then every arrow goes to a later row."""

import heapq
from collections.abc import Sequence

Links = Sequence[tuple[int, int]]


def back_links(count: int, links: Links) -> set[tuple[int, int]]:
    """Links to leave out so that no cycle remains: inside a strongly connected part, those against item order."""
    component = _strong_components(count, links)
    return {(u, v) for u, v in links if component[u] == component[v] and u >= v}


def ranks(count: int, links: Links) -> list[int]:
    """The row of each item by longest path. Links must be free of cycles.

    Items that can wait are pulled down to what uses them: one that feeds more than it needs, and chains that hang
    from such beginnings only (constants, masks), which would else float at the top.
    """
    above: list[list[int]] = [[] for _ in range(count)]
    below: list[list[int]] = [[] for _ in range(count)]
    for u, v in links:
        above[v].append(u)
        below[u].append(v)
    order = _topological(count, above, below)
    rank = [0] * count
    for item in order:
        rank[item] = max((rank[source] + 1 for source in above[item]), default=0)
    latest = list(rank)
    for item in reversed(order):
        if below[item]:
            latest[item] = min(latest[target] for target in below[item]) - 1
    waits = [False] * count
    for item in order:
        waits[item] = latest[item] > rank[item] and all(waits[source] for source in above[item])
    for item in reversed(order):
        if below[item] and (waits[item] or len(below[item]) > len(above[item])):
            rank[item] = max(rank[item], min(rank[target] for target in below[item]) - 1)
    return rank


def _topological(count: int, above: list[list[int]], below: list[list[int]]) -> list[int]:
    """Items after all they depend on, in item order where there is a choice."""
    missing = [len(sources) for sources in above]
    ready = [item for item in range(count) if not missing[item]]
    order = []
    while ready:
        item = heapq.heappop(ready)
        order.append(item)
        for target in below[item]:
            missing[target] -= 1
            if not missing[target]:
                heapq.heappush(ready, target)
    return order


def _strong_components(count: int, links: Links) -> list[int]:
    """The number of each item's strongly connected part (Kosaraju: finish order, then a flood against the links)."""
    above: list[list[int]] = [[] for _ in range(count)]
    below: list[list[int]] = [[] for _ in range(count)]
    for u, v in links:
        above[v].append(u)
        below[u].append(v)
    component = [-1] * count
    for start in reversed(_finish_order(below)):
        stack = [start]
        while stack:
            item = stack.pop()
            if component[item] < 0:
                component[item] = start
                stack.extend(source for source in above[item] if component[source] < 0)
    return component


def _finish_order(below: list[list[int]]) -> list[int]:
    """Items in the order in which a depth-first walk leaves them."""
    seen = [False] * len(below)
    order = []
    for start in range(len(below)):
        if seen[start]:
            continue
        seen[start] = True
        stack = [(start, iter(below[start]))]
        while stack:
            item, rest = stack[-1]
            target = next((other for other in rest if not seen[other]), None)
            if target is None:
                order.append(item)
                stack.pop()
            else:
                seen[target] = True
                stack.append((target, iter(below[target])))
    return order
