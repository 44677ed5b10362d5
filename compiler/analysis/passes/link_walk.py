"""Following links with their proof: what a node was made from and what became of it, and how we know."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

import msgspec

from compiler.model.ir.ids import NodeId, StageId
from compiler.model.ir.links import LinkTable

PROOFS: dict[str, str] = {
    "torch": "recorded by torch",
    "python": "recorded by Python",
    "debug": "by Triton's debug locations",
    "tag": "carried by our mark",
    "name": "same node, by name",
    "guess": "a guess",
}
"""What `LinkTable.proof` says, in words, the strongest first."""

Location = tuple[StageId, NodeId]


class Reached(msgspec.Struct, frozen=True):
    """How a node was reached."""

    kind: str
    """`LinkTable.kind` of the link that led there."""
    proof: str
    """Its proof; ``guess`` if any link on the way was one."""


class Lineage:
    """An index over link tables. Immutable once made."""

    def __init__(self, tables: Iterable[LinkTable]) -> None:
        self._from: dict[StageId, list[tuple[LinkTable, Reached]]] = defaultdict(list)
        self._to: dict[StageId, list[tuple[LinkTable, Reached]]] = defaultdict(list)
        for table in tables:
            how = Reached(table.kind, table.proof if table.proof in PROOFS else "guess")
            self._from[table.source].append((table, how))
            self._to[table.target].append((table, how))

    def ancestors(self, start: Iterable[Location]) -> dict[Location, Reached]:
        """Everything that the nodes were made from; the start is not in it."""
        return _walk(self._above, start)

    def descendants(self, start: Iterable[Location]) -> dict[Location, Reached]:
        """Everything made from the nodes; the start is not in it."""
        return _walk(self._below, start)

    def _above(self, location: Location) -> Iterator[tuple[Location, Reached]]:
        stage, node = location
        for table, how in self._to.get(stage, ()):
            for found in _each(table.up.get(node, ())):
                yield (table.source, found), how

    def _below(self, location: Location) -> Iterator[tuple[Location, Reached]]:
        stage, node = location
        for table, how in self._from.get(stage, ()):
            for found in _each(table.down.get(node, ())):
                yield (table.target, found), how


def _each(linked: NodeId | tuple[NodeId, ...]) -> tuple[NodeId, ...]:
    return (linked,) if isinstance(linked, str) else linked


def _walk(
    edges: Callable[[Location], Iterable[tuple[Location, Reached]]], start: Iterable[Location]
) -> dict[Location, Reached]:
    """Ways without a guess first, so that what can be proved is called proved."""
    begun = list(start)
    found: dict[Location, Reached] = {}
    guesses: list[tuple[Location, Reached]] = []
    stack = list(begun)
    while stack:
        for location, how in edges(stack.pop()):
            if how.proof == "guess":
                guesses.append((location, how))
            elif location not in found or _stronger(how, found[location]):
                if location not in found:
                    stack.append(location)
                found[location] = how
    while guesses:
        location, how = guesses.pop()
        if location not in found:
            found[location] = Reached(how.kind, "guess")
            guesses += edges(location)
    for location in begun:
        found.pop(location, None)
    return found


def _stronger(one: Reached, other: Reached) -> bool:
    order = list(PROOFS)
    return order.index(one.proof) < order.index(other.proof)
