"""A kernel that does something else than its graph is found, and the node that shows it first is named."""

import pytest

from compiler.engine.kernel_code.buffer_capture import with_notes
from compiler.engine.verbs.engine import Engine
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.edits.edits import ReplaceKernel
from compiler.model.ir.stage import KernelStage
from tests.compiler.engine.conftest import EXAMPLES

pytestmark = pytest.mark.engine


@pytest.mark.thorough
def test_a_wrong_kernel_in_the_middle_is_named_by_its_node() -> None:
    engine = Engine()
    spec = CaptureSpec(
        TargetSpec("transformer_layer.py:EncoderLayer", str(EXAMPLES)), run=RunOptions(training=True)
    )
    capture = engine.capture(spec, "capture-1", lambda text: None)
    stage = capture.stage("0/0:forward:kernels")
    kernel = next(row for row in stage.kernels if "softmax" in row.name and ".exp()" in row.source)
    wrong = ReplaceKernel(stage.id, kernel.name, kernel.source.replace(".exp()", ".abs()"))
    made, verdict = engine.recompile("capture-1", (wrong,), "capture-2", True, lambda text: None)
    assert "not as near" in verdict.summary
    (problem, *_others) = made.problems
    assert problem.place.stage == "0/0:forward:post_grad"
    (name,) = problem.place.nodes
    names = [node.id for node in made.stage("0/0:forward:post_grad").graph.nodes]  # type: ignore[union-attr]
    assert names.index("amax_default") <= names.index(name) <= names.index("div_1")
    assert "first result" in problem.what


@pytest.mark.thorough
def test_a_right_kernel_has_no_difference() -> None:
    engine = Engine()
    spec = CaptureSpec(TargetSpec("mlp.py:MLP", str(EXAMPLES)), run=RunOptions(training=True))
    capture = engine.capture(spec, "capture-1", lambda text: None)
    stage = next(row for row in capture.stages if isinstance(row.content, KernelStage))
    kernel = next(row for row in stage.kernels if row.source)
    same = ReplaceKernel(stage.id, kernel.name, kernel.source + "\n// the same\n")
    made, verdict = engine.recompile("capture-1", (same,), "capture-2", True, lambda text: None)
    assert made.problems == ()
    assert verdict is not None


@pytest.mark.thorough
def test_graphs_behind_a_kernel_that_gives_nan_are_not_blamed() -> None:
    """What is made of NaN is NaN in the backward's own graph too, of which there is nothing to judge."""
    engine = Engine()
    spec = CaptureSpec(TargetSpec("mlp.py:MLP", str(EXAMPLES)), run=RunOptions(training=True))
    capture = engine.capture(spec, "capture-1", lambda text: None)
    stage = capture.stage("0/0:forward:kernels")
    kernel = next(row for row in stage.kernels if "tmp1.store(" in row.source)
    nan = kernel.source.replace("tmp1.store(", "(tmp1 / (tmp1 - tmp1)).store(", 1)
    wrong = ReplaceKernel(stage.id, kernel.name, nan)
    made, verdict = engine.recompile("capture-1", (wrong,), "capture-2", True, lambda text: None)
    assert verdict.right is False
    places = [problem.place.stage for problem in made.problems if problem.place is not None]
    assert places == ["0/0:forward:post_grad"]


def test_notes_stand_behind_what_fills_a_buffer() -> None:
    text = (
        "def call(args):\n"
        "    buf0 = empty_strided_cpu((2,), (1,), torch.float32)\n"
        "    extern_kernels.mm(x, y, out=buf0)\n"
        "    buf1 = buf0; del buf0  # reuse\n"
        "    cpp_fused_relu_0(buf1)\n"
        "    buf2 = torch.ops.aten.sort.default(buf1)\n"
        "    return (buf1,)\n"
    )
    lines = with_notes(text).split("\n")
    assert lines[2:4] == ["    extern_kernels.mm(x, y, out=buf0)", "    _loupe_note('buf0', buf0)"]
    assert lines[6:9] == [
        "    cpp_fused_relu_0(buf1)",
        "    _loupe_note('buf1', buf1)",
        "    buf2 = torch.ops.aten.sort.default(buf1)",
    ]
