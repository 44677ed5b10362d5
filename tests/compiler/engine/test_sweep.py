"""Slow: odd programs and every example, captured, edited in every editable graph, judged and timed."""

from pathlib import Path

import pytest

from compiler.analysis.text_format.printer import program
from compiler.engine.verbs.engine import Engine
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.edits.edits import Edit, InsertNode
from compiler.model.ir.arguments import NodeArgument, SequenceArgument
from compiler.model.ir.graph import Node
from compiler.model.ir.stage import EDITABLE_GRAPHS, Stage
from compiler.model.ir.tensor_types import TensorValue
from compiler.model.session_file.checks import consistent
from compiler.model.timing.timings import TimingSettings
from tests.compiler.engine.conftest import EXAMPLES

DATA = Path(__file__).resolve().parents[2] / "data"
ODD = (
    "Lstm", "Mha", "Emb", "cond", "mutate", "Ckpt", "vm", "Custom", "Loopbreak", "gen", "nothing", "item", "Half",
)  # fmt: skip
TARGETS = [(DATA, f"odd_programs.py:{name}") for name in ODD] + [
    (EXAMPLES, name)
    for name in (
        "breaky.py:Breaky",
        "conv_bn_relu.py:Net",
        "recompiling.py:Changing",
        "training_step.py:Step",
    )
]


@pytest.mark.slow
@pytest.mark.engine
@pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
@pytest.mark.parametrize(("folder", "name"), TARGETS, ids=[name for _, name in TARGETS])
def test_capture_edit_judge_time(folder: Path, name: str, training: bool) -> None:
    engine = Engine()
    run = RunOptions(training=training, gradients=training)
    capture = engine.capture(CaptureSpec(TargetSpec(name, str(folder)), run=run), "c1", _quiet)
    assert not consistent(capture)[1]
    for stage in capture.stages:
        program(stage)
    for edit in _negations(capture):
        edited, verdict = engine.recompile("c1", (edit,), "c2", True, _quiet)
        assert not consistent(edited)[1]
        assert all(row.agrees is not False for row in verdict.comparisons), verdict.summary
        report = engine.time(
            "c1", TimingSettings(iterations=3, warm_up=1), lambda event: None, lambda: False, _quiet
        )
        assert report.compiled is not None


def _quiet(text: str) -> None:
    return None


def _negations(capture: Capture) -> list[Edit]:
    """In each editable graph: negate the first floating result that is used."""
    return [
        edit
        for stage in capture.stages
        if stage.kind in EDITABLE_GRAPHS and (edit := _negation(stage)) is not None
    ]


def _negation(stage: Stage) -> Edit | None:
    graph = stage.graph
    users = graph.users()
    for node in graph.nodes:
        floating = isinstance(node.value, TensorValue) and "float" in node.value.dtype
        if node.op != "call_function" or not floating or not users[node.id]:
            continue
        target = "torch.neg" if stage.kind in EDITABLE_GRAPHS[:2] else "aten.neg.default"
        fresh = Node("negated", "call_function", target, SequenceArgument("tuple", (NodeArgument(node.id),)))
        uses = tuple((user.id, path) for user in graph.nodes for used, path in user.uses() if used == node.id)
        return InsertNode(stage.id, fresh, graph.index(node.id) + 1, uses)
    return None
