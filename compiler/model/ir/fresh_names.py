"""Names for new nodes."""

from collections.abc import Collection, Iterator

from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NodeId


def unused_name(graph: Graph, wish: str, taken: Collection[NodeId] = ()) -> NodeId:
    """`wish` as a name no node has, with a number behind it where needed."""
    return next(name for name in numbered(wish) if not graph.holds(name) and name not in taken)


def numbered(wish: str) -> Iterator[NodeId]:
    """The names that a wish can lead to: it as a name, then with 1, 2 and so on behind it."""
    base = (
        "".join(letter if letter.isalnum() or letter == "_" else "_" for letter in wish).strip("_") or "node"
    )
    base = f"n_{base}" if base[0].isdigit() else base
    yield base
    number = 1
    while True:
        yield f"{base}_{number}"
        number += 1
