"""Every graph that torch makes of the examples is read back from its program, word by word."""

import pytest

from compiler.analysis.text_format.parser import parse_graph
from compiler.analysis.text_format.printer import program
from tests.compiler.engine.conftest import capture
from tests.helpers.thoroughness import some

pytestmark = pytest.mark.engine


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name", some(("conv_bn_relu.py:Net", "transformer_layer.py:EncoderLayer", "recompiling.py:Changing"))
)
@pytest.mark.parametrize("training", [True, False])
def test_graphs_of_examples_are_read_back(name: str, training: bool) -> None:
    counted = 0
    for stage in capture(name, training).capture.stages:
        if stage.graph is None:
            continue
        for as_printed in (True, False):
            parsed = parse_graph(program(stage).text, stage.graph, as_printed)
            assert parsed.faults == ()
            assert parsed.graph == stage.graph
        counted += len(stage.graph.nodes)
    assert counted > 10
