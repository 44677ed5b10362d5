"""Operators taken apart by this torch."""

import pytest

from compiler.command_line.worker_client import WorkerClient
from compiler.model.operators.decompositions import DecomposeOperator, Decomposition, at_level

pytestmark = [pytest.mark.engine, pytest.mark.worker]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "aten", "core", "prims"),
    [
        ("aten::softmax.int", ["aten._softmax.default"], ["aten._softmax.default"], "prims.exp.default"),
        (
            "aten.silu.default",
            ["aten.silu.default"],
            ["aten.sigmoid.default", "aten.mul.Tensor"],
            "prims.exp.default",
        ),
    ],
)
def test_a_tree_goes_from_aten_to_prims(worker: WorkerClient, name: str, aten: list, core: list, prims: str):
    found = worker.ask(DecomposeOperator(name), Decomposition)
    assert found.arguments
    assert [node.operator for node in at_level(found.root, "aten")] == aten
    assert set(core) <= {node.operator for node in at_level(found.root, "core aten")}
    leaves = [node.operator for node in at_level(found.root, "prims")]
    assert all(leaf.startswith("prims.") for leaf in leaves)
    if name != "aten.silu.default":
        assert prims in leaves
    python = [node for node in (found.root, *found.root.parts) if node.how == "python"]
    assert all(node.place.path.startswith("torch/") and node.place.line > 0 for node in python)
    counts = dict(found.counts)
    assert counts["aten"] > 3000 > counts["prims"] > 100


def test_arguments_with_sizes_of_their_own_are_known(worker: WorkerClient):
    found = worker.ask(DecomposeOperator("aten::lstm.input"), Decomposition)
    assert "f32[16, 4]" in found.arguments
    assert len(found.root.parts) > 3


@pytest.mark.parametrize(("name", "part"), [("aten::argwhere", "nonzero"), ("aten::lstm.data", "mm")])
def test_operators_that_read_numbers_are_run_on_numbers(worker: WorkerClient, name: str, part: str):
    found = worker.ask(DecomposeOperator(name), Decomposition)
    assert not found.refused
    assert any(part in node.operator for node in at_level(found.root, "core aten"))


def test_what_cannot_be_run_here_is_reported_in_torchs_words(worker: WorkerClient):
    found = worker.ask(DecomposeOperator("aten::_cufft_get_plan_cache_size"), Decomposition)
    assert "cufft" in found.refused.lower()
    assert not found.root.parts
