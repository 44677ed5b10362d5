"""torch.compiler.precompile as a front end: its graphs, the Python that it writes, and how it compares with eager."""

import subprocess
import sys
from pathlib import Path

import pytest
import torch

from compiler.engine.errors import EngineError
from compiler.engine.front_ends.capture import capture_with
from compiler.engine.front_ends.compare import judge_front_end
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec
from compiler.model.front_end_comparison.front_end_matrix import (
    FrontEndCell,
    JudgeFrontEnd,
    Outcome,
    alternate_from_text,
)
from compiler.model.graph_breaks.registry_ids import release
from compiler.model.ir.ids import line_of, place
from compiler.model.ir.links import Provenance
from compiler.model.ir.stage import TextStage
from compiler.model.session_file.checks import consistent

pytestmark = pytest.mark.engine
HAS_IT = release(torch.__version__) >= (2, 14)
needs_it = pytest.mark.skipif(not HAS_IT, reason="torch.compiler.precompile needs torch 2.14")

PROGRAM = """import torch


def helper(y):
    z = torch.relu(y)
    return z * 2


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.bn = torch.nn.BatchNorm1d(4)
        self.l = torch.nn.Linear(4, 3)

    def forward(self, x, *, scale=None):
        y = helper(self.l(self.bn(x)))
        return {"out": y if scale is None else y * scale, "sum": y.sum()}


class Branch(torch.nn.Module):
    def forward(self, x):
        return x * 2 if x.sum() > 0 else x - 1


def step(x):
    return torch.sin(x) + 1


OUTSIDE = torch.ones(4)


def closes_over(x):
    return x + OUTSIDE


def example_inputs():
    return (torch.ones(8, 4),)
"""
PLAIN = """
import sys, torch
from pathlib import Path
torch.manual_seed(0)
import net
model, given = net.Net().eval(), ((torch.ones(8, 4),), {})
def of_module(model, args, kwargs):
    return model(*args, **kwargs)
api = torch.compiler.precompile
if hasattr(api, "capture"):
    folder = Path(sys.argv[1]).parent
    with api.capture(of_module, artifact_path=folder / "a.py", cache_path=folder / "a.cache") as taken:
        taken(model, *given)
    text = (folder / "a.py").read_text()
else:
    text = api(of_module, model, *given)[0]
Path(sys.argv[1]).write_text(text)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("precompile")
    (path / "net.py").write_text(PROGRAM)
    return path


def spec_of(folder: Path, name: str = "Net", **more: object) -> CaptureSpec:
    given = {"compile": CompileOptions(), "run": RunOptions(training=False, gradients=False), **more}
    return CaptureSpec(TargetSpec(f"net.py:{name}", str(folder)), front_end="precompile", **given)  # type: ignore[arg-type]


def captured(folder: Path, name: str = "Net", **more: object) -> Capture:
    return capture_with(spec_of(folder, name, **more), "c1", lambda text: None)


def judged(folder: Path, name: str, *others: str, **more: object) -> FrontEndCell:
    alternates = tuple(map(alternate_from_text, others))
    order = JudgeFrontEnd(spec_of(folder, name, **more), alternates, search=False, timed=False)
    return judge_front_end(order, lambda text: None)


def text_of(capture: Capture) -> str:
    content = capture.stage("precompile:python").content
    assert isinstance(content, TextStage)
    return content.text


@pytest.mark.skipif(HAS_IT, reason="this torch has it")
def test_an_older_torch_says_what_it_needs(folder: Path) -> None:
    with pytest.raises(EngineError, match=r"torch.compiler.precompile needs torch 2\.14 or later; this is"):
        captured(folder)
    cell = judged(folder, "Net")
    assert "needs torch 2.14 or later" in cell.problem.what


@needs_it
def test_graphs_and_python_are_stages_linked_from_line_to_line(folder: Path) -> None:
    capture = captured(folder)
    assert [stage.id for stage in capture.stages[1:]] == [
        "precompile:graph",
        "precompile:lowered",
        "precompile:python",
    ]
    assert not consistent(capture)[1]
    graph = capture.stage("precompile:graph").graph
    (relu,) = (node.id for node in graph.nodes if "aten.relu" in node.target)
    found = Provenance(capture.links).follow(place("precompile:graph", relu))
    assert {"L5", "L16"} <= {f"L{line_of(node)}" for node in found[capture.stages[0].id].nodes}
    assert found["precompile:lowered"].nodes == ("relu",)
    lines = text_of(capture).split("\n")
    linked = [pair for table in capture.links if table.target == "precompile:python" for pair in table.pairs]
    (addmm,) = (node.id for node in graph.nodes if "aten.addmm" in node.target)
    assert any(node == addmm and "extern_kernels" in lines[int(line[1:]) - 1] for node, line in linked)


@needs_it
def test_the_python_is_what_torch_writes_without_us(folder: Path) -> None:
    subprocess.run([sys.executable, "-c", PLAIN, "plain.py"], cwd=folder, check=True, timeout=500)
    assert text_of(captured(folder)) == (folder / "plain.py").read_text()


@needs_it
def test_what_is_lowered_has_nothing_of_ours(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines in the nodes would become comments of Triton kernels."""
    keys: set[str] = set()
    original = torch._functorch.aot_autograd.compile_to_python

    def lowered(module: torch.fx.GraphModule, *args: object, **kwargs: object) -> object:
        keys.update(key for node in module.graph.nodes for key in node.meta)
        return original(module, *args, **kwargs)

    monkeypatch.setattr(torch._functorch.aot_autograd, "compile_to_python", lowered)
    captured(folder)
    assert keys
    assert "stack_trace" not in keys


@needs_it
def test_it_is_compared_with_eager(folder: Path) -> None:
    cell = judged(folder, "Net", "torch.randn(8, 4)", "torch.randn(3, 4)")
    assert cell.problem is None
    assert cell.graphs == 1
    assert cell.operations
    outcomes = [item.outcome for item in cell.judgements]
    assert outcomes == [Outcome.SAME, Outcome.SAME, Outcome.REFUSED]
    assert "specialized" in cell.judgements[2].detail or "shape" in cell.judgements[2].detail


@needs_it
def test_a_mode_that_was_baked_in_is_found_wrong(folder: Path) -> None:
    training = RunOptions(training=True, gradients=False)
    cell = judged(folder, "Net", "eval: torch.randn(8, 4)", run=training)
    assert [item.outcome for item in cell.judgements] == [Outcome.SAME, Outcome.WRONG]


@needs_it
def test_a_branch_on_a_value_is_refused_in_words(folder: Path) -> None:
    cell = judged(folder, "Branch")
    assert "torch.compiler.precompile does not take this program" in cell.problem.what


@needs_it
def test_functions_and_the_eager_form(folder: Path) -> None:
    capture = captured(folder, "step", compile=CompileOptions(backend="eager"))
    assert [stage.id for stage in capture.stages[1:]] == ["precompile:graph", "precompile:python"]
    lines = text_of(capture).split("\n")
    (table,) = (table for table in capture.links if table.target == "precompile:python")
    assert all(f"{node} = " in lines[int(line[1:]) - 1] or f"{node}:" in lines[int(line[1:]) - 1]
               for node, line in table.pairs)  # fmt: skip
    assert {"sin", "add"} <= {node for node, _ in table.pairs}
    assert [item.outcome for item in judged(folder, "step", "-torch.ones(8, 4)").judgements] == [
        Outcome.SAME
    ] * 2


@needs_it
def test_what_it_refuses_is_reported_in_its_words(folder: Path) -> None:
    with pytest.raises(EngineError, match=r"torch\.compiler\.precompile does not take this program"):
        captured(folder, "closes_over", compile=CompileOptions())


@needs_it
def test_gradients_are_reported_as_missing(folder: Path) -> None:
    training = RunOptions(training=True, gradients=True)
    (problem,) = captured(folder, run=training).problems
    assert "no gradients" in problem.what
    cell = judged(folder, "Net", run=training)
    assert any(item.no_gradients for item in cell.judgements)
