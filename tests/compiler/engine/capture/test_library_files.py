"""Files of installed packages are stages of their own, and nodes are linked to their innermost line."""

import sys
from pathlib import Path

import pytest
from torch._dynamo.types import ConvertFrameReturn

from compiler.engine.capture.capture import make_capture
from compiler.engine.errors import EngineError
from compiler.engine.file_ownership import choose_mine
from compiler.engine.front_ends.capture import capture_with
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec
from compiler.model.ir.ids import line_of, place
from compiler.model.ir.links import Provenance
from compiler.model.ir.programs import FileOwner, SourceFile
from compiler.model.ir.stage import BytecodeStage, SourceStage, StageKind
from compiler.model.session_file.checks import consistent

pytestmark = pytest.mark.engine

BLOCK = """import torch


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x):
        x = self.linear(x)
        return bend(x)


def bend(x):
    return torch.sin(x) * 2


def stops(x):
    x = x + 1
    torch._dynamo.graph_break()
    return x * 2


def fails(x):
    return x.view(7, 7)
"""
PROGRAM = """import torch
from tinylib.block import Block, fails, stops


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()

    def forward(self, x):
        return self.block(x).relu()


def breaking(x):
    return stops(x)


def failing(x):
    return fails(x)


def example_inputs():
    return (torch.randn(2, 4),)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A program, and an installed package that holds its forward."""
    package = tmp_path / "env" / "site-packages" / "tinylib"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "block.py").write_text(BLOCK)
    (tmp_path / "program.py").write_text(PROGRAM)
    monkeypatch.syspath_prepend(str(package.parent))
    yield tmp_path
    choose_mine(())
    for name in ("tinylib", "tinylib.block"):
        sys.modules.pop(name, None)


def captured(folder: Path, name: str, *mine: str, backend: str = "aot_eager") -> Capture:
    target = TargetSpec(f"program.py:{name}", str(folder), mine=mine)
    spec = CaptureSpec(target, CompileOptions(backend=backend), RunOptions(training=None, gradients=True))
    capture = make_capture(spec, "capture-1", lambda text: None).capture
    assert not consistent(capture)[1]
    return capture


def files_of(capture: Capture) -> list[SourceFile]:
    stages = (stage.content for stage in capture.of_kind(StageKind.SOURCE))
    return [content.file for content in stages if isinstance(content, SourceStage)]


def lines_of(capture: Capture, stage: str, node: str) -> set[tuple[str, int | None]]:
    above = Provenance(capture.links).ancestors(place(stage, node))
    return {
        (name.rpartition("/")[2], line_of(line))
        for name, lines in above.items()
        if name.startswith("source:")
        for line in lines
    }


def test_every_frame_of_a_stack_is_linked_and_torch_stays_folded_away(folder: Path):
    capture = captured(folder, "Net")
    assert [(Path(file.path).name, file.standing, file.package) for file in files_of(capture)] == [
        ("program.py", FileOwner.MINE, ""),
        ("block.py", FileOwner.LIBRARY, "tinylib"),
    ]
    (dynamo,) = capture.of_kind(StageKind.DYNAMO_GRAPH)
    made = {node.target: node.id for node in dynamo.graph.nodes if node.op == "call_function"}
    assert lines_of(capture, dynamo.id, made["torch.sin"]) == {
        ("block.py", 15),
        ("block.py", 11),
        ("program.py", 11),
    }
    linear = next(node for target, node in made.items() if "linear" in target)
    assert lines_of(capture, dynamo.id, linear) == {("block.py", 10), ("program.py", 11)}
    codes = [stage.content.code for stage in capture.stages if isinstance(stage.content, BytecodeStage)]
    assert {code.name for code in codes if code.path.endswith("block.py")} == {"forward", "bend"}
    assert all("/torch/" not in code.path for code in codes)


@pytest.mark.thorough
def test_the_sum_of_two_gradients_reaches_the_line_that_torch_names(folder: Path):
    (folder / "program.py").write_text(
        PROGRAM.replace("return self.block(x).relu()", "return x.sin() * x.cos() * self.block(x)")
    )
    capture = captured(folder, "Net", backend="inductor")
    for stage in capture.stages:
        if stage.kind in (StageKind.JOINT_GRAPH, StageKind.AOT_GRAPH, StageKind.POST_GRAD_GRAPH):
            calls = [node for node in stage.graph.nodes if node.op == "call_function"]
            unlinked = [node.id for node in calls if not lines_of(capture, stage.id, node.id)]
            assert unlinked == [], stage.id


@pytest.mark.thorough
def test_a_break_and_a_guard_of_a_library_are_reported_of_the_users_line(folder: Path):
    capture = captured(folder, "breaking")
    (stopped,) = {
        item.reported for item in capture.breaks if item.kind == "Call to `torch._dynamo.graph_break()`"
    }
    assert (Path(stopped.path).name, stopped.line) == ("program.py", 15)
    assert Path(capture.breaks[0].stack[-1].path).name == "block.py"


@pytest.mark.thorough
def test_a_package_that_is_called_mine_is_named_itself_and_loaded_afresh(folder: Path):
    before = captured(folder, "breaking", "tinylib")
    assert {Path(item.reported.path).name for item in before.breaks if item.reported} == {"block.py"}
    assert {file.standing for file in files_of(before)} == {FileOwner.MINE}
    path = folder / "env" / "site-packages" / "tinylib" / "block.py"
    path.write_text(BLOCK.replace("torch.sin", "torch.cos"))
    (dynamo,) = captured(folder, "Net", "tinylib").of_kind(StageKind.DYNAMO_GRAPH)
    assert "torch.cos" in {node.target for node in dynamo.graph.nodes}


@pytest.mark.thorough
def test_an_error_in_a_library_is_reported_of_the_users_line(folder: Path):
    with pytest.raises(EngineError) as error:
        captured(folder, "failing")
    assert (Path(error.value.problem.path).name, error.value.problem.line) == ("program.py", 19)
    with pytest.raises(EngineError) as error:
        captured(folder, "failing", "tinylib")
    assert Path(error.value.problem.path).name == "block.py"


def test_what_is_neither_a_folder_nor_a_package_is_said(folder: Path):
    with pytest.raises(EngineError, match="neither a folder nor an installed package"):
        captured(folder, "Net", "no_such_thing")


@pytest.mark.thorough
def test_other_front_ends_link_every_frame_too(folder: Path):
    spec = CaptureSpec(TargetSpec("program.py:Net", str(folder)), front_end="make_fx")
    capture = capture_with(spec, "capture-1", lambda text: None)
    assert [Path(file.path).name for file in files_of(capture)] == ["program.py", "block.py"]


MODELS = """
import torch
from transformers import BertConfig, BertModel

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.model = BertModel(BertConfig(vocab_size=50, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16))

    def forward(self, x):
        return self.model(x).last_hidden_state

def example_inputs():
    return (torch.randint(0, 50, (2, 4)),)
"""


@pytest.mark.slow
def test_every_node_of_bert_reaches_a_line(tmp_path: Path):
    pytest.importorskip("transformers")
    (tmp_path / "program.py").write_text(MODELS)
    capture = captured(tmp_path, "Net")
    assert "transformers" in {file.package for file in files_of(capture)}
    for stage in (*capture.of_kind(StageKind.DYNAMO_GRAPH), *capture.of_kind(StageKind.AOT_GRAPH)):
        for node in stage.graph.nodes:
            if node.op == "call_function":
                assert lines_of(capture, stage.id, node.id), (stage.id, node.id)


HOLDER = """import torch


class Held:
    def __setattr__(self, name, value):
        torch._dynamo.graph_break()
        object.__setattr__(self, name, value)
"""


@pytest.mark.skipif(not hasattr(ConvertFrameReturn, "skip_reason"), reason="this torch gives no reasons")
def test_a_setattr_of_a_library_that_dynamo_never_compiles_is_no_break_but_ones_own_is(folder: Path) -> None:
    (folder / "env" / "site-packages" / "tinylib" / "block.py").write_text(f"{BLOCK}\n\n{HOLDER[14:]}")
    (folder / "program.py").write_text(
        f"import torch\nfrom tinylib.block import Held\n\n\n{HOLDER[14:].replace('Held', 'Own')}\n\n"
        "HELD, OWN = Held(), Own()\n\n\n"
        "def holding(x):\n    HELD.value = x.sin()\n    OWN.value = x.cos()\n    return x + HELD.value + OWN.value\n\n\n"
        "def example_inputs():\n    return (torch.randn(2, 4),)\n"
    )
    capture = captured(folder, "holding")
    left = {Path(frame.path).name for frame in capture.frames if "__setattr__" in frame.skip_reason}
    assert left == {"block.py", "program.py"}
    reported = [Path(item.stack[-1].path).name for item in capture.breaks if "__setattr__" in item.kind]
    assert reported == ["program.py"]
