"""Backends that take AOTAutograd's graphs and are not Inductor: their stages are shown, and only Dynamo's graph is edited."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch._dynamo.backends import registry
from torch._dynamo.backends.common import aot_autograd

from compiler.engine.errors import EngineError
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.model.capture.capture import Capture
from compiler.model.edits.editable_stages import why_fixed
from compiler.model.edits.edits import ReplaceTarget
from compiler.model.ir.ids import place
from compiler.model.ir.links import Provenance
from compiler.model.ir.stage import StageKind
from compiler.model.session_file.checks import consistent
from tests.compiler.engine.conftest import capture

pytestmark = pytest.mark.engine

_KINDS = {
    "aot_eager": ["joint", "forward:aot", "backward:aot"],
    "aot_eager_default_partitioner": ["joint", "forward:aot", "backward:aot"],
    "aot_eager_decomp_partition": ["joint", "forward:aot", "backward:aot"],
    "loupe_test_backend": ["joint", "forward:aot", "backward:aot"],
    "eager": [],
}


@pytest.fixture
def own_backend() -> Iterator[list[str]]:
    """A backend of a user's; the names of what it was handed."""
    handed: list[str] = []

    def compiler(module: Any, inputs: Any) -> Callable[..., Any]:
        handed.append(f"{len(module.graph.nodes)} nodes")
        return module.forward  # type: ignore[no-any-return]

    registry.register_backend(compiler_fn=aot_autograd(fw_compiler=compiler), name="loupe_test_backend")
    yield handed
    for table in (registry._BACKENDS, registry._COMPILER_FNS):
        table.pop("loupe_test_backend", None)


def _behind(found: Capture) -> list[str]:
    kinds = (StageKind.JOINT_GRAPH, StageKind.AOT_GRAPH, StageKind.POST_GRAD_GRAPH, StageKind.KERNELS)
    return [stage.id.removeprefix("0/0:") for stage in found.stages if stage.kind in kinds]


@pytest.mark.thorough
@pytest.mark.parametrize("backend", _KINDS)
def test_what_the_backend_was_handed_is_shown_and_linked(backend: str, own_backend: list[str]) -> None:
    found = capture("mlp.py:MLP", training=True, backend=backend).capture
    assert _behind(found) == _KINDS[backend]
    assert not consistent(found)[1]
    assert not found.problems
    links = Provenance(found.links)
    for name in _KINDS[backend]:
        stage = found.stage(f"0/0:{name}")
        assert "Inductor" in why_fixed(stage)
        unlinked = [
            node.id
            for node in stage.graph.nodes
            if node.op == "call_function" and "0/0:dynamo" not in links.ancestors(place(stage.id, node.id))
        ]
        assert not unlinked, f"{stage.id}: {unlinked}"
    if backend == "loupe_test_backend":
        assert len(own_backend) == 2


def test_inference_is_one_graph() -> None:
    found = capture("mlp.py:MLP", training=False, backend="aot_eager").capture
    assert _behind(found) == ["inference:aot"]


@pytest.mark.thorough
def test_dynamos_graph_is_edited_and_what_comes_of_it_is_shown() -> None:
    edited = EditedProgram(capture("mlp.py:MLP", training=True, backend="aot_eager"))
    graph = edited.base.capture.stage("0/0:dynamo").graph
    relu = next(node for node in graph.nodes if "relu" in node.target)
    edit = ReplaceTarget("0/0:dynamo", relu.id, "call_function", "torch.nn.functional.gelu", relu.args)
    made = edited.recompile((edit,), "c2", lambda _: None)
    assert not consistent(made)[1]
    joint = made.stage("0/0:joint").graph
    assert any("gelu" in node.target for node in joint.nodes)
    assert edited.base.stepper.step(edited.base.compiled).tensors
    wrong = ReplaceTarget("0/0:joint", "relu", "call_function", "torch.ops.aten.neg.default", relu.args)
    with pytest.raises(EngineError, match="another backend"):
        edited.recompile((wrong,), "c3", lambda _: None)


@pytest.mark.thorough
def test_a_backward_that_is_compiled_later_is_shown(own_backend: list[str]) -> None:
    """With sizes that change, AOTAutograd leaves the backward until gradients are asked for."""
    found = capture("mlp.py:MLP", training=True, backend="loupe_test_backend", dynamic=True).capture
    assert _behind(found) == _KINDS["loupe_test_backend"]


@pytest.mark.thorough
def test_torch_is_left_as_it_was() -> None:
    from torch._dynamo.backends import common, debugging

    before = common.aot_module_simplified, dict(debugging.aot_eager_default_partitioner.kwargs)
    capture("mlp.py:MLP", training=True, backend="aot_eager_default_partitioner")
    assert common.aot_module_simplified is before[0]
    assert set(debugging.aot_eager_default_partitioner.kwargs) >= set(before[1])
    assert debugging.aot_eager_default_partitioner.kwargs["fw_compiler"] is before[1]["fw_compiler"]
    assert torch.compile(lambda x: x + 1, backend="aot_eager_default_partitioner")(
        torch.ones(2)
    ).tolist() == [2, 2]
