"""Between two passes a graph may stand in an order in which it could not run; it is laid out in one in which it could."""

import heapq
import operator

from compiler.model.diagrams.diagrams import Diagram
from compiler.model.ir.identity_cache import identity_cached


@identity_cached
def in_running_order(shown: Diagram | None) -> Diagram | None:
    """The diagram, its boxes moved only as far as their arrows ask; boxes in a circle stay at the end."""
    if shown is None:
        return None
    place = {node.id: index for index, node in enumerate(shown.nodes)}
    sources = [place[edge.source] for edge in shown.edges]
    if all(map(operator.lt, sources, [place[edge.target] for edge in shown.edges])):
        return shown
    waiting = dict.fromkeys(place, 0)
    users: dict[str, list[str]] = {node: [] for node in place}
    for edge in shown.edges:
        waiting[edge.target] += 1
        users[edge.source].append(edge.target)
    ready = [place[node] for node, count in waiting.items() if not count]
    heapq.heapify(ready)
    order = []
    while ready:
        node = shown.nodes[heapq.heappop(ready)]
        order.append(node)
        for user in users[node.id]:
            waiting[user] -= 1
            if not waiting[user]:
                heapq.heappush(ready, place[user])
    left = [node for node in shown.nodes if waiting[node.id]]
    kept = {node.id for node in order}
    edges = tuple(edge for edge in shown.edges if {edge.source, edge.target} <= kept) if left else shown.edges
    return Diagram((*order, *left), edges, shown.hidden)
