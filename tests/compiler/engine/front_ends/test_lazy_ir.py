"""LazyTensor's text as a graph."""

import pytest

from compiler.engine.front_ends.lazy_tensor.ir_import import IrReader
from compiler.engine.front_ends.lazy_tensor.sync_tracing import SyncedGraph

pytestmark = pytest.mark.engine

_TEXT = """IR {
  %0 = [Float[4]] lazy_tensors::device_data(), device=CPU0, ROOT=1
  %1 = [Float[4]] aten::relu(%0), ROOT=0
  %2 = [Float[4]] lazy_tensors::device_data(), device=CPU0, ROOT=2
  %3 = [Float[4]] aten::add(%1, %2), ROOT=3
}
"""


def test_an_argument_that_is_called_by_its_position_is_no_other_node() -> None:
    """``%1`` is an argument, and torch's number of another node: two nodes of one name fit no graph."""
    read = IrReader().read(SyncedGraph(_TEXT, {}, {1: "%1", 2: "%0"}, "", 4))
    ids = [node.id for node in read.graph.nodes]
    assert sorted(ids) == ["%0", "%1", "%2", "%3", "return"]
    (last,) = (node for node in read.graph.nodes if node.id == "%3")
    assert set(last.inputs()) == {"%1", "%2"}
    named = IrReader().read(SyncedGraph(_TEXT, {}, {1: "%x", 2: "weight"}, "", 4))
    assert {node.id for node in named.graph.nodes} == {"%x", "%1", "weight", "%3", "return"}
