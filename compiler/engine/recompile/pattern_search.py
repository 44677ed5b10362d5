"""Looking for a pattern in every graph of the kind it was taken from."""

import torch.fx

from compiler.engine.errors import EngineError
from compiler.engine.graph_editing.submodule_callables import body_module
from compiler.engine.recompile.asks_edited import AsksEdited
from compiler.engine.torch_internals.inductor.pattern_matching import (
    REGISTERED,
    REWRITER,
    registered_matches,
    rewriter_matches,
)
from compiler.model.edits.edits import Edit
from compiler.model.edits.pattern_explanation import candidates, explain
from compiler.model.edits.patterns import NearMiss, PatternMatch, PatternMatches, results_of
from compiler.model.ir.dialect import speaks_aten
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import StageId

_MOST_NEAR = 40


def find_matches(
    program: AsksEdited, stage: StageId, pattern: Graph, edits: tuple[Edit, ...]
) -> PatternMatches:
    """Where torch finds the pattern, and where it nearly would. Raises EngineError."""
    aten = speaks_aten(pattern)
    try:
        wanted = body_module(pattern.nodes)
    except KeyError as error:
        raise EngineError(str(error.args[0]), "Take this call out of the pattern.") from error
    matches: list[PatternMatch] = []
    near: list[NearMiss] = []
    for other in program.graphs_alike(stage, edits):
        module, graph = program.edited_module(other, edits)
        found = _ends(wanted, module, pattern, aten)
        for end in candidates(pattern, graph):
            reported = explain(other, pattern, graph, end)
            if isinstance(reported, NearMiss):
                near.append(_but_torch(reported) if end in found else reported)
            elif end in found:
                matches.append(reported)
            else:
                near.append(_not_torch(reported))
    calls = sum(node.op.startswith("call") for node in pattern.nodes)
    near = [miss for miss in near if 2 * len(miss.pairs) >= calls - 1]  # less than half is not near
    near.sort(key=lambda miss: -len(miss.pairs))
    return PatternMatches(tuple(matches), tuple(near[:_MOST_NEAR]), REGISTERED if aten else REWRITER)


def _ends(wanted: torch.fx.GraphModule, module: torch.fx.GraphModule, pattern: Graph, aten: bool) -> set[str]:
    if aten:
        return set(registered_matches(wanted, module.graph))
    return set(rewriter_matches(wanted, module.graph, results_of(pattern)[0]))


def _but_torch(miss: NearMiss) -> NearMiss:
    """Torch brings arguments into one form before it compares them; here they are replaced as they are written."""
    why = f"torch finds it here, but spelled in another way: {miss.why}"
    return NearMiss(miss.stage, miss.pairs, miss.pattern_node, miss.node, miss.path, why)


def _not_torch(match: PatternMatch) -> NearMiss:
    pattern_node, node = match.pairs[-1]
    why = f"{node} looks the same, but torch's matcher does not take it (it overlaps a match, or its users differ)"
    return NearMiss(match.stage, match.pairs, pattern_node, node, (), why)
