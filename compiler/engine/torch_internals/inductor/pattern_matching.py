"""Torch's own matchers: that of `torch.fx.subgraph_rewriter`, and that of Inductor's registered replacements."""

import torch.fx
from torch._inductor.pattern_matcher import fx_to_pattern
from torch.fx.passes.utils.matcher_utils import SubgraphMatcher

GIVES = "matches of patterns"
NEEDS = (
    "torch._inductor.pattern_matcher:fx_to_pattern",
    "torch.fx.passes.utils.matcher_utils:SubgraphMatcher",
)

REWRITER = "torch.fx.subgraph_rewriter (SubgraphMatcher)"
REGISTERED = "torch._inductor.pattern_matcher (register_replacement)"


def rewriter_matches(pattern: torch.fx.GraphModule, graph: torch.fx.Graph, end: str) -> list[str]:
    """Nodes at which `torch.fx.replace_pattern` would find the pattern to end, no two matches sharing a node."""
    found = SubgraphMatcher(pattern.graph, remove_overlapping_matches=True).match(graph)
    ends = {node.name: node for node in pattern.graph.nodes}
    return [match.nodes_map[ends[end]].name for match in found]


def registered_matches(pattern: torch.fx.GraphModule, graph: torch.fx.Graph) -> list[str]:
    """Nodes at which an Inductor pass with this pattern registered would find it to end, the last node tried first."""
    names = [str(node.target) for node in pattern.graph.nodes if node.op == "placeholder"]
    expression = fx_to_pattern(pattern, argnames=names)
    taken: set[torch.fx.Node] = set()
    found = []
    for node in reversed(graph.nodes):
        match = expression.match(node) if node.op == "call_function" else None
        if match and taken.isdisjoint(match.nodes):
            taken.update(match.nodes)
            found.append(node.name)
    return found[::-1]
