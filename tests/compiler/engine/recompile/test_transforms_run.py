"""Ready transforms on real graphs: they compile, and compute what they say."""

from collections.abc import Callable

import pytest
import torch

from compiler.analysis.transforms import TRANSFORMS
from compiler.engine.fx.probe_ops import collecting
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.verdicts.judge_edits import judge_edits
from tests.compiler.engine.conftest import capture

pytestmark = pytest.mark.engine

BY_ID = {transform.id: transform for transform in TRANSFORMS}
DYNAMO = "0/0:dynamo"


def _quiet(text: str) -> None:
    return None


def run(program: EditedProgram, name: str, stage: str = DYNAMO, *chosen: str) -> float:
    """Recompiles with a transform; gives the largest difference to the unedited results, relative to the largest value."""
    before = program.base.stepper.compared_step(program.base.compiled).tensors
    group = BY_ID[name].make(stage, program.base_graph(stage, ()), chosen)
    _, problems = program.preview((group,))
    assert problems == ()
    program.recompile((group,), f"capture-{name}", _quiet)
    after = program.base.stepper.compared_step(program.base.compiled).tensors
    verdict = judge_edits(program, (group,), 0.0, _quiet)
    assert all(
        row.agrees is not False for row in verdict.comparisons if row.reference.startswith("edited graph")
    ), verdict
    assert before.keys() == after.keys()
    return max(float((before[key] - after[key]).abs().max() / before[key].abs().max()) for key in before)


@pytest.mark.thorough
def test_attention_and_probes_of_a_transformer_layer(program: Callable[[str], EditedProgram]) -> None:
    layer = program("transformer_layer.py:EncoderLayer")
    off = run(layer, "attention_to_sdpa")
    assert off < 1e-4
    layer.recompile((), "capture-back", _quiet)
    group = BY_ID["probe_histogram"].make(DYNAMO, layer.base_graph(DYNAMO, ()), ())
    layer.recompile((group,), "capture-probes", _quiet)
    with collecting() as readings:
        layer.base.stepper.step(layer.base.compiled)
    graph = layer.base_graph(DYNAMO, ())
    known = graph.by_id()
    assert len({row.node for row in readings}) == len(group.edits)
    assert all(row.node in known and row.stage == DYNAMO and row.nans == 0 for row in readings)
    assert all(sum(row.histogram) == row.count for row in readings)


@pytest.mark.thorough
def test_batch_norms_folded_in_evaluation() -> None:
    net = EditedProgram(capture("conv_bn_relu.py:Net", training=False))
    off = run(net, "fold_conv_bn")
    assert off < 1e-4
    graph = net.edited_module(DYNAMO, net.edits)[1]
    assert not [node for node in graph.nodes if "batch_norm" in node.target]


@pytest.mark.thorough
def test_a_region_in_bfloat16_and_probes_in_the_post_grad_graph() -> None:
    mlp = EditedProgram(capture("mlp.py:MLP", training=True))
    off = run(mlp, "cast_region")
    assert 0 < off < 1  # a relu near zero may fall on the other side
    mlp.recompile((), "capture-back", _quiet)
    stage = "0/0:forward:post_grad"
    off = run(mlp, "probe_nan", stage)
    assert off < 1e-5
    with collecting() as readings:
        mlp.base.stepper.step(mlp.base.compiled)
    assert readings
    assert all(row.stage == stage for row in readings)


def test_probes_see_nothing_unless_asked_and_pass_gradients_on() -> None:
    value = torch.tensor([1.0, float("nan"), float("inf")], requires_grad=True)
    with collecting() as readings:
        torch.ops.loupe.probe(value, "0/0:dynamo x", "nan").sum().backward()
    torch.ops.loupe.probe(value, "0/0:dynamo x", "nan")
    (reading,) = readings
    assert (reading.nans, reading.infinities, reading.minimum, reading.node) == (1, 1, 1.0, "x")
    assert value.grad.tolist() == [1.0, 1.0, 1.0]
    torch.library.opcheck(torch.ops.loupe.probe.default, (torch.randn(3, requires_grad=True), "s n", "print"))
