"""The program at PrimTorch's four levels, linked node by node."""

import itertools

import pytest

from compiler.command_line.worker_client import WorkerClient
from compiler.model.front_end_comparison.prim_levels import LEVELS, level_of, level_stage
from compiler.model.ir.ids import place
from compiler.model.ir.links import Provenance
from compiler.model.ir.stage import StageKind
from tests.compiler.worker.test_front_ends import captured

pytestmark = [pytest.mark.engine, pytest.mark.worker]


@pytest.mark.thorough
def test_levels_are_linked_node_by_node(worker: WorkerClient):
    capture = captured(worker, "mlp.py:MLP", "prims")
    graphs = capture.of_kind(StageKind.FRONT_END_GRAPH)
    assert [stage.id for stage in graphs] == [level_stage(level) for level in range(len(LEVELS))]
    assert [level_of(stage.id) for stage in graphs] == [0, 1, 2, 3]
    links = Provenance(capture.links)
    locations = links.follow(place("prims:torch", "relu"))
    assert locations["prims:aten"].nodes[-1] == "relu"
    prims = capture.stage("prims:prims").graph
    assert prims is not None
    made = {prims.node(name).target for name in locations["prims:prims"].nodes}
    assert "prims.where.default" in made
    assert not any("mm" in target for target in made)
    (source,) = capture.of_kind(StageKind.SOURCE)
    lines = [
        source.content.file.text.split("\n")[int(line[1:]) - 1]  # type: ignore[union-attr]
        for line in locations[source.id].nodes
    ]
    assert [text.strip() for text in lines] == ["x = torch.relu(self.fc1(x))"]
    weight = links.follow(place("prims:torch", "fc1_weight"))["prims:prims"]
    assert [prims.node(name).op for name in weight.nodes] == ["get_attr"]


def test_every_node_of_a_level_but_the_output_comes_from_the_level_above(worker: WorkerClient):
    capture = captured(worker, "conv_bn_relu.py:Net", "prims")
    for above, below in itertools.pairwise(LEVELS):
        (table,) = (
            table
            for table in capture.links
            if (table.source, table.target) == (f"prims:{above[0]}", f"prims:{below[0]}")
        )
        graph = capture.stage(table.target).graph
        linked = {new for _, new in table.pairs}
        lost = [node.id for node in graph.nodes if node.op != "output" and node.id not in linked]
        assert lost == []
