"""A node that an edit puts into a live graph gets the line of what stands nearest to it."""

import operator

import pytest
import torch.fx

from compiler.engine.errors import EngineError
from compiler.engine.fx.graph_import import read_graph
from compiler.engine.graph_editing.apply_to_live_graph import sync
from compiler.engine.graph_editing.stage_editor import applied
from compiler.model.edits.edits import InsertNode, ReplaceTarget
from compiler.model.ir.arguments import NodeArgument, SequenceArgument
from compiler.model.ir.graph import Node


def line(number: int) -> str:
    return f'  File "/m.py", line {number}, in forward\n    y = x\n'


@pytest.mark.parametrize(
    ("behind", "lines", "expected"),
    [
        (("x",), {"second": 3}, 3),  # an input has none: what reads it
        (("x", "first"), {"first": 2, "second": 3}, 2),  # the second input has one
        (("first",), {"second": 3}, 3),  # nothing above has one
        (("second",), {"first": 2}, 2),  # two steps above
        (("second",), {}, None),
    ],
)
def test_a_new_node_gets_the_line_of_the_nearest_node_that_has_one(
    behind: tuple[str, ...], lines: dict[str, int], expected: int | None
) -> None:
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    first = graph.create_node("call_function", torch.relu, (x,), name="first")
    second = graph.create_node("call_function", operator.add, (first, first), name="second")
    graph.output(second)
    for node in graph.nodes:
        if node.name in lines:
            node.stack_trace = line(lines[node.name])
    module = torch.fx.GraphModule(torch.nn.Module(), graph)
    before = read_graph(graph)
    arguments = SequenceArgument("tuple", tuple(map(NodeArgument, behind)))
    target = "torch.sigmoid" if len(behind) == 1 else "_operator.mul"
    edit = InsertNode(
        "0/0:dynamo",
        Node("put_here", "call_function", target, arguments),
        before.index(behind[-1]) + 1,
        before.uses_of(behind[-1]),
    )
    sync(module, before, applied(before, (edit,), "0/0:dynamo"), "0/0:dynamo")
    put = next(node for node in read_graph(module.graph).nodes if node.id == "put_here")
    assert [row.line for row in put.stack] == ([expected] if expected else [])


@pytest.mark.parametrize("op", ["call_module", "get_attr"])
def test_a_module_that_the_graph_does_not_hold_is_refused_by_name(op: str) -> None:
    """It was a traceback out of torch.fx's own check."""
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    graph.output(graph.call_function(torch.relu, (x,)))
    module = torch.fx.GraphModule(torch.nn.Module(), graph)
    before = read_graph(graph)
    arguments = SequenceArgument("tuple", (NodeArgument("x"),) if op == "call_module" else ())
    edit = ReplaceTarget("0/0:dynamo", "relu", op, "nope.gone", arguments)
    with pytest.raises(EngineError, match=r"relu: This graph holds no 'nope\.gone'"):
        sync(module, before, applied(before, (edit,), "0/0:dynamo"), "0/0:dynamo")
