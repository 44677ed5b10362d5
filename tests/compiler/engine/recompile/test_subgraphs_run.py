"""Parts of graphs as submodules and as custom operators: compiled, with gradients, at every stage that has them."""

import pytest
import torch
import torch.fx

from compiler.engine.graph_editing.submodule_callables import make_callable
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.verdicts.judge_edits import judge_edits
from compiler.model.edits.edits import apply_graph_edit
from compiler.model.edits.subgraphs import body_hash, extract_submodule, inline, wrap_in_operator
from compiler.model.ir.arguments import SequenceArgument
from compiler.model.ir.graph import Node
from tests.compiler.engine.conftest import capture
from tests.helpers.sample_capture import args, graph_with, node, output, placeholder

pytestmark = pytest.mark.engine

DYNAMO = "0/0:dynamo"


def _quiet(text: str) -> None:
    return None


def _same(program: EditedProgram, edits: tuple) -> None:
    before = program.base.stepper.compared_step(program.base.compiled).tensors
    _, problems = program.preview(edits)
    assert problems == ()
    made = program.recompile(edits, "capture-2", _quiet)
    after = program.base.stepper.compared_step(program.base.compiled).tensors
    for name, tensor in before.items():
        assert (tensor - after[name]).abs().max() <= 1e-4 * tensor.abs().max(), name
    verdict = judge_edits(program, edits, 0.0, _quiet)
    assert all(row.agrees is not False for row in verdict.comparisons), verdict
    stage = edits[0].edits[0].stage
    (holder,) = [node for node in made.stage(stage).graph.nodes if node.body]
    assert len(holder.body) > 2
    program.recompile((), "capture-3", _quiet)


@pytest.mark.thorough
def test_parts_of_an_mlp_in_training() -> None:
    program = EditedProgram(capture("mlp.py:MLP", training=True))
    graph = program.base_graph(DYNAMO, ())
    calls = [node.id for node in graph.nodes if node.op.startswith("call")]
    middle = tuple(calls[1:4])
    _same(program, (extract_submodule(DYNAMO, graph, middle, "middle"),))
    _same(program, (wrap_in_operator(DYNAMO, graph, middle, "middle"),))
    two_results = (calls[0], calls[1])
    extracted = extract_submodule(DYNAMO, graph, two_results, "first")
    edited, _ = apply_graph_edit(graph, extracted)
    back = inline(DYNAMO, edited, "first")
    program.recompile((extracted, back), "capture-4", _quiet)
    post = "0/0:forward:post_grad"
    program.recompile((), "capture-5", _quiet)
    graph = program.base_graph(post, ())
    relu = next(node.id for node in graph.nodes if "relu" in node.target)
    _same(program, (wrap_in_operator(post, graph, (relu,), "opaque"),))


@pytest.mark.thorough
def test_attention_as_an_operator_with_several_results() -> None:
    program = EditedProgram(capture("transformer_layer.py:EncoderLayer", training=True))
    graph = program.base_graph(DYNAMO, ())
    chosen = tuple(node.id for node in graph.nodes if node.id in ("view", "permute", "q", "k", "v"))
    _same(program, (wrap_in_operator(DYNAMO, graph, chosen, "split_heads"),))


def test_an_operator_is_what_torch_asks_of_operators() -> None:
    graph = graph_with(
        placeholder("x"),
        placeholder("index"),
        node("a", "torch.sin", "x"),
        node("b", "torch.index_select", "a", 0, "index"),
        node("c", "torch.t", "b"),
        output("b"),
    )
    body = (
        *graph.nodes[:-1],
        Node("output", "output", "output", SequenceArgument("tuple", (args("a", "c", "x"),))),
    )
    made = Node(
        "made",
        "call_function",
        f"loupe_made.checked_{body_hash(body)}.default",
        args("x", "index"),
        body=body,
    )
    make_callable(torch.fx.GraphModule({}, torch.fx.Graph()), made, ())
    operator = getattr(torch.ops.loupe_made, made.target.split(".")[1]).default
    x = torch.randn(4, 3, requires_grad=True)
    index = torch.tensor([1, 1, 2])
    torch.library.opcheck(operator, (x, index))
    a, c, same = operator(x, index)
    assert not any(torch._C._is_alias_of(value, other) for value, other in ((c, a), (same, x), (a, x)))
    (a.sum() + (c * 2).sum() + (same * 3).sum()).backward()
    own = x.detach().requires_grad_()
    sine = own.sin()
    (sine.sum() + (sine[index].t() * 2).sum() + (own * 3).sum()).backward()
    assert torch.allclose(x.grad, own.grad)
