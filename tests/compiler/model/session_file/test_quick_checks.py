"""What is checked in one look is found as by a close one."""

import msgspec
import pytest

from compiler.model.ir.arguments import ConstantArgument, NodeArgument, SequenceArgument
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.links import LinkTable
from compiler.model.session_file.checks import consistent
from compiler.model.session_file.stage_checks import check_graph
from tests.helpers import sample_capture as sample


def _node(name: str, *items: object) -> Node:
    return Node(name, "call_function", "aten.cat.default", SequenceArgument("tuple", items))


def _sequence(*items: object) -> SequenceArgument:
    return SequenceArgument("list", items)


@pytest.mark.parametrize(
    "item",
    [
        NodeArgument("later"),
        _sequence(NodeArgument("later")),
        _sequence(ConstantArgument("int", "1"), NodeArgument("later")),
        _sequence(_sequence(NodeArgument("later"))),
    ],
)
def test_what_does_not_come_before_is_found_wherever_it_is_named(item: object) -> None:
    graph = Graph((_node("first"), _node("user", item), _node("later")))
    assert list(check_graph(graph)) == ["user uses later, which does not come before it"]
    assert not list(check_graph(Graph((_node("later"), _node("user", item)))))


@pytest.mark.parametrize("side", [0, 1])
def test_links_to_nowhere_are_left_out_at_either_end(side: int) -> None:
    capture = sample.capture()
    table = next(table for table in capture.links if table.pairs)
    pair = list(table.pairs[0])
    pair[side] = "nowhere"
    wrong = msgspec.structs.replace(table, pairs=(*table.pairs, (pair[0], pair[1])))
    rest = tuple(other for other in capture.links if other is not table)
    read, faults = consistent(msgspec.structs.replace(capture, links=(wrong, *rest)))
    assert read.links == (table, *rest)
    assert len(faults) == 1
    assert "nowhere" in faults[0]


def test_links_are_gathered_once_and_are_no_part_of_the_value() -> None:
    table = LinkTable("a", "b", "same", "torch", (("x", "y"), ("x", "z"), ("v", "y"), ("x", "y")))
    assert table.down == {"x": ("y", "z"), "v": "y"}
    assert table.up == {"y": ("x", "v"), "z": "x"}
    assert table.down is table.down
    again = msgspec.json.decode(msgspec.json.encode(table), type=LinkTable)
    assert again == table
    assert not again.__dict__
