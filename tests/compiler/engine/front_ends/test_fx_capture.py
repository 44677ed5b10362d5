"""torch.fx: what ran, what each transform makes of the graph, what is silently wrong, and a changed program run."""

import pytest

from compiler.engine.errors import EngineError
from compiler.engine.front_ends.capture import capture_with
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.capture.front_ends import FX_CODE
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import place
from compiler.model.ir.links import Provenance
from compiler.model.ir.stage import TextStage

pytestmark = pytest.mark.engine

PROGRAM = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)
        self.bn = nn.BatchNorm2d(4)
        self.p = nn.Parameter(torch.ones(4, 1, 1))
        self.fc = nn.Linear(4 * 6 * 6, 5)

    def forward(self, x, k=2):
        y = torch.relu(self.bn(self.conv(x)))
        dead = y * 3
        print("hello")
        if isinstance(x, torch.Tensor):
            y = y + 1
        y = y + torch.rand(4, 1, 1)
        y = y + torch.zeros(4, 1, 1)
        y = y + self.p * k
        return self.fc(y.flatten(1))


def example_inputs():
    return (torch.randn(2, 3, 8, 8),)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("fx")
    (path / "net.py").write_text(PROGRAM)
    return path


def captured(folder, training: bool = False, generated: str = "") -> Capture:
    spec = CaptureSpec(
        TargetSpec("net.py:Net", str(folder)),
        run=RunOptions(training=training),
        front_end="fx",
        generated=generated,
    )
    return capture_with(spec, "c1", lambda text: None)


@pytest.fixture(scope="module")
def capture(folder) -> Capture:
    return captured(folder)


def graph(capture: Capture, key: str):
    found = capture.stage(f"fx:{key}").graph
    assert found is not None
    return found


def test_all_six_opcodes_with_times_and_values(capture):
    nodes = graph(capture, "graph").by_id()
    ops = {node.op for node in nodes.values()}
    assert ops == {"placeholder", "get_attr", "call_function", "call_method", "call_module", "output"}
    assert "median of 5 runs" in nodes["bn"].notes[0]
    assert nodes["relu"].notes[1].startswith("mean ")
    assert nodes["relu"].notes[1].partition(", ")[2].partition(", ")[2].startswith("0 to ")


def test_each_transform_is_a_stage_linked_node_by_node(capture):
    assert "mul" not in graph(capture, "dce").by_id()
    assert "bn" not in graph(capture, "fused").by_id()
    seen = [node for node in graph(capture, "instrumented").nodes if node.target.endswith("observe")]
    calls = [node for node in graph(capture, "graph").nodes if node.op.startswith("call_")]
    assert len(seen) == len(calls)
    halves = [node for node in graph(capture, "split").nodes if node.op == "call_module"]
    assert [node.target for node in halves] == ["submod_0", "submod_1"]
    assert all(node.body for node in halves)
    links = Provenance(capture.links).follow(place("fx:graph", "conv"))
    assert links["fx:fused"].nodes == ("conv",)
    assert set(links["fx:split"].nodes) == {"submod_0"}
    assert {node.target for node in graph(capture, "again").nodes} == {
        node.target for node in graph(capture, "graph").nodes
    }


def line_of(problems: tuple[Problem, ...], words: str) -> int | None:
    (found,) = [problem for problem in problems if words in problem.what]
    return found.line


def test_what_is_silently_wrong_is_reported_with_its_line(capture):
    lines = PROGRAM.split("\n")
    for words, text in (
        ("print ran once", 'print("hello")'),
        ("isinstance(…, Tensor) is False", "isinstance(x"),
        ("Random numbers are baked in", "torch.rand("),
        ("A tensor is baked in", "torch.zeros("),
    ):
        line = line_of(capture.problems, words)
        assert line is not None
        assert text in lines[line - 1]


def test_a_training_module_says_why_nothing_is_fused(folder):
    capture = captured(folder, training=True)
    assert "fx:fused" not in [stage.id for stage in capture.stages]
    assert any("cannot be fused" in problem.what for problem in capture.problems)


def test_the_generated_python_can_be_changed_and_run(folder, capture):
    content = capture.stage(FX_CODE).content
    assert isinstance(content, TextStage)
    (title,) = [
        stage.title for stage in captured(folder, generated=content.text).stages if stage.id == "fx:graph"
    ]
    assert title == "Graph of the edited Python"
    other = captured(
        folder, generated="def forward(self, x, k=2):\n    return torch.tanh(self.conv(x)).flatten(1)\n"
    )
    assert [node.id for node in graph(other, "graph").nodes] == [
        "x", "k", "conv", "tanh", "flatten", "output",
    ]  # fmt: skip
    assert any("gives another result than the program" in problem.what for problem in other.problems)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def forward(self, x, k=2:\n", "could not be executed"),
        ("def other(self):\n    pass\n", "could not be executed"),
        (
            "def forward(self, x, k=2):\n    return x if x.sum() > 0 else -x\n",
            "cannot be traced again",
        ),
        ("def forward(self, x, k=2):\n    return self.fc(x)\n", "fails when run"),
    ],
)
def test_a_change_that_does_not_work_says_so(folder, text, words):
    with pytest.raises(EngineError, match=words):
        captured(folder, generated=text)


def test_lines_of_the_texts_belong_to_nodes(capture):
    links = Provenance(capture.links).follow(place("fx:graph", "flatten"))
    for stage, words in ((FX_CODE, "flatten = "), ("fx:values", " flatten (call_method): [2, 144]")):
        content = capture.stage(stage).content
        assert isinstance(content, TextStage)
        (line,) = links[stage].nodes
        assert words in content.text.split("\n")[int(line[1:]) - 1]
