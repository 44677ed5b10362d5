"""What a stage's content says of itself."""

import pytest

from compiler.model.ir.graph import Node
from compiler.model.ir.stage import JointStage, Partition, SavedTensor
from tests.helpers.sample_capture import graph_with

GRAPH = graph_with(
    Node("primals_1", "placeholder", "primals_1", ()), Node("relu", "call_function", "aten.relu", ())
)


@pytest.mark.parametrize(
    ("partition", "kept"),
    [
        (None, None),
        (Partition((SavedTensor("primals_1", 100), SavedTensor("relu", 8)), ()), 8),
        (Partition((SavedTensor("primals_1", None), SavedTensor("relu", 8)), ()), 8),
        (Partition((SavedTensor("primals_1", 100), SavedTensor("relu", None)), ()), None),
        (Partition((SavedTensor("primals_1", 100), SavedTensor("relu", 8)), (), saved_bytes=4), 4),
    ],
)
def test_parameters_and_inputs_are_not_kept_for_the_backward(
    partition: Partition | None, kept: int | None
) -> None:
    assert JointStage(GRAPH, partition).kept_bytes == kept
