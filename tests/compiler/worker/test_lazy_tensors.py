"""LazyTensor in a process of its own: one graph a sync point, linked to lines; the cache; crashes that end as messages."""

from pathlib import Path

import pytest

from compiler.command_line.worker_client import CommandFailedError, WorkerClient
from compiler.model.capture.capture_spec import RunOptions
from compiler.model.ir.ids import line_id, place
from compiler.model.ir.links import Provenance
from compiler.model.ir.stage import StageKind
from compiler.model.passes.pass_replay import replay_of
from compiler.model.session_file.checks import consistent
from tests.compiler.worker.test_front_ends import captured

pytestmark = [pytest.mark.engine, pytest.mark.worker]

PROGRAM = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.LazyLinear(16)
        self.b = nn.Linear(16, 4)

    def forward(self, x):
        y = self.b(torch.relu(self.a(x)))
        y += 1
        if y.sum() > 0:
            y = y * 2
        else:
            y = y * 3
        s = torch.cumprod(y, 0)
        return s - y


class Chain(nn.Module):
    def forward(self, x):
        for _ in range(20_000):
            x = x + 1
        return x


def example_inputs():
    return (torch.ones(5, 8),)
"""


TRAINED = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(8, 16)
        self.b = nn.Linear(16, 4)

    def forward(self, x):
        return self.b(torch.relu(self.a(x)))


def example_inputs():
    return (torch.ones(5, 8),)
"""


def line_with(text: str) -> int:
    return next(number for number, line in enumerate(PROGRAM.split("\n"), 1) if text in line)


@pytest.mark.thorough
def test_one_graph_a_sync_point_with_its_cause_and_its_lines(worker: WorkerClient, tmp_path: Path):
    (tmp_path / "syncing.py").write_text(PROGRAM)
    capture = captured(worker, "syncing.py:Net", "lazy", tmp_path)
    graphs = capture.of_kind(StageKind.FRONT_END_GRAPH)
    branch, cumprod = line_with("if y.sum()"), line_with("cumprod")
    assert [stage.title for stage in graphs] == [
        f"1: line {branch}, bool()",
        f"2: line {cumprod}, cumprod, not lazy",
        "3: end, mark_step",
    ]
    (source,) = capture.of_kind(StageKind.SOURCE)
    links = Provenance(capture.links)

    def lines_of(stage: str, target: str) -> list[tuple[str, ...]]:
        graph = capture.stage(stage).graph
        nodes = [node for node in graph.nodes if node.target == target]
        return [links.follow(place(stage, node.id))[source.id].nodes for node in nodes]

    first, added = (line_id(line_with("self.b(torch")),), (line_id(line_with("y += 1")),)
    for stage in (
        "lazy:sync1",
        "lazy:sync2",
        "lazy:sync3",
    ):  # the first is written over, the second run again
        assert lines_of(stage, "aten::addmm") == [first, first]
        assert lines_of(stage, "aten::add") == [added]
    (doubled,) = lines_of("lazy:sync2", "aten::mul")
    assert doubled in ((line_id(branch + 1),), (line_id(branch + 3),))
    noted = {problem.line: problem.what for problem in capture.problems}
    assert "bool() needs a value here" in noted[branch]
    assert "aten::cumprod has no lazy kernel" in noted[cumprod]


@pytest.mark.thorough
def test_cache_and_lazy_modules_are_reported(worker: WorkerClient, tmp_path: Path):
    (tmp_path / "syncing.py").write_text(PROGRAM)
    capture = captured(worker, "syncing.py:Net", "lazy", tmp_path)
    rows = [line.split() for line in capture.stage("lazy:cache").content.text.split("\n")[3:]]  # type: ignore[union-attr]
    first, again, longer = rows[:3], rows[3:6], rows[6:]
    assert all("miss" in row for row in (*first, *longer))
    assert all("hit" in row for row in again)
    assert [row[-1] for row in first] == [row[-1] for row in again]
    assert len({row[-1] for row in first}) == 3
    filled = next(problem for problem in capture.problems if "LazyLinear" in problem.what)
    assert "weight [16, 8], bias [16]" in filled.what
    assert filled.line == line_with("self.b(torch")
    assert "UncachedCompile" in capture.stage("lazy:metrics").content.text  # type: ignore[union-attr]


@pytest.mark.thorough
def test_a_chain_that_kills_the_process_ends_as_a_message(worker: WorkerClient, tmp_path: Path):
    (tmp_path / "syncing.py").write_text(PROGRAM)
    with pytest.raises(CommandFailedError, match="LazyTensor") as caught:
        captured(worker, "syncing.py:Chain", "lazy", tmp_path)
    assert "SIGSEGV" in caught.value.problem.message()


def test_a_graph_is_seen_to_grow_line_by_line(worker: WorkerClient, tmp_path: Path):
    (tmp_path / "syncing.py").write_text(PROGRAM)
    capture = captured(worker, "syncing.py:Net", "lazy", tmp_path)
    replay = replay_of(capture, "lazy:sync1")
    assert [step.name for step in replay.steps] == [
        f"line {line_with('self.b(torch')}: y = self.b(torch.relu(self.a(x)))",
        f"line {line_with('y += 1')}: y += 1",
        f"line {line_with('if y.sum()')}: if y.sum() > 0:",
    ]
    graphs = [replay.stage_at(position).graph for position in range(4)]
    assert [sum(node.op == "call_function" for node in graph.nodes) for graph in graphs if graph] == [
        *(0, 5, 6, 8)
    ]
    assert graphs[-1] == capture.stage("lazy:sync1").graph
    assert not consistent(capture)[1]


def test_the_backward_is_as_pending_as_the_forward_and_belongs_to_its_lines(
    worker: WorkerClient, tmp_path: Path
):
    (tmp_path / "training.py").write_text(TRAINED)
    capture = captured(worker, "training.py:Net", "lazy", tmp_path, RunOptions(training=True))
    (stage,) = capture.of_kind(StageKind.FRONT_END_GRAPH)
    graph = stage.graph
    back = [node for node in graph.nodes if node.lane == "backward"]
    assert {node.target for node in back} >= {"aten::mm", "aten::threshold_backward"}
    (step,) = (node for node in back if node.target == "aten::threshold_backward")
    assert step.stack[-1].text == "return self.b(torch.relu(self.a(x)))"
    replay = replay_of(capture, stage.id)
    line = next(number for number, text in enumerate(TRAINED.split("\n"), 1) if "torch.relu" in text)
    assert [step.name.partition(":")[0] for step in replay.steps] == [
        f"line {line}",
        f"backward of line {line}",
    ]
    assert not consistent(capture)[1]
