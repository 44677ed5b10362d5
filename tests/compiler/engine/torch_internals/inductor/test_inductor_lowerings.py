"""What an edit puts behind AOTAutograd is decomposed as far as Inductor wants it, and what is shown and linked is what was edited."""

from collections.abc import Callable

import pytest
import torch
from torch.fx.experimental.proxy_tensor import make_fx

from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.torch_internals.inductor import stage_edits
from compiler.engine.torch_internals.inductor.inductor_lowerings import can_lower, decompose
from compiler.engine.verdicts.judge_edits import judge_edits
from compiler.model.capture.capture import Capture
from compiler.model.edits.edits import ReplaceTarget
from compiler.model.ir.stage import KernelStage
from compiler.model.session_file.checks import consistent
from tests.compiler.engine.conftest import capture

pytestmark = pytest.mark.engine

Maker = Callable[[str], EditedProgram]
_GELU = "aten.gelu.default"


def _replaced(edited: EditedProgram, stage: str, target: str) -> tuple[ReplaceTarget, Capture]:
    graph = edited.base_graph(stage, ())
    relu = next(node for node in graph.nodes if node.target == "aten.relu.default")
    edit = ReplaceTarget(stage, relu.id, "call_function", target, relu.args)
    return edit, edited.recompile((edit,), "c2", lambda text: None)


@pytest.mark.parametrize(
    "stage",
    [
        "0/0:forward:post_grad",
        pytest.param("0/0:joint", marks=pytest.mark.thorough),
        pytest.param("0/0:forward:aot", marks=pytest.mark.thorough),
    ],
)
def test_an_operator_that_torch_decomposes_before_can_be_put_into_any_graph(
    program: Maker, stage: str
) -> None:
    edited = program("mlp.py:MLP")
    edit, found = _replaced(edited, stage, _GELU)
    assert not consistent(found)[1]
    assert found.stage(stage).graph.node(edit.node).target == _GELU, "what is shown is what was edited"
    assert edited.base.recorder.faults == []
    kernels = found.stage("0/0:forward:kernels").content
    assert isinstance(kernels, KernelStage)
    own = next(kernel for kernel in kernels.kernels.kernels if ".erf(" in kernel.source)
    line = next(number for number, text in enumerate(own.source.splitlines(), 1) if ".erf(" in text)
    tables = [
        table
        for table in found.links
        if (table.source, table.target) == ("0/0:forward:post_grad", "0/0:forward:kernels")
    ]
    linked = f"{own.name}:L{line}"
    names = {source for table in tables for source, target in table.pairs if target == linked}
    graph = found.stage("0/0:forward:post_grad").graph
    wanted = _GELU if stage.endswith("post_grad") else "aten.erf.default"
    assert wanted in {graph.node(name).target for name in names}
    verdict = judge_edits(edited, (edit,), 0.0, lambda text: None)
    assert verdict.right, verdict.summary


def test_graphs_that_no_edit_touched_are_as_torch_made_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever Inductor's passes would take out of them is left to these."""
    seen: list[torch.fx.GraphModule] = []
    monkeypatch.setattr(stage_edits, "decompose", lambda module, **how: seen.append(module))
    capture("mlp.py:MLP")
    assert seen == []


def test_results_that_are_got_one_by_one_are_decomposed_too() -> None:
    """The name goes to what stands in the place of each, and nothing that Inductor refuses is left."""

    def both(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        deviation, mean = torch.ops.aten.std_mean.correction(x, [1])
        return deviation + 1, mean

    given = torch.randn(4, 8)
    module = make_fx(both, tracing_mode="fake")(given)
    before = [node.name for node in module.graph.nodes if "getitem" in node.name]
    decompose(module)
    after = {node.name: node for node in module.graph.nodes}
    assert len(before) == 2
    assert set(before) <= after.keys()
    assert all(can_lower(node.target) for node in after.values() if node.op == "call_function")
    assert all("val" in node.meta for node in after.values() if node.op == "call_function")
    torch.testing.assert_close(module(given), both(given))
