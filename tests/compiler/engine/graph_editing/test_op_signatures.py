"""Torch's own calls are described so that each can be taken apart and put together again."""

from collections.abc import Callable

import pytest

from compiler.engine.graph_editing.op_candidates import choices_for
from compiler.engine.graph_editing.op_signatures import signatures_of
from compiler.engine.graph_editing.shape_propagation import propagate_values
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.torch_internals.live.live_graphs import fake_mode_of
from compiler.model.edits.edits import ReplaceTarget
from compiler.model.operators.op_schemas import bind, misfit, unbind

pytestmark = pytest.mark.engine


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name", ["transformer_layer.py:EncoderLayer", "breaky.py:Breaky", "conv_bn_relu.py:Net"]
)
def test_every_call_of_an_example_is_understood(name: str, program: Callable[[str], EditedProgram]) -> None:
    edited = program(name)
    counted = 0
    for stage in edited.base.capture.stages:
        if stage.kind.value not in ("dynamo_graph", "post_grad_graph"):
            continue
        module, graph = edited.edited_module(stage.id, ())
        for live in module.graph.nodes:
            if not live.op.startswith("call"):
                continue
            node = graph.node(live.name)
            signature = signatures_of(live).signatures[0]
            bound = bind(signature, node)
            assert bound is not None, (node.target, signature.text)
            assert unbind(signature, node, bound, dict(bound.values)) == (node.args, node.kwargs)
            faults = [
                misfit(row, value, graph)
                for key, value in bound.values
                if (row := signature.parameter(key)) is not None
            ]
            assert not any(faults), (node.target, signature.text, faults)
            counted += 1
    assert counted > 15


@pytest.mark.thorough
def test_modules_of_the_model_are_among_the_choices(program: Callable[[str], EditedProgram]) -> None:
    edited = program("mlp_dropout.py:MLP")
    module, graph = edited.edited_module("0/0:dynamo", ())
    linears = [node for node in module.graph.nodes if "linear" in str(node.target)]
    inputs = edited.inputs_of("0/0:dynamo", module)
    mode = fake_mode_of(inputs)
    values = propagate_values(module, inputs, mode, gradients=True)
    choices = choices_for(linears[2], lambda node: values.get(node.name), mode).choices
    found = {choice.label: choice for choice in choices if choice.label.startswith("fc")}
    assert set(found) == {"fc2"}  # fc1 takes 64 numbers, and gets 128 here
    choice = found["fc2"]
    assert choice.signature == "Linear fc2, as linear_1 calls it → f32[32, 128]"
    assert choice.args.items[0].node == graph.node(linears[2].name).inputs()[0]
    last = next(
        choice
        for choice in choices_for(linears[1], lambda node: values.get(node.name), mode).choices
        if choice.label == "fc3"
    )
    swapped = ReplaceTarget("0/0:dynamo", linears[1].name, last.op, last.target, last.args, last.kwargs)
    _, problems = edited.preview((swapped,))
    assert problems  # ten numbers where fc3 wants 128: told before anything is compiled
