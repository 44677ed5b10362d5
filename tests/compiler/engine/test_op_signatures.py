"""Torch's own calls are described so that each can be taken apart and put together again."""

from collections.abc import Callable

import pytest

from compiler.engine.op_signatures import signatures_of
from compiler.engine.recompiling import EditedProgram
from compiler.model.op_schemas import bind, misfit, unbind

pytestmark = pytest.mark.engine


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
