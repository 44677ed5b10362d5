"""torch.export: signature, sizes, core aten graph, draft report, saved files, and the lines of helper functions."""

import pytest
import torch

from compiler.engine.errors import EngineError
from compiler.engine.front_ends.capture import capture_with
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec, with_torch_compile
from compiler.model.ir.ids import place
from compiler.model.ir.links import Provenance
from compiler.model.ir.stage import TextStage

pytestmark = pytest.mark.engine

PROGRAM = """import torch
from torch import nn


def helper(y):
    z = y.softmax(-1)
    return z * 2


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(4, 3)
        self.register_buffer("offset", torch.ones(3))

    def forward(self, x):
        return torch.nn.functional.layer_norm(helper(self.l(x)) + self.offset, (3,))


def example_inputs():
    return (torch.ones(3, 4),)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("export")
    (path / "net.py").write_text(PROGRAM)
    return path


def captured(folder, front_end: str, target: str = "net.py:Net") -> Capture:
    spec = with_torch_compile(CaptureSpec(TargetSpec(target, str(folder)), front_end=front_end))
    return capture_with(spec, "c1", lambda text: None)


def text(capture: Capture, stage: str) -> str:
    content = capture.stage(stage).content
    assert isinstance(content, TextStage)
    return content.text


@pytest.mark.thorough
@pytest.mark.parametrize("front_end", ["export", "export-strict", "make_fx"])
def test_lines_of_helper_functions_are_linked_too(folder, front_end):
    capture = captured(folder, front_end)
    graph = capture.stage(f"{front_end}:graph").graph
    softmax = next(node for node in graph.nodes if "softmax" in node.target)
    found = Provenance(capture.links).follow(place(f"{front_end}:graph", softmax.id))
    (lines,) = [item.nodes for stage, item in found.items() if stage.startswith("source:")]
    texts = PROGRAM.split("\n")
    inner = texts.index("    z = y.softmax(-1)") + 1
    outer = next(number for number, text in enumerate(texts, 1) if "helper(self" in text)
    assert set(lines) == {f"L{inner}", f"L{outer}"}


@pytest.mark.thorough
def test_the_signature_and_the_open_sizes(folder):
    capture = captured(folder, "export-dynamic")
    signature = text(capture, "export-dynamic:signature")
    assert "parameter        p_l_weight  l.weight" in signature
    assert "buffer           b_offset  offset" in signature
    sizes = text(capture, "export-dynamic:ranges").split("\n")
    assert sizes[0].endswith("to int_oo")
    assert sizes[1] == f"x: [{sizes[0].partition(':')[0]}, 4]"
    assert "no size is left open" in text(captured(folder, "export"), "export:ranges")


@pytest.mark.thorough
def test_the_core_aten_graph_is_linked_node_by_node(folder):
    capture = captured(folder, "export")
    (table,) = [
        table for table in capture.links if table.target == "export:core" and table.source == "export:graph"
    ]
    made = {}
    for source, target in table.pairs:
        made.setdefault(source, []).append(target)
    assert set(made["layer_norm"]) == {"native_layer_norm", "getitem"}
    assert set(made["linear"]) == {"permute", "addmm"}


def test_a_saved_program_is_opened_and_a_damaged_one_reported(folder):
    torch.export.save(torch.export.export(torch.nn.Linear(4, 2), (torch.ones(3, 4),)), folder / "a.pt2")
    capture = captured(folder, "dynamo", "a.pt2")
    graph = capture.stage("export:graph").graph
    assert "aten.linear.default" in [node.target for node in graph.nodes]
    assert capture.spec.front_end == "export"
    (folder / "bad.pt2").write_bytes((folder / "a.pt2").read_bytes()[:200])
    with pytest.raises(EngineError, match=r"bad\.pt2 cannot be opened as an exported program"):
        captured(folder, "dynamo", "bad.pt2")
    with pytest.raises(EngineError, match="There is no file"):
        captured(folder, "dynamo", "none.pt2")


@pytest.mark.parametrize("front_end", ["export", "export-strict"])
def test_a_refused_program_is_one_message(folder, front_end, capfd: pytest.CaptureFixture[str]):
    """torch printed the graph of what it had traced to the terminal, once for each of its layers."""
    branch = PROGRAM.replace(
        "        return torch", "        if x.sum() > 3:\n            x = x + 1\n        return torch"
    )
    (folder / "branch.py").write_text(branch)
    with pytest.raises(EngineError) as refused:
        captured(folder, front_end, "branch.py:Net")
    assert "does not take this program" in refused.value.problem.what
    assert "x.sum() > 3" in refused.value.problem.detail
    assert "def forward(" in refused.value.problem.detail
    written = capfd.readouterr()
    assert "def forward(" not in written.out + written.err
