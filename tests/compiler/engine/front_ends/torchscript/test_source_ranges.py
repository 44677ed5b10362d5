"""The calls that led to a node of an inlined TorchScript graph."""

import pytest
import torch

from compiler.engine.front_ends.torchscript import source_ranges
from compiler.engine.front_ends.torchscript.graph_import import nodes_in, operations_of, read_script_graph
from compiler.engine.front_ends.torchscript.source_ranges import Callers, own_stack
from compiler.engine.torch_internals.torchscript.script_passes import functions, inlined

pytestmark = [pytest.mark.engine, pytest.mark.filterwarnings("ignore:.*torch.jit.*:DeprecationWarning")]


def helper(x: torch.Tensor) -> torch.Tensor:
    return x.relu()


def twice(x: torch.Tensor) -> torch.Tensor:
    y = helper(x)
    return helper(y)


class Shared(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = torch.nn.Linear(2, 2)
        self.second = torch.nn.Linear(2, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.first(x)
        return self.second(y)


@pytest.fixture(autouse=True)
def this_file_is_the_users(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_ranges, "is_linked", lambda path: path == __file__)


def lines_by_target(scripted: object, target: str) -> list[list[int]]:
    callers = Callers(scripted.graph, functions())  # type: ignore[attr-defined]
    graph = read_script_graph(inlined(scripted.graph), callers)  # type: ignore[attr-defined]
    return [[line.line for line in node.stack] for node in graph.nodes if node.target == target]


def test_two_modules_of_one_type_are_distinguished():
    first = Shared.forward.__code__.co_firstlineno + 1
    assert lines_by_target(torch.jit.script(Shared()), "aten::linear") == [[first], [first + 1]]


def test_two_calls_of_one_function_are_distinguished_by_their_order():
    body, first = helper.__code__.co_firstlineno + 1, twice.__code__.co_firstlineno + 1
    assert lines_by_target(torch.jit.script(twice), "aten::relu") == [[first, body], [first + 1, body]]


def test_where_a_pass_took_one_of_two_calls_away_neither_is_said_to_be_left():
    scripted = torch.jit.script(twice)
    graph = inlined(scripted.graph)
    first, second = graph.findAllNodes("aten::relu", recurse=True)
    second.output().replaceAllUsesWith(first.output())
    second.destroy()
    (left,) = (
        node
        for node in read_script_graph(graph, Callers(scripted.graph, functions())).nodes
        if node.target == "aten::relu"
    )
    assert [line.line for line in left.stack] == [helper.__code__.co_firstlineno + 1]


class Normed(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.blocks = torch.nn.Sequential(torch.nn.BatchNorm1d(2), torch.nn.BatchNorm1d(2))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.blocks(x)


def test_blocks_that_torch_loses_the_instance_of_are_found_by_their_order():
    scripted = torch.jit.script(Normed())
    callers = Callers(scripted.graph, functions())
    graph = read_script_graph(inlined(scripted.graph), callers)
    counted = [node.module_path for node in graph.nodes if node.target == "aten::add_"]
    assert [path.partition(".if")[0] for path in counted] == ["blocks.0", "blocks.1"]


def test_a_traced_range_is_the_whole_python_stack():
    text = "/a/model.py(7): forward\n/b/module.py(9): _call_impl\n/a/model.py(20): outer\n"
    assert [(line.path, line.line, line.function) for line in own_stack(text)] == [
        ("/a/model.py", 20, "outer"),
        ("/b/module.py", 9, "_call_impl"),
        ("/a/model.py", 7, "forward"),
    ]


def test_a_block_stands_before_its_node_and_its_results_are_inputs_of_it():
    graph = torch._C.parse_ir(
        "graph(%x : Tensor, %flag : bool):\n"
        "  %y : Tensor = prim::If(%flag)\n"
        "    block0():\n      %a : Tensor = aten::relu(%x)\n      -> (%a)\n"
        "    block1():\n      -> (%x)\n"
        "  return (%y)"
    )
    assert (nodes_in(graph), operations_of(graph)) == (2, 2)
    x, flag, inner, result, last = read_script_graph(graph).nodes
    assert (x.op, flag.op, last.op) == ("placeholder", "placeholder", "output")
    assert (inner.target, inner.module_path) == ("aten::relu", "if_1.then")
    assert result.inputs() == (flag.id, inner.id, x.id)
