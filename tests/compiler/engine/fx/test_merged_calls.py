"""A step of training computes equal calls once: the lines of all of them lead to the one that is kept."""

from pathlib import Path

import pytest
import torch
from torch._functorch.compile_utils import fx_graph_cse
from torch.fx.experimental.proxy_tensor import make_fx

from compiler.engine.fx.merged_calls import merged_calls
from compiler.model.ir.ids import line_id, place
from compiler.model.ir.links import GUESS, Provenance
from compiler.model.ir.stage import StageKind
from tests.links.quick_captures import quick_capture

_PROGRAM = """
import torch

class Net(torch.nn.Module):
    def forward(self, x):
        a = torch.sin(x)
        b = torch.sin(x)
        return (a * torch.arange(4.0) + b * torch.arange(4.0) * 2).sum()

def example_inputs():
    return (torch.randn(4, 4, requires_grad=True),)
"""


def test_both_lines_lead_to_the_call_that_is_kept(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(_PROGRAM)
    capture = quick_capture(tmp_path, "program.py:Net", training=True)
    (source,) = (stage.id for stage in capture.stages if stage.id.endswith("/program.py"))
    links = Provenance(table for table in capture.links if table.proof != GUESS)
    (forward,) = (stage for stage in capture.of_kind(StageKind.AOT_GRAPH) if stage.part == "forward")
    (sine,) = (node.id for node in forward.graph.nodes if node.target == "aten.sin.default")
    for line in (6, 7):
        assert sine in links.descendants(place(source, line_id(line)))[forward.id]


def test_what_takes_equal_calls_is_equal_and_nothing_else() -> None:
    def program(x: torch.Tensor) -> torch.Tensor:
        first, second = x.sin() * 2, x.sin() * 2
        return first + second + (x.sin() * 3) + torch.rand_like(x) + torch.rand_like(x)

    before = make_fx(program)(torch.ones(3)).graph
    merged = merged_calls(before, fx_graph_cse(before))
    assert merged == {"sin_1": "sin", "mul_1": "mul", "sin_2": "sin"}


@pytest.mark.parametrize(
    ("target", "args"),
    [
        (torch.ops.aten.rand.default, ([3],)),
        (torch.ops.aten.rand_like.default, ("x",)),
        (torch.ops.aten.native_dropout.default, ("x", 0.5, True)),
    ],
)
def test_a_draw_that_is_gone_is_none_of_another(target: object, args: tuple[object, ...]) -> None:
    """Unused, it was taken out; the other draws other numbers."""
    before, after = torch.fx.Graph(), torch.fx.Graph()
    for graph, count in ((before, 2), (after, 1)):
        given = tuple(graph.placeholder("x") if item == "x" else item for item in args)
        graph.output(tuple(graph.call_function(target, given) for _ in range(count)))
    assert merged_calls(before, after) == {}
