"""What could hang other ranks, or leave a running program without a version that runs, is refused with its reason."""

from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from compiler.engine.torch_internals.inductor.cuda_graphs import replays_cuda_graph
from compiler.model.edits.edits import ReplaceTarget
from compiler.model.ir.arguments import SequenceArgument
from compiler.model.ir.stage import StageKind
from compiler.model.protocol.messages import Recompile
from tests.compiler.recorder.test_live_edits import Run, _node, _recompiled, _refused, _stage

pytestmark = pytest.mark.engine

_WITH_COLLECTIVES = """
import time, torch, torch.distributed as dist
import torch.distributed._functional_collectives as funcol
from torch.testing._internal.distributed.fake_pg import FakeStore
torch._inductor.config.triton.cudagraphs = True  # nothing here is on a GPU: it changes nothing
dist.init_process_group("fake", rank=0, world_size=4, store=FakeStore())
@torch.compile
def step(x):
    y = funcol.all_reduce(torch.relu(x), "sum", [0, 1, 2, 3])
    return funcol.all_gather_tensor(torch.sin(y), 0, [0, 1, 2, 3]).sum()
x = torch.randn(4, 8)
while True:
    print(step(x).item(), flush=True)
    time.sleep(0.02)
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    made = Run(tmp_path_factory.mktemp("run"), program=_WITH_COLLECTIVES)
    try:
        made.until_compiled("inference")
        yield made
    finally:
        made.end()


@pytest.mark.thorough
def test_an_edit_that_takes_out_a_collective_is_refused(run: Run) -> None:
    stage = _stage(run, StageKind.DYNAMO_GRAPH)
    reduce = _node(run, stage, "all_reduce")
    before = run.lines_from_now()
    edit = ReplaceTarget(
        stage, reduce.id, "call_function", "torch.neg", SequenceArgument("tuple", reduce.args.items[:1])
    )
    assert "calls other collectives" in _refused(run, Recompile("run", (edit,), "capture-1")).what
    assert set(run.lines_from_now()) == set(before)


@pytest.mark.thorough
def test_an_edit_between_collectives_runs(run: Run) -> None:
    stage = _stage(run, StageKind.DYNAMO_GRAPH)
    sine = _node(run, stage, "sin")
    before = run.lines_from_now()
    _recompiled(run, (ReplaceTarget(stage, sine.id, "call_function", "torch.cos", sine.args),), "capture-2")
    assert not set(run.lines_from_now()) & set(before)
    _recompiled(run, (), "capture-3")
    assert set(run.lines_from_now()) == set(before)


@pytest.mark.parametrize(
    ("device", "settings", "replays"),
    [
        ("cuda", {"triton.cudagraphs": True}, True),
        ("cuda", {}, False),
        ("cpu", {"triton.cudagraphs": True}, False),
    ],
)
def test_what_is_replayed_as_a_cuda_graph(device: str, settings: dict[str, Any], replays: bool) -> None:
    graph = torch.fx.Graph()
    node = graph.placeholder("x")
    with FakeTensorMode():
        node.meta["example_value"] = torch.empty(2, device=device)
    graph.output(node)
    module = torch.fx.GraphModule(torch.nn.Module(), graph)
    assert replays_cuda_graph(module, settings) is replays
