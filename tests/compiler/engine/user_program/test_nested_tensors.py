"""A program that is called with nested tensors, whose rows differ in size."""

import pytest
import torch

import torch_loupe
from compiler.engine.capture.capture import make_capture
from compiler.engine.user_program.loading import describe_tensor
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec

pytestmark = pytest.mark.engine


def doubled(x: torch.Tensor) -> torch.Tensor:
    return torch.relu(x) * 2


def example_inputs() -> tuple[torch.Tensor]:
    return (torch.nested.nested_tensor([torch.ones(3, 4), torch.ones(5, 4)], layout=torch.jagged),)


def test_it_is_captured_and_its_argument_is_no_tensor_of_a_form() -> None:
    run = RunOptions(training=False, gradients=False)
    spec = CaptureSpec(TargetSpec(f"{__file__}:doubled"), CompileOptions(backend="aot_eager"), run)
    capture = make_capture(spec, "c1", lambda text: None).capture
    assert [argument.kind for argument in capture.arguments] == ["value"]
    nodes = {node.target for stage in capture.stages if stage.graph is not None for node in stage.graph.nodes}
    assert "aten.relu.default" in nodes


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
def test_of_either_layout() -> None:
    for layout in (torch.jagged, torch.strided):
        value = torch.nested.nested_tensor([torch.ones(3), torch.ones(5)], layout=layout)
        assert describe_tensor("x", value).text.endswith("2 dimensions, torch.float32, nested")


@pytest.mark.thorough
def test_one_that_is_given_back_is_differentiated_and_an_edit_of_it_judged() -> None:
    class Rows(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.linear = torch.nn.Linear(4, 4)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.relu(self.linear(x)) + x

    captured = torch_loupe.capture(Rows(), *example_inputs())
    stage = captured["dynamo"]
    relu = next(node for node in stage.nodes if "relu" in node.target)
    _, verdict = captured.edit(stage.replace(relu.id, "torch.sigmoid")).recompile()
    assert verdict.right is True
    assert "grad of linear" in str(verdict)
