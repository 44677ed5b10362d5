"""A graph before and after its edits, with what is needed to meet it again in another process."""

import hashlib
from collections.abc import Iterable

import msgspec

from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NodeId, StageId

FRONT_END = "front_end"
"""`EditedGraph.what` of a graph that another front end than torch.compile made."""


class EditedGraph(msgspec.Struct, frozen=True):
    """One FX graph that edits change."""

    stage: StageId
    what: str
    """``dynamo``, ``pre_grad``, ``joint``, ``inference``, ``aot`` or ``post_grad``: which of torch's hooks meets it; or
    `FRONT_END`."""
    base: Graph
    """As it was before its own edits, those of earlier stages made."""
    edited: Graph
    compile_id: str = ""
    """Set where another graph of the program has nodes of the same names, so that it takes more to distinguish them."""
    body: str = ""
    """The submodule that it is of the graph that torch's hook meets, where a higher-order operator calls it."""
    holder_names: str = ""
    """`names` of that graph."""

    @property
    def names(self) -> str:
        """What the graph that is met is recognised by: a digest of its nodes' names, in any order."""
        return self.holder_names or names_of(self.base)


def names_of(graph: Graph) -> str:
    """What a graph is recognised by: a digest of its nodes' names, in any order. Constants that nothing uses, which torch
    takes out at some point, do not count.
    """
    used = {name for node in graph.nodes for name in node.inputs()}
    return digest(node.id for node in graph.nodes if node.op != "get_attr" or node.id in used)


def digest(names: Iterable[NodeId]) -> str:
    """As the exported file computes it."""
    return hashlib.sha256("\n".join(sorted(names)).encode()).hexdigest()[:16]
