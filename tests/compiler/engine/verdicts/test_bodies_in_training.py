"""Edits in bodies of higher-order operators of programs in training: judged, what the source gives, exported."""

from pathlib import Path

import pytest
import torch

from compiler.engine.capture.capture import LiveCapture, make_capture
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.recompile.export import edited_graphs
from compiler.engine.verdicts.judge_edits import judge_edits
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.edits.edits import ReplaceTarget
from compiler.model.export import exported_files
from tests.compiler.engine.graph_editing.test_submodule_callables import (
    PROGRAM,
    passes_by_itself,
    results_of,
)

pytestmark = pytest.mark.engine

SINES = {"sin": "cos", "torch.sin": "torch.cos"}
IN_SOURCE = {"Branches": "self.a(x).{}()", "Checkpointed": "torch.{}(self.a(x))"}
STAGES = {"Branches": {"cond_true_0"}, "Checkpointed": {"wrap_body_0", "wrap_body_1"}}
"""Dynamo's bodies in which a cosine for each sine is what it is in the source."""


def captured(folder: Path, name: str) -> LiveCapture:
    torch.manual_seed(0)
    run = RunOptions(training=True, gradients=True)
    spec = CaptureSpec(TargetSpec(f"operators.py:{name}", str(folder)), run=run)
    return make_capture(spec, "capture-1", lambda text: None)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["Branches", pytest.param("Checkpointed", marks=pytest.mark.slow)])
def test_a_cosine_for_a_sine(tmp_path: Path, name: str):
    assert PROGRAM.count(IN_SOURCE[name].format("sin")) == 1
    changed = PROGRAM.replace(IN_SOURCE[name].format("sin"), IN_SOURCE[name].format("cos"))
    for folder, text in (("before", PROGRAM), ("after", changed)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "operators.py").write_text(text)
    live = captured(tmp_path / "before", name)
    edits = tuple(
        ReplaceTarget(stage.id, node.id, node.op, SINES[node.target], node.args)
        for stage in live.capture.stages
        if stage.graph is not None and stage.id.partition(":dynamo:")[2] in STAGES[name]
        for node in stage.graph.nodes
        if node.target in SINES
    )
    assert {edit.stage.partition(":dynamo:")[2] for edit in edits} == STAGES[name]
    program = EditedProgram(live)
    made = program.recompile(edits, "capture-2", lambda text: None)
    verdict = judge_edits(program, edits, 0.0, lambda text: None)
    edited = results_of(live)
    assert [row for row in verdict.comparisons if row.agrees], verdict
    assert [row for row in verdict.comparisons if row.agrees is False] == []
    files = exported_files("edits", live.capture, made, edits, edited_graphs(program, edits), verdict)
    in_source = results_of(captured(tmp_path / "after", name))
    for result, expected in in_source.items():
        torch.testing.assert_close(edited[result], expected)
    passes_by_itself(files, tmp_path / "exported")
