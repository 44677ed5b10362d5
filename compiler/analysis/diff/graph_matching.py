"""Any two graphs matched node by node: kept, changed, moved, added, removed."""

from collections import Counter
from collections.abc import Mapping

import msgspec

from compiler.model.capture.counted import counted
from compiler.model.diff.graph_diff import same_but_for_lines
from compiler.model.diff.node_diff import differences
from compiler.model.diff.node_matching import is_turned, pair_nodes
from compiler.model.diff.sequence_alignment import longest_rising
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NodeId

KEPT, CHANGED, MOVED = "kept", "changed", "moved"


class NodePair(msgspec.Struct, frozen=True):
    """A node that is in both graphs."""

    before: NodeId
    after: NodeId
    kind: str = KEPT
    """``kept``; ``changed``: another call, other arguments or another result; ``moved``: the same call at another place in
    the order, or on the results of other nodes."""
    parts: tuple[str, ...] = ()
    """What is different: ``call``, ``arguments``, ``type``, ``role``, ``notes``, ``inputs``, ``order``, each once."""
    what: tuple[str, ...] = ()
    """The same in words: ``calls torch.relu → torch.nn.functional.gelu``."""


class GraphMatch(msgspec.Struct, frozen=True):
    """How two graphs belong together."""

    pairs: tuple[NodePair, ...] = ()
    """In the order of the graph after."""
    added: tuple[NodeId, ...] = ()
    """Nodes that only the graph after has, in its order."""
    removed: tuple[NodeId, ...] = ()
    """Nodes that only the graph before has, in its order."""

    @property
    def same(self) -> bool:
        """Whether nothing differs but names."""
        return not self.added and not self.removed and all(pair.kind == KEPT for pair in self.pairs)

    def of_kind(self, kind: str) -> tuple[NodePair, ...]:
        """The pairs of a kind."""
        return tuple(pair for pair in self.pairs if pair.kind == kind)


def match_graphs(
    before: Graph,
    after: Graph,
    same_names: bool = False,
    origins: Mapping[str, str] | None = None,
    recorded: Mapping[NodeId, NodeId] | None = None,
) -> GraphMatch:
    """Match two graphs. The arguments mean what those of `pair_nodes` mean.

    `match_graphs(b, a)` is `match_graphs(a, b)` seen in a mirror: added and removed change places, pairs turn round.
    """
    if origins is None and not recorded and same_but_for_lines(before, after):
        return GraphMatch(tuple(NodePair(node.id, node.id) for node in after.nodes))
    old, new = before.nodes, after.nodes
    found = pair_nodes(before, after, same_names, origins, recorded)
    partner = {old[a].id: new[b].id for a, b in found.items()}
    steady = _steady(found, is_turned(before, after))
    pairs = []
    for b, a in sorted((b, a) for a, b in found.items()):
        reported = differences(old[a], new[b], partner)
        parts = tuple(dict.fromkeys(part for part, _ in reported))
        what = tuple(words for _, words in reported)
        if a not in steady:
            parts, what = (*parts, "order"), (*what, "stands at another place in the order")
        moved = all(part in ("inputs", "order") for part in parts)
        kind = KEPT if not parts else MOVED if moved else CHANGED
        pairs.append(NodePair(old[a].id, new[b].id, kind, parts, what))
    taken = set(found.values())
    return GraphMatch(
        tuple(pairs),
        tuple(node.id for index, node in enumerate(new) if index not in taken),
        tuple(node.id for index, node in enumerate(old) if index not in found),
    )


def _steady(found: Mapping[int, int], turned: bool) -> set[int]:
    """Places before of as many nodes as can be said to have stayed where they are."""
    if turned:
        return {a for _, a in longest_rising(sorted((b, a) for a, b in found.items()))}
    return {a for a, _ in longest_rising(sorted(found.items()))}


_WORDS = {
    "call": "another call",
    "arguments": "other arguments",
    "type": "another result",
    "role": "another role",
    "notes": "other notes",
}


def describe(match: GraphMatch) -> str:
    """``1 added, 2 changed (1 with another call), 3 moved · 40 equal``; never empty."""
    changed, moved = match.of_kind(CHANGED), match.of_kind(MOVED)
    parts = [
        f"{count:,} {word}"
        for count, word in (
            (len(match.added), "added"),
            (len(match.removed), "removed"),
            (len(changed), f"changed{_why(changed)}"),
            (sum("order" in pair.parts for pair in moved), "moved"),
            (sum("order" not in pair.parts for pair in moved), "rewired"),
        )
        if count
    ]
    equal = len(match.pairs) - len(changed) - len(moved)
    if not parts:
        return f"No difference: {counted(equal, 'equal node')}"
    return f"{', '.join(parts)} · {equal:,} equal"


def _why(changed: tuple[NodePair, ...]) -> str:
    """Each node counts once, by what matters most about it."""
    counts = Counter(next((part for part in _WORDS if part in pair.parts), "") for pair in changed)
    reported = [f"{counts[part]:,} with {words}" for part, words in _WORDS.items() if counts[part]]
    return f" ({', '.join(reported)})" if reported else ""
