"""Captures by other front ends than torch.compile, each in a process of its own."""

import getpass
import tempfile
import time
from pathlib import Path

import msgspec
import pytest

from compiler.analysis.transforms.activations import relus_to_gelus
from compiler.command_line.worker_client import CommandFailedError, WorkerClient
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.edits.edits import BypassNode
from compiler.model.front_end_comparison.front_end_matrix import (
    AlternateInput,
    FrontEndCell,
    JudgeFrontEnd,
    Outcome,
    format_verdict,
)
from compiler.model.ir.ids import place
from compiler.model.ir.links import Provenance
from compiler.model.ir.stage import StageKind
from compiler.model.protocol.messages import (
    CaptureMade,
    MakeCapture,
    Preview,
    PreviewEdits,
    Recompile,
    Recompiled,
    RunTimings,
)
from compiler.model.timing.timings import TimingSettings
from tests.compiler.engine.conftest import EXAMPLES
from tests.helpers.worker_capture import capture_by

pytestmark = [pytest.mark.engine, pytest.mark.worker]


def captured(
    worker: WorkerClient,
    target: str,
    front_end: str,
    folder: Path = EXAMPLES,
    run: RunOptions | None = None,
) -> Capture:
    spec = CaptureSpec(TargetSpec(target, str(folder)), run=run or RunOptions(), front_end=front_end)
    return capture_by(worker, spec)


@pytest.mark.thorough
@pytest.mark.parametrize("front_end", ["fx", "export", "make_fx"])
def test_a_line_of_the_users_leads_to_what_it_became(worker: WorkerClient, front_end: str):
    capture = captured(worker, "mlp.py:MLP", front_end)
    graph = capture.of_kind(StageKind.FRONT_END_GRAPH)[0]
    (source,) = capture.of_kind(StageKind.SOURCE)
    relu = next(node for node in graph.graph.nodes if "relu" in node.target)
    found = Provenance(capture.links).follow(place(graph.id, relu.id))[source.id].nodes
    text = source.content.file.text.split("\n")  # type: ignore[union-attr]
    assert [text[int(line[1:]) - 1].strip() for line in found] == ["x = torch.relu(self.fc1(x))"]
    assert relu.value is not None


def test_a_branch_on_data_is_reported_with_its_line(worker: WorkerClient, tmp_path: Path):
    (tmp_path / "branching.py").write_text(
        "import torch\n\n\ndef f(x):\n    if x.sum() > 0:\n        return x * 2\n    return x\n\n\n"
        "def example_inputs():\n    return (torch.ones(3),)\n"
    )
    with pytest.raises(CommandFailedError) as caught:
        captured(worker, "branching.py:f", "fx", tmp_path)
    assert "control flow" in caught.value.problem.what
    assert caught.value.problem.line == 5


@pytest.mark.thorough
def test_such_a_capture_is_edited_in_a_process_of_its_own_and_not_timed_live(worker: WorkerClient):
    capture = captured(worker, "mlp.py:MLP", "fx")
    graph = capture.stage("fx:graph").graph
    assert graph is not None
    edits = (relus_to_gelus("fx:graph", graph),)
    preview = worker.ask(PreviewEdits("capture-1", edits), Preview)
    assert not preview.problems
    made = worker.ask(Recompile("capture-1", edits, "capture-2"), Recompiled)
    assert made.capture.id == "capture-2"
    assert "gelu" in str(made.capture.stage("fx:code").content)
    assert made.verdict.summary.startswith("The edited program does what the graph says")
    for capture_id in ("capture-1", "capture-2"):
        with pytest.raises(CommandFailedError, match="process of its own"):
            worker.ask(RunTimings(capture_id, TimingSettings(iterations=1)))


def test_an_edit_of_what_is_only_a_record_is_refused(worker: WorkerClient):
    captured(worker, "mlp.py:MLP", "eager")
    with pytest.raises(CommandFailedError, match="cannot be edited"):
        worker.ask(Recompile("capture-1", (BypassNode("eager:graph", "relu", "x"),), "capture-2"))


@pytest.mark.thorough
def test_a_cell_whose_process_dies_or_does_not_end_says_so(worker: WorkerClient, tmp_path: Path):
    (tmp_path / "deadly.py").write_text(
        "import os\nimport time\n\n\ndef dies(x):\n    os.abort()\n\n\ndef hangs(x):\n    time.sleep(60)\n"
    )
    for name, limit, word in (
        ("dies", 60.0, "was ended by SIGABRT"),
        ("hangs", 6.0, "did not end within 6 s"),
    ):
        spec = CaptureSpec(TargetSpec(f"deadly.py:{name}", str(tmp_path), "1"), front_end="fx")
        cell = worker.ask(JudgeFrontEnd(spec, limit=limit), FrontEndCell)
        assert word in cell.problem.what


@pytest.mark.thorough
def test_what_a_cell_captured_is_shown_without_capturing_it_again(worker: WorkerClient, tmp_path: Path):
    text = "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return x * 2\n"
    (tmp_path / "net.py").write_text(text)
    spec = CaptureSpec(TargetSpec("net.py:Net", str(tmp_path), "torch.ones(3)"), front_end="fx")
    cell = worker.ask(JudgeFrontEnd(spec, search=False, timed=False, folder=str(tmp_path)), FrontEndCell)
    assert cell.kept
    shown = worker.ask(MakeCapture(spec, "capture-7", cell.kept), CaptureMade)
    assert (shown.capture.id, shown.capture.seconds) == ("capture-7", cell.capture_seconds)
    assert shown.capture.links
    again = worker.ask(Recompile("capture-7", (), "capture-8"), Recompiled)
    assert again.capture.spec == msgspec.structs.replace(spec, run_on="cpu")
    (tmp_path / "net.py").write_text(text.replace("x * 2", "x.sin()"))
    again = worker.ask(MakeCapture(spec, "capture-8", cell.kept), CaptureMade)
    graph = again.capture.of_kind(StageKind.FRONT_END_GRAPH)[0].graph
    assert any("sin" in node.target for node in graph.nodes)


@pytest.mark.thorough
def test_fullgraph_is_the_whole_pipeline_with_that_argument(worker: WorkerClient):
    capture = captured(worker, "mlp.py:MLP", "dynamo-fullgraph")
    assert capture.spec.compile.fullgraph
    assert capture.of_kind(StageKind.KERNELS)


def test_the_eager_step_is_a_graph_with_times_bytes_and_lines_forward_and_backward(worker: WorkerClient):
    capture = captured(worker, "mlp.py:MLP", "eager")
    (graph,) = capture.of_kind(StageKind.FRONT_END_GRAPH)
    relu = next(node for node in graph.graph.nodes if node.target == "aten.relu.default")
    assert relu.lane == "forward"
    assert relu.notes[0].endswith("µs, median")
    back = next(node for node in graph.graph.nodes if node.target == "aten.threshold_backward.default")
    assert back.lane == "backward"
    kept = {node.id for node in graph.graph.nodes if relu.id in node.inputs() and "detach" in node.target}
    kept |= {node.id for node in graph.graph.nodes if not kept.isdisjoint(node.inputs())}
    assert not kept.isdisjoint(back.inputs())
    assert back.stack[-1].line == relu.stack[-1].line


@pytest.mark.thorough
def test_a_draft_export_says_what_it_assumed_with_the_line(worker: WorkerClient):
    programs = Path(__file__).resolve().parents[2] / "data"
    target = TargetSpec("front_end_programs.py:DataIf", str(programs), "torch.ones(3)")
    shared = Path(tempfile.gettempdir(), f"export_{getpass.getuser()}")
    before = set(shared.iterdir()) if shared.exists() else set()
    capture = capture_by(worker, CaptureSpec(target, front_end="export-draft"))
    assert (
        set(shared.iterdir()) if shared.exists() else set()
    ) == before  # where torch puts its trace of a draft
    (finding,) = [problem for problem in capture.problems if "data dependent" in problem.what]
    assert finding.line == 19
    assert "it was taken to be True" in finding.what
    report = capture.stage("export-draft:report").content
    assert "torch._check" in report.text  # type: ignore[union-attr]


def test_an_input_that_kills_the_process_costs_no_more_than_that_input(worker: WorkerClient, tmp_path: Path):
    (tmp_path / "fragile.py").write_text(
        "import os\n\nimport torch\n\n\nclass Fragile(torch.nn.Module):\n    def forward(self, x):\n"
        "        return x * 2 if x.shape[0] < 9 else os.abort()\n"
    )
    spec = CaptureSpec(TargetSpec("fragile.py:Fragile", str(tmp_path), "torch.ones(3)"), front_end="eager")
    alternates = tuple(AlternateInput(text) for text in ("torch.ones(4)", "torch.ones(9)", "torch.ones(5)"))
    cell = worker.ask(JudgeFrontEnd(spec, alternates, search=False, timed=False), FrontEndCell)
    assert cell.captured
    assert [judgement.outcome for judgement in cell.judgements] == [Outcome.SAME, Outcome.SAME, Outcome.DIED]
    assert cell.judgements[-1].input == "torch.ones(9)"
    assert "SIGABRT" in cell.judgements[-1].detail
    assert format_verdict(cell.of_others()) == "dies (torch.ones(9))"


@pytest.mark.thorough
def test_a_process_that_stays_is_started_again_after_it_died(worker: WorkerClient, tmp_path: Path):
    (tmp_path / "deadly.py").write_text(
        "import os\n\nimport torch\n\n\ndef f(x):\n    if os.path.exists(__file__ + '.die'):\n        os.abort()\n"
        "    return torch.relu(x)\n\n\ndef example_inputs():\n    return (torch.ones(3),)\n"
    )
    capture = captured(worker, "deadly.py:f", "fx", tmp_path)
    graph = capture.stage("fx:graph").graph
    assert graph is not None
    edits = (relus_to_gelus("fx:graph", graph),)
    (tmp_path / "deadly.py.die").touch()
    with pytest.raises(CommandFailedError, match="was ended by SIGABRT"):
        worker.ask(Recompile("capture-1", edits, "capture-2"))
    (tmp_path / "deadly.py.die").unlink()
    assert isinstance(worker.ask(Recompile("capture-1", edits, "capture-2")), Recompiled)
    started = time.perf_counter()
    assert isinstance(worker.ask(PreviewEdits("capture-1", edits)), Preview)
    assert time.perf_counter() - started < 1.0  # torch alone takes longer to load


@pytest.mark.thorough
def test_a_process_begins_as_the_worker_did_and_not_as_the_program_left_it(
    worker: WorkerClient, tmp_path: Path
):
    """Else the program, loaded again there, would meet what it did itself."""
    (tmp_path / "counting.py").write_text(
        "import os\nimport torch\n"
        "with open(os.path.join(os.path.dirname(__file__), 'begun'), 'a') as file:\n"
        "    print(os.getpid(), os.environ.get('COUNTED'), file=file)\n"
        "os.environ['COUNTED'] = 'yes'\n"
        "def f(x):\n    return x.relu()\n"
        "def example_inputs():\n    return (torch.ones(3),)\n"
    )
    captured(worker, "counting.py:f", "dynamo", tmp_path)
    captured(worker, "counting.py:f", "fx", tmp_path)
    begun = dict(line.split() for line in (tmp_path / "begun").read_text().splitlines())
    assert len(begun) == 2
    assert set(begun.values()) == {"None"}
