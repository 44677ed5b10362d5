"""Following links with their proof: what a node was made from and what became of it, and how we know."""

from collections import defaultdict
from collections.abc import Iterable

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

Spot = tuple[StageId, NodeId]


class Reached(msgspec.Struct, frozen=True):
    """How a node was reached."""

    kind: str
    """`LinkTable.kind` of the link that led there."""
    proof: str
    """Its proof; ``guess`` if any link on the way was one."""


class Lineage:
    """An index over link tables. Immutable once made."""

    def __init__(self, tables: Iterable[LinkTable]) -> None:
        self._down: dict[Spot, list[tuple[Spot, Reached]]] = defaultdict(list)
        self._up: dict[Spot, list[tuple[Spot, Reached]]] = defaultdict(list)
        for table in tables:
            how = Reached(table.kind, table.proof if table.proof in PROOFS else "guess")
            for source, target in table.pairs:
                self._down[table.source, source].append(((table.target, target), how))
                self._up[table.target, target].append(((table.source, source), how))

    def ancestors(self, start: Iterable[Spot]) -> dict[Spot, Reached]:
        """Everything that the nodes were made from; the start is not in it."""
        return _walk(self._up, start)

    def descendants(self, start: Iterable[Spot]) -> dict[Spot, Reached]:
        """Everything made from the nodes; the start is not in it."""
        return _walk(self._down, start)


def _walk(edges: dict[Spot, list[tuple[Spot, Reached]]], start: Iterable[Spot]) -> dict[Spot, Reached]:
    """Ways without a guess first, so that what can be proved is called proved."""
    begun = list(start)
    found: dict[Spot, Reached] = {}
    guesses: list[tuple[Spot, Reached]] = []
    stack = list(begun)
    while stack:
        for spot, how in edges.get(stack.pop(), ()):
            if how.proof == "guess":
                guesses.append((spot, how))
            elif spot not in found or _stronger(how, found[spot]):
                if spot not in found:
                    stack.append(spot)
                found[spot] = how
    while guesses:
        spot, how = guesses.pop()
        if spot not in found:
            found[spot] = Reached(how.kind, "guess")
            guesses += edges.get(spot, ())
    for spot in begun:
        found.pop(spot, None)
    return found


def _stronger(one: Reached, other: Reached) -> bool:
    order = list(PROOFS)
    return order.index(one.proof) < order.index(other.proof)
