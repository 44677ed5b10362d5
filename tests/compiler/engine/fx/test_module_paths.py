"""What torch's names of submodules are, as a reader of the model writes them."""

import pytest
import torch
from torch import nn

from compiler.engine.capture.capture import make_capture
from compiler.engine.fx.graph_import import module_path_of
from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec

pytestmark = pytest.mark.engine


class Own(nn.Module):
    """Its class has a ``__getattr__``, as diffusers' models have."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(4, 4) for _ in range(2))

    def __getattr__(self, name: str) -> object:
        return super().__getattr__(name)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            x = torch.relu(layer(x))
        return x


net = nn.Sequential(Own())


def example_inputs() -> tuple[torch.Tensor, ...]:
    return (torch.randn(2, 4),)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("L['self']._modules['net']._modules['layers']._modules['0']", "net.layers.0"),
        ("L['self'].net.__dict__['_modules']['layers']._modules['0']", "net.layers.0"),
        ("L['self']._modules['net'].__dict__._modules['last']", "net.last"),
        ("L['self'].net.__dict__['own']", "net.__dict__.own"),
    ],
)
def test_a_name_of_torchs(text: str, path: str) -> None:
    assert module_path_of(text) == path


@pytest.mark.thorough
def test_submodules_of_a_class_that_looks_up_attributes_itself() -> None:
    live = make_capture(CaptureSpec(TargetSpec(f"{__file__}:net")), "capture-1", lambda text: None)
    graphs = [stage.graph for stage in live.capture.stages if stage.graph is not None]
    assert {node.module_path for graph in graphs for node in graph.nodes} <= {
        "",
        "0",
        "0.layers.0",
        "0.layers.1",
    }
    assert any(node.module_path == "0.layers.1" for node in graphs[-1].nodes)
