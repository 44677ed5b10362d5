"""What is shown as a match is what torch's matchers match, and what is applied is what torch would apply."""

import pytest
import torch.fx

from compiler.analysis.text_format.parser import parse_graph
from compiler.engine.fx.graph_import import read_graph
from compiler.engine.graph_editing.submodule_callables import body_module
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.recompile.pattern_search import find_matches
from compiler.engine.torch_internals.patch.cloning import clone_module
from compiler.engine.verdicts.judge_edits import judge_edits
from compiler.model.edits.edits import apply_graph_edit
from compiler.model.edits.patterns import pattern_of, replace_matches
from tests.compiler.analysis.text_format.test_parser import printed
from tests.compiler.engine.conftest import capture

pytestmark = pytest.mark.engine

DYNAMO = "0/0:dynamo"


def _quiet(text: str) -> None:
    return None


@pytest.fixture(scope="module")
def mlp() -> EditedProgram:
    return EditedProgram(capture("mlp_dropout.py:MLP", training=True))


def _shape(graph) -> list[tuple[str, int]]:
    index = {node.id: number for number, node in enumerate(graph.nodes)}
    return sorted(
        (node.target, len(node.inputs())) for node in graph.nodes if node.id in index and node.op != "output"
    )


@pytest.mark.thorough
def test_replacing_is_what_torch_would_do(mlp: EditedProgram) -> None:
    module, graph = mlp.edited_module(DYNAMO, ())
    relu, dropout = next((node.inputs()[0], node.id) for node in graph.nodes if "dropout" in node.target)
    pattern = pattern_of(graph, (relu, dropout))
    found = find_matches(mlp, DYNAMO, pattern, ())
    assert "subgraph_rewriter" in found.matcher
    assert len(found.matches) == 2
    text = printed(pattern)
    line = next(line for line in text.split("\n") if f"    {dropout} = " in line)
    inner = pattern.node(relu).inputs()[0]
    replacement = parse_graph(
        text.replace(line, f"    {dropout} = torch.nn.functional.silu({inner})"), pattern
    ).graph
    group = replace_matches(DYNAMO, graph, pattern, found.matches, replacement)
    edited, _ = apply_graph_edit(graph, group)

    copy = clone_module(module)
    torch.fx.replace_pattern(copy, body_module(pattern.nodes), body_module(replacement.nodes))
    copy.graph.eliminate_dead_code()
    ours = mlp.edited_module(DYNAMO, (group,))[0]
    ours.graph.eliminate_dead_code()
    assert _shape(read_graph(copy.graph)) == _shape(read_graph(ours.graph))
    assert sum(node.target.endswith("silu") for node in edited.nodes) == 2

    mlp.recompile((group,), "capture-2", _quiet)
    verdict = judge_edits(mlp, (group,), 0.0, _quiet)
    assert all(
        row.agrees is not False for row in verdict.comparisons if row.reference.startswith("edited graph")
    )
    mlp.recompile((), "capture-3", _quiet)


@pytest.mark.thorough
def test_a_constant_that_differs_is_the_reason(mlp: EditedProgram) -> None:
    graph = mlp.base_graph(DYNAMO, ())
    dropout = next(node.id for node in graph.nodes if "dropout" in node.target)
    pattern = pattern_of(graph, (dropout,))
    text = printed(graph).replace("0.1, True, False)", "0.25, True, False)", 1)
    edited = parse_graph(text, graph).graph
    assert edited is not None
    from compiler.model.edits.edits_between import edits_between

    edit = edits_between(DYNAMO, graph, edited, "another rate")
    assert edit is not None
    found = find_matches(mlp, DYNAMO, pattern, (edit,))
    assert len(found.matches) == 1
    (miss,) = [row for row in found.near if row.path == ("args", "1")]
    assert miss.node == dropout
    assert miss.why == f"argument 1 of {dropout} is 0.25, the pattern wants 0.1"
    general = pattern_of(graph, (dropout,), frozenset({(dropout, ("args", "1"))}))
    assert len(find_matches(mlp, DYNAMO, general, (edit,)).matches) == 2


def test_post_grad_patterns_go_through_inductors_matcher(mlp: EditedProgram) -> None:
    stage = "0/0:forward:post_grad"
    graph = mlp.base_graph(stage, ())
    relu = next(node for node in graph.nodes if node.target == "aten.relu.default")
    pattern = pattern_of(graph, (relu.inputs()[0], relu.id))
    found = find_matches(mlp, stage, pattern, ())
    assert "register_replacement" in found.matcher
    assert {match.stage for match in found.matches} == {stage}
    assert len(found.matches) == 2
    replacement = parse_graph(
        printed(pattern).replace("aten.relu.default", "aten.tanh.default"), pattern
    ).graph
    assert replacement is not None
    group = replace_matches(stage, graph, pattern, found.matches, replacement)
    made = mlp.recompile((group,), "capture-4", _quiet)
    assert not [node for node in made.stage(stage).graph.nodes if node.target == "aten.relu.default"]
    mlp.recompile((), "capture-5", _quiet)
    alone = find_matches(mlp, stage, pattern_of(graph, (relu.inputs()[0],)), ())
    assert any(row.why for row in alone.near) or len(alone.matches) == 3


def test_what_is_less_than_half_the_pattern_is_not_near(mlp: EditedProgram) -> None:
    graph = mlp.base_graph(DYNAMO, ())
    calls = [node.id for node in graph.nodes if node.op.startswith("call")]
    whole = pattern_of(graph, tuple(calls))
    found = find_matches(mlp, DYNAMO, whole, ())
    assert len(found.matches) == 1
    assert all(2 * len(miss.pairs) >= len(calls) - 1 for miss in found.near)
