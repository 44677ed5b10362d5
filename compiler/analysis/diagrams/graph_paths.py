"""Ways through a diagram: between two nodes, what every way must pass, and the longest one."""

from collections.abc import Iterable, Mapping

from compiler.model.diagrams.diagrams import Diagram, DiagramEdge
from compiler.model.ir.ids import NodeId

Neighbours = Mapping[NodeId, list[NodeId]]


def between(diagram: Diagram, first: NodeId, second: NodeId) -> tuple[NodeId, ...]:
    """Every node on any way from one to the other, both ends included, in the diagram's order; empty where there is no
    way in either direction.
    """
    producers, users = _neighbours(diagram)
    for start, end in ((first, second), (second, first)):
        on_way = _reach(users, start) & _reach(producers, end)
        if on_way:
            return tuple(node.id for node in diagram.nodes if node.id in on_way)
    return ()


def shortest(diagram: Diagram, first: NodeId, second: NodeId) -> tuple[NodeId, ...]:
    """One shortest way from one to the other, in either direction; empty where there is none."""
    _, users = _neighbours(diagram)
    for start, end in ((first, second), (second, first)):
        came: dict[NodeId, NodeId] = {start: start}
        row = [start]
        while row and end not in came:
            following = []
            for node in row:
                for user in users[node]:
                    if user not in came:
                        came[user] = node
                        following.append(user)
            row = following
        if end in came:
            way = [end]
            while way[-1] != start:
                way.append(came[way[-1]])
            return tuple(reversed(way))
    return ()


def dominators(diagram: Diagram, node: NodeId) -> tuple[NodeId, ...]:
    """Nodes that every way from the diagram's beginnings to this node passes, the node itself included, in order.

    Parameters and other beginnings count as beginnings, so what is left is where all that leads here comes together.
    """
    producers, _ = _neighbours(diagram)
    order = [item.id for item in diagram.nodes if item.id in _reach(producers, node)]
    place = {name: index + 1 for index, name in enumerate(order)}  # 0 is before all beginnings
    above = [0] * (len(order) + 1)

    def meet(one: int, other: int) -> int:
        while one != other:
            if one > other:
                one = above[one]
            else:
                other = above[other]
        return one

    for name in order:
        sources = [place[source] for source in producers[name] if source in place]
        nearest = sources[0] if sources else 0
        for source in sources[1:]:
            nearest = meet(nearest, source)
        above[place[name]] = nearest
    chain = []
    at = place[node]
    while at:
        chain.append(order[at - 1])
        at = above[at]
    return tuple(reversed(chain))


def longest(diagram: Diagram, weights: Mapping[NodeId, float]) -> tuple[tuple[NodeId, ...], float]:
    """The way with the most weight, and how much: the critical path where weights are times."""
    producers, _ = _neighbours(diagram)
    total: dict[NodeId, float] = {}
    came: dict[NodeId, NodeId | None] = {}
    for node in diagram.nodes:
        best = max(
            (source for source in producers[node.id] if source in total), key=total.__getitem__, default=None
        )
        total[node.id] = (total[best] if best is not None else 0.0) + weights.get(node.id, 0.0)
        came[node.id] = best
    if not total:
        return (), 0.0
    end: NodeId | None = max(total, key=total.__getitem__)
    weight = total[end] if end is not None else 0.0
    way: list[NodeId] = []
    while end is not None:
        way.append(end)
        end = came[end]
    return tuple(reversed(way)), weight


def without(diagram: Diagram, hidden: Iterable[NodeId]) -> Diagram:
    """The diagram with nodes left out. What led through them leads on: from the nearest node that is left to the next.

    An arrow that stands for a way through hidden nodes is labelled with how many it passes at least.
    """
    gone = frozenset(hidden)
    if not gone:
        return diagram
    from_ = _left_sources(diagram, gone)
    edges = {}
    for edge in diagram.edges:
        if edge.target in gone:
            continue
        if edge.source not in gone:
            edges[edge.source, edge.target] = edge
            continue
        for source, passed in from_[edge.source].items():
            if (source, edge.target) not in edges:
                text = f"through {passed} hidden"
                edges[source, edge.target] = DiagramEdge(source, edge.target, text, edge.saved, indirect=True)
    nodes = tuple(node for node in diagram.nodes if node.id not in gone)
    return Diagram(nodes, tuple(edges.values()))


def _left_sources(diagram: Diagram, gone: frozenset[NodeId]) -> dict[NodeId, dict[NodeId, int]]:
    """For each hidden node the nodes left that lead to it, with how many hidden ones lie on the shortest such way."""
    found: dict[NodeId, dict[NodeId, int]] = {}
    producers, _ = _neighbours(diagram)
    for node in diagram.nodes:
        if node.id in gone:
            own: dict[NodeId, int] = {}
            for source in producers[node.id]:
                rows = found[source] if source in gone and source in found else {source: 0}
                for origin, passed in rows.items():
                    if origin not in gone:
                        own[origin] = min(own.get(origin, passed + 1), passed + 1)
            found[node.id] = own
    return found


def _neighbours(diagram: Diagram) -> tuple[dict[NodeId, list[NodeId]], dict[NodeId, list[NodeId]]]:
    producers: dict[NodeId, list[NodeId]] = {node.id: [] for node in diagram.nodes}
    users: dict[NodeId, list[NodeId]] = {node.id: [] for node in diagram.nodes}
    for edge in diagram.edges:
        producers[edge.target].append(edge.source)
        users[edge.source].append(edge.target)
    return producers, users


def _reach(neighbours: Neighbours, start: NodeId) -> set[NodeId]:
    found = {start}
    stack = [start]
    while stack:
        for other in neighbours[stack.pop()]:
            if other not in found:
                found.add(other)
                stack.append(other)
    return found
