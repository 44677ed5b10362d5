"""What make_fx sees of a program under torch.func's transforms, and the batching rules vmap used."""

from pathlib import Path

import pytest

from compiler.command_line.worker_client import WorkerClient
from compiler.model.ir.ids import place
from compiler.model.ir.links import Provenance
from compiler.model.ir.stage import StageKind, TextStage
from tests.compiler.worker.test_front_ends import captured

pytestmark = [pytest.mark.engine, pytest.mark.worker]


@pytest.mark.thorough
def test_each_transform_is_a_graph_and_each_rule_a_line(worker: WorkerClient):
    capture = captured(worker, "mlp.py:MLP", "func")
    assert capture.problems == ()
    graphs = {stage.id: stage.graph for stage in capture.of_kind(StageKind.FRONT_END_GRAPH)}
    assert list(graphs) == [
        f"func:{name}"
        for name in ("f", "vmap(f)", "vmap(vmap(f))", "grad(f)", "vmap(grad(f))", "grad(grad(f))", "jvp(f)")
    ]
    gradients = graphs["func:vmap(grad(f))"]
    assert sum("bmm" in node.target for node in gradients.nodes) >= 2
    rules = capture.stage("func:rules")
    assert isinstance(rules.content, TextStage)
    assert "differ by at most" in rules.content.text
    number, line = next(
        (number, line)
        for number, line in enumerate(rules.content.text.split("\n"), 1)
        if "aten::relu" in line
    )
    assert "batching rule" in line
    assert "BatchRulesUnaryOps.cpp" in line
    (source,) = capture.of_kind(StageKind.SOURCE)
    lit = Provenance(capture.links).follow(place(rules.id, f"L{number}"))[source.id]
    text = source.content.file.text.split("\n")  # type: ignore[union-attr]
    assert [text[int(node[1:]) - 1].strip() for node in lit.nodes] == ["x = torch.relu(self.fc1(x))"]


def test_an_operator_without_a_rule_is_reported_as_slow_and_a_refusal_as_a_problem(
    worker: WorkerClient, tmp_path: Path
):
    (tmp_path / "counting.py").write_text(
        "import torch\n\n\ndef f(x):\n    return torch.histc(x, 4, 0, 1)\n\n\n"
        "def choosing(x):\n    return x * 2 if x.sum() > 0 else x\n\n\n"
        "def example_inputs():\n    return (torch.rand(5),)\n"
    )
    capture = captured(worker, "counting.py:f", "func", tmp_path)
    rules = capture.stage("func:rules").content
    assert isinstance(rules, TextStage)
    assert "1 had no rule and ran one example after another" in rules.text
    assert "SLOW: one by one" in rules.text
    assert "batching rule for aten::histc" in rules.text
    graph = capture.stage("func:f").graph
    counted = next(node for node in graph.nodes if "histc" in node.target)
    assert [line.line for line in counted.stack] == [5], "a function need not be called forward"
    refused = captured(worker, "counting.py:choosing", "func", tmp_path)
    assert any("vmap(f) is not possible here" in problem.what for problem in refused.problems)
