"""Filters: an ordered list of queries that say which nodes of a graph are drawn."""

import enum
from collections.abc import Sequence

import msgspec

from compiler.analysis.queries.node_facts import NodeFacts
from compiler.analysis.queries.query_language import found, parse
from compiler.model.ir.ids import NodeId


class FilterKind(enum.Enum):
    """What a filter does with the nodes that its query finds."""

    HIDE = "hide"
    ONLY = "only"
    """Keep these and hide the others."""
    SHOW = "show"
    """Draw these after all, whatever stands before in the list."""


class NodeFilter(msgspec.Struct, frozen=True):
    """One row of the list."""

    kind: FilterKind
    query: str
    on: bool = True


class FilterList(msgspec.Struct, frozen=True):
    """A list under a name, as it is kept."""

    name: str
    filters: tuple[NodeFilter, ...]


def keys_of(filters: Sequence[NodeFilter]) -> frozenset[str]:
    """What the filters ask about. Raises QueryError."""
    return frozenset(key for row in filters if row.on for key in parse(row.query).keys)


def hidden_by(filters: Sequence[NodeFilter], nodes: Sequence[NodeFacts]) -> frozenset[NodeId]:
    """The nodes that the filters hide, applied one after the other. A filter with an empty query does nothing.

    Raises QueryError.
    """
    every = frozenset(node.id for node in nodes)
    shown = every
    for row in filters:
        query = parse(row.query)
        if not row.on or not query:
            continue
        chosen = frozenset(found(query, nodes))
        match row.kind:
            case FilterKind.HIDE:
                shown -= chosen
            case FilterKind.ONLY:
                shown &= chosen
            case FilterKind.SHOW:
                shown |= chosen
    return every - shown
