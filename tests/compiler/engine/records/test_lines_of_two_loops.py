"""Two loops of one kernel that begin by computing the same: their lines are of one node of the graph, whichever loop they are of."""

from pathlib import Path

from compiler.model.ir.links import GUESS
from compiler.model.ir.stage import StageKind
from tests.links.quick_captures import quick_capture

_PROGRAM = """import torch


class Net(torch.nn.Module):
    def forward(self, x):
        y = torch.maximum(x * x, x)
        return torch.atan(torch.nn.functional.layer_norm(y, (24,))), (y - y.amax(0, keepdim=True)).amax(0), y.amax(1)


def example_inputs():
    return (torch.randn(8, 24),)
"""


def test_lines_that_two_loops_write_alike_lead_to_their_node(tmp_path: Path) -> None:
    (tmp_path / "two_loops.py").write_text(_PROGRAM)
    capture = quick_capture(tmp_path, "two_loops.py:Net", training=False)
    (kernels,) = capture.of_kind(StageKind.KERNELS)
    lines = {
        f"{kernel.id}:L{number}"
        for kernel in kernels.kernels
        for number, text in enumerate(kernel.source.split("\n"), 1)
        if "maximum(tmp" in text and "acc" not in text
    }
    linked: dict[str, set[str]] = {line: set() for line in lines}
    for table in capture.links:
        if table.source.endswith(":post_grad") and table.target == kernels.id and table.proof != GUESS:
            for node, line in table.pairs:
                if line in linked:
                    linked[line].add(node)
    assert len(lines) > 2
    assert set().union(*linked.values()) == {"maximum"}
    assert all(linked.values()), linked
