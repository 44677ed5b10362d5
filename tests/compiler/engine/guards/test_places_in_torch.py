"""A guard that torch itself made is reported with no line of the program's; torch names its own line for it, never a hook's of ours."""

from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from compiler.analysis.running.run_summary import short_cause
from compiler.analysis.torch_logs.log_guards import TREE, guards_of
from compiler.engine.capture.capture import make_capture
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, TargetSpec

pytestmark = pytest.mark.engine

PROGRAM = """
import torch

class Optimizer:
    rate = 0.5

    def step(self, parameters):
        torch._foreach_add_(parameters, parameters, alpha=-self.rate)

optimizer = Optimizer()

def program(x):
    for rate in (0.5, 0.25, 0.125):
        torch._dynamo.graph_break()
        optimizer.rate = rate
        torch._dynamo.graph_break()
        optimizer.step([x, x + 1])
    return x

def example_inputs():
    return (torch.ones(3),)
"""


def test_a_number_that_torch_fixed_is_a_guard_without_a_line(tmp_path: Path) -> None:
    (tmp_path / "rates.py").write_text(PROGRAM)
    spec = CaptureSpec(TargetSpec("rates.py:program", str(tmp_path)), CompileOptions(backend="aot_eager"))
    found = make_capture(spec, "capture-1", lambda text: None).capture
    (entry, *_) = [record for record in found.recompiles if record.name == "step"][-1].entries
    assert {guard.line for guard in entry.failed if "== 0.25" in guard.code} == {None}
    (cause,) = {reason for frame in found.frames for reason in frame.recompile_reasons if "== 0.25" in reason}
    assert "(_dynamo/" in cause or torch.__version__ < "2.12"
    assert short_cause(cause).endswith("== 0.25")
    by = [guard.made_by for tree in found.guards for guard in tree.shape_guards]
    assert by
    assert not [place for place in by if "torch_internals" in place]


def test_a_log_with_a_place_in_torch_names_no_line() -> None:
    reported = (
        "+- RootGuardManager\n| +- LAMBDA_GUARD: L['r'] == 0.25  # (_dynamo/output_graph.py:3552 in remove)"
    )
    tree = guards_of(
        SimpleNamespace(id="0/0", entries=(SimpleNamespace(name=TREE, text=reported),), small=())
    )
    assert tree.nodes[0].leaves[0].code == ("L['r'] == 0.25",)
    assert tree.line_of(tree.nodes[0].leaves[0]) is None
