"""Activations that write in place, as torchbench's quantized MobileNet has them alone in their graphs."""

import inspect
from pathlib import Path

import pytest
import torch

from compiler.engine.capture.capture import make_capture
from compiler.engine.fx.interpreter import interpreted
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, TargetSpec
from compiler.model.effects import purity
from compiler.model.ir.ids import place
from compiler.model.ir.links import GUESS, Provenance
from compiler.model.ir.stage import StageKind
from tests.helpers.backward_origins import origins_in_backward

pytestmark = pytest.mark.engine

_PROGRAM = """
import torch
from torch import nn

def by_place(x):
    return nn.{module}(inplace=True)(x)

def by_name(x):
    return nn.functional.{function}(x, inplace=True)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x):
        x = self.linear(x)
        torch._dynamo.graph_break()
        return {how}(x)

def example_inputs():
    return (torch.ones(4, 4),)
"""


@pytest.mark.parametrize(
    ("module", "function", "how"),
    [
        ("ReLU6", "relu6", "by_place"),
        ("Hardswish", "hardswish", "by_name"),
        ("Hardsigmoid", "hardsigmoid", "by_place"),
    ],
)
def test_the_gradient_of_an_activation_in_place_is_linked(
    tmp_path: Path, module: str, function: str, how: str
) -> None:
    (tmp_path / "program.py").write_text(_PROGRAM.format(module=module, function=function, how=how))
    spec = CaptureSpec(TargetSpec("program.py:Net", str(tmp_path)), CompileOptions(backend="aot_eager"))
    found = make_capture(spec, "capture-1", lambda text: None).capture
    links = Provenance(table for table in found.links if table.proof != GUESS)
    (dynamo,) = (stage for stage in found.of_kind(StageKind.DYNAMO_GRAPH) if stage.id.startswith("1/"))
    (backward,) = (
        stage
        for stage in found.of_kind(StageKind.AOT_GRAPH)
        if "backward" in stage.id and stage.id.startswith("1/")
    )
    for node in backward.graph.nodes:
        if node.op == "call_function":
            assert dynamo.id in links.ancestors(place(backward.id, node.id)), node.id


_VIEWS = """
import torch

def written(x, scale):
    y = x @ x
    y[0] *= scale
    y[:, 1].sin_()
    y[1:3] = y[2:] + 1
    return y.tanh()

def example_inputs():
    return torch.randn(4, 4, requires_grad=True), torch.ones((), requires_grad=True)
"""


def test_the_gradient_of_what_is_written_to_a_view_is_linked_to_what_writes_it(tmp_path: Path) -> None:
    """Autograd draws its number after that of the call; deepxde's DeepONet adds its bias so."""
    made_by: dict[str, set[str]] = {}
    for target, names in origins_in_backward(tmp_path, _VIEWS, "written"):
        assert names, target
        made_by.setdefault(target, set()).update(names)
    assert made_by["aten.mul.Tensor"] == {"sin_", "imul"}
    assert made_by["aten.sum.default"] == {"imul"}


def _only_of_floats(x: torch.Tensor, out: torch.Tensor) -> None:
    """A Triton kernel whose loop keeps a float32 does not compile for doubles."""
    if x.dtype is not torch.float32 or out.dtype is not torch.float32:
        raise TypeError("no such kernel")
    out.copy_(x + 1.0)


def test_what_a_call_writes_in_its_own_dtypes_is_in_the_wide_tensors() -> None:
    """liger's TVD loss was 0 in float64, since its kernel wrote to copies."""
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    out = graph.call_function(torch.zeros_like, (x,))
    graph.call_function(_only_of_floats, (x, out))
    graph.output((out, x))
    for node in (x, out):
        node.meta["val"] = torch.empty(4)
    given = torch.full((4,), 1 / 3, dtype=torch.float64)
    written, read = interpreted(torch.fx.GraphModule({}, graph), True)(given)
    assert written.dtype is torch.float64
    assert written.tolist() == (given.float() + 1.0).tolist()
    assert read.tolist() == given.tolist()  # what it only reads keeps its digits


def test_every_function_that_may_work_in_place_is_known_with_where_it_is_asked_to() -> None:
    found = {}
    for name, function in inspect.getmembers(torch.nn.functional, inspect.isfunction):
        parameters = list(inspect.signature(function).parameters)
        if not name.startswith("_") and "inplace" in parameters:
            found[name] = parameters.index("inplace") + 1
    assert found.items() <= purity._INPLACE_AT.items()
