"""One Dynamo graph that reaches the compiler in parts: DDPOptimizer cuts it at DDP's buckets, a backend of a user's where it
likes. Every part has stages of its own, linked to the graph and so to the source; they are edited like graphs.
"""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.distributed as dist
from torch._dynamo.backends import registry
from torch._dynamo.backends.common import aot_autograd
from torch._dynamo.backends.distributed import SubmodCompiler, propagate_dynamo_source
from torch._dynamo.utils import detect_fake_mode
from torch._inductor import compile_fx
from torch.fx.passes.regional_inductor import regional_inductor
from torch.fx.passes.split_module import split_module

from compiler.engine.capture.capture import LiveCapture, make_capture
from compiler.engine.errors import EngineError
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.torch_internals.dynamo import graph_parts
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec
from compiler.model.edits.edits import ReplaceTarget
from compiler.model.ir.ids import place
from compiler.model.ir.links import Provenance
from compiler.model.ir.stage import Stage, StageKind
from compiler.model.session_file.checks import consistent

pytestmark = pytest.mark.engine

_PROGRAM = """\
import torch
import torch.distributed as dist
import torch.fx.traceback
from torch import nn

if not dist.is_initialized():
    dist.init_process_group("gloo", init_method="file://{folder}/store", rank=0, world_size=1)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second, self.third = (nn.Linear(512, 512) for _ in range(3))

    def forward(self, x):
        x = torch.relu(self.first(x))
        x = torch.sigmoid(self.second(x)) * 2
        return torch.tanh(self.third(x)).sum()


class Parallel(nn.parallel.DistributedDataParallel):
    def __init__(self):
        super().__init__(Net(), bucket_cap_mb=1)


class Regions(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(512, 512)

    def forward(self, x):
        x = self.first(x)
        with torch.fx.traceback.annotate({"compile_with_inductor": 0}):
            x = torch.sin(x) * 2
        x = torch.relu(x)
        with torch.fx.traceback.annotate({"compile_with_inductor": 1}):
            x = torch.cos(x) * 3
        return x.sum()


def example_inputs():
    return (torch.randn(4, 512),)
"""
_KINDS = (StageKind.JOINT_GRAPH, StageKind.AOT_GRAPH, StageKind.POST_GRAD_GRAPH)


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Callable[..., LiveCapture]]:
    """Captures a class of the program, which joins a group of one process."""
    (tmp_path / "cut.py").write_text(_PROGRAM.replace("{folder}", str(tmp_path)))

    def capture(name: str, **options: Any) -> LiveCapture:
        run = RunOptions(training=True, gradients=True)
        target = TargetSpec(f"cut.py:{name}", str(tmp_path))
        return make_capture(CaptureSpec(target, CompileOptions(**options), run), "c1", lambda _: None)

    yield capture
    if dist.is_initialized():
        dist.destroy_process_group()


@pytest.fixture
def backends() -> Iterator[None]:
    """Backends of a user's: one compiles halves of a graph, one the whole twice, one a graph that it changed."""

    def halves(module: torch.fx.GraphModule, inputs: list[torch.Tensor]) -> Callable[..., Any]:
        calls = [node for node in module.graph.nodes if node.op.startswith("call")]
        late = set(calls[len(calls) // 2 :])
        made = split_module(module, None, lambda node: int(node in late))  # type: ignore[arg-type]

        propagate_dynamo_source(module, made)
        mode = detect_fake_mode(inputs)
        assert mode is not None
        SubmodCompiler(made, compile_fx.compile_fx, mode).run(*inputs)
        made.recompile()
        return made

    def twice(module: torch.fx.GraphModule, inputs: list[torch.Tensor]) -> Callable[..., Any]:
        compile_fx.compile_fx(module, inputs)
        return compile_fx.compile_fx(module, inputs)

    def changed(module: torch.fx.GraphModule, inputs: list[torch.Tensor]) -> Callable[..., Any]:
        for node in list(module.graph.nodes):
            if node.target is torch.sigmoid:
                with module.graph.inserting_before(node):
                    other = module.graph.call_function(torch.tanh, node.args)
                node.replace_all_uses_with(other)
                module.graph.erase_node(node)
        module.recompile()
        return compile_fx.compile_fx(module, inputs)

    regions = aot_autograd(fw_compiler=regional_inductor, bw_compiler=regional_inductor)
    made = {"loupe_regions": regions, "loupe_halves": halves, "loupe_twice": twice, "loupe_changed": changed}
    for name, function in made.items():
        registry.register_backend(compiler_fn=function, name=name)
    yield
    for table in (registry._BACKENDS, registry._COMPILER_FNS):
        for name in made:
            table.pop(name, None)


def _parts(found: Capture) -> list[str]:
    return [stage.id for stage in found.of_kind(StageKind.GRAPH_PART)]


def _graph_id(found: Capture) -> str:
    (graph,) = found.of_kind(StageKind.DYNAMO_GRAPH)
    return graph.compile_id


def _lines(found: Capture, stages: list[Stage]) -> set[str]:
    """Lines of the program that operations of these stages come from."""
    links = Provenance(found.links)
    return {
        node
        for stage in stages
        if stage.graph is not None
        for operation in stage.graph.nodes
        if operation.op == "call_function"
        for source, nodes in links.ancestors(place(stage.id, operation.id)).items()
        if source.endswith("cut.py")
        for node in nodes
    }


def _whole(found: Capture) -> None:
    assert not consistent(found)[1]
    ids = [stage.id for stage in found.stages]
    assert len(ids) == len(set(ids))
    links = Provenance(found.links)
    graph = f"{_graph_id(found)}:dynamo"
    for stage in found.stages:
        if stage.kind not in (*_KINDS, StageKind.GRAPH_PART) or stage.graph is None:
            continue
        calls = [node.id for node in stage.graph.nodes if node.op == "call_function"]
        lost = [name for name in calls if graph not in links.ancestors(place(stage.id, name))]
        assert not lost, f"{stage.id}: {lost}"


@pytest.mark.thorough
def test_ddps_parts_have_stages_of_their_own(program: Callable[..., LiveCapture]) -> None:
    found = program("Parallel").capture
    name = _graph_id(found)
    assert _parts(found) == [f"{name}.{number}:dynamo" for number in range(3)]
    assert not [problem for problem in found.problems if problem.severity.value != "note"]
    _whole(found)
    for number, part in enumerate(found.of_kind(StageKind.GRAPH_PART), 1):
        assert part.title == f"Part {number} of 3"
        assert part.made_by.startswith("DDPOptimizer at its buckets, torch/_dynamo/backends/distributed.py")
        assert part.made_from == (f"{name}:dynamo",)
        own = {stage.kind for stage in found.stages if stage.compile_id == part.compile_id}
        assert own >= {*_KINDS, StageKind.KERNELS, StageKind.WRAPPER}
    assert not [s for s in found.stages if s.compile_id == name and s.kind in (*_KINDS, StageKind.KERNELS)]
    graph = found.stage(f"{name}:dynamo").graph
    calls = [node.id for node in graph.nodes if node.op.startswith("call")]
    same = [row for row in found.links if row.source == f"{name}:dynamo" and row.kind == "same"]
    assert sorted(source for row in same for source, _ in row.pairs) == sorted(calls)  # each in one part
    for row in same:
        part_graph = found.stage(row.target).graph
        assert part_graph is not None
        for source, target in row.pairs:  # torch names the nodes of a part again
            assert graph.by_id()[source].target == part_graph.by_id()[target].target


@pytest.mark.thorough
def test_parts_reach_the_lines_that_the_uncut_program_reaches(program: Callable[..., LiveCapture]) -> None:
    cut, plain = program("Parallel").capture, program("Net").capture
    assert _parts(plain) == []
    for kind in (*_KINDS, StageKind.DYNAMO_GRAPH):
        lines = _lines(cut, list(cut.of_kind(kind)))
        assert lines == _lines(plain, list(plain.of_kind(kind)))
        assert {f"L{number}" for number in (16, 17, 18)} <= lines


@pytest.mark.thorough
def test_ids_are_the_same_from_capture_to_capture(program: Callable[..., LiveCapture]) -> None:
    first, second = (program("Parallel").capture for _ in range(2))
    assert [stage.id for stage in first.stages] == [stage.id for stage in second.stages]


@pytest.mark.thorough
def test_a_part_is_edited_and_the_whole_is_not(program: Callable[..., LiveCapture]) -> None:
    live = program("Parallel")
    edited, name = EditedProgram(live), _graph_id(live.capture)
    step = live.stepper.step
    before = step(live.compiled).tensors
    stage = live.capture.stage(f"{name}.1:dynamo")
    node = next(node for node in stage.graph.nodes if "sigmoid" in node.target)
    edit = ReplaceTarget(stage.id, node.id, "call_function", "torch.tanh", node.args)
    made = edited.recompile((edit,), "c2", lambda _: None)
    assert not consistent(made)[1]
    assert [row.id for row in made.stages] == [row.id for row in live.capture.stages]
    after = step(live.compiled).tensors
    net = live.program.callable.module
    x = live.program.args[0]
    hidden = torch.tanh(net.second(torch.relu(net.first(x)))) * 2
    wanted = torch.tanh(net.third(hidden)).sum()
    assert torch.allclose(next(iter(after.values())), wanted, rtol=1e-4)
    assert not torch.allclose(next(iter(before.values())), wanted, rtol=1e-4)
    whole = ReplaceTarget(f"{name}:dynamo", node.id, "call_function", "torch.tanh", node.args)
    with pytest.raises(EngineError, match="compiled in 3 parts"):
        edited.recompile((whole,), "c3", lambda _: None)


@pytest.mark.thorough
def test_a_backend_of_a_users_that_cuts(backends: None, program: Callable[..., LiveCapture]) -> None:
    found = program("Net", backend="loupe_halves").capture
    assert not found.problems
    assert _parts(found) == ["0/0.0:dynamo", "0/0.1:dynamo"]
    assert all(part.made_by.startswith("halves, ") for part in found.of_kind(StageKind.GRAPH_PART))
    _whole(found)


def test_regions_of_a_graph_that_aotautograd_has(backends: None, program: Callable[..., LiveCapture]) -> None:
    live = program("Regions", backend="loupe_regions")
    found = live.capture
    assert not found.problems
    assert _parts(found) == ["0/0.0:dynamo", "0/0.1:dynamo"]
    assert {"0/0:joint", "0/0:forward:aot"} <= {stage.id for stage in found.stages}
    assert all("regional_inductor.py" in part.made_by for part in found.of_kind(StageKind.GRAPH_PART))
    _whole(found)
    wrong = ReplaceTarget("0/0.0:dynamo", "sin", "call_function", "torch.ops.aten.cos.default", ())
    with pytest.raises(EngineError, match="inside of the compile of 0/0"):
        EditedProgram(live).recompile((wrong,), "c2", lambda _: None)


@pytest.mark.thorough
def test_a_graph_that_is_compiled_twice(backends: None, program: Callable[..., LiveCapture]) -> None:
    found = program("Net", backend="loupe_twice").capture
    assert _parts(found) == ["0/0.0:dynamo"]
    assert found.stage("0/0:forward:wrapper")
    assert found.stage("0/0.0:forward:wrapper")
    _whole(found)


@pytest.mark.thorough
def test_a_graph_that_a_backend_changed_is_no_part(
    backends: None, program: Callable[..., LiveCapture]
) -> None:
    live = program("Net", backend="loupe_changed")
    assert _parts(live.capture) == []
    assert {"0/0:joint", "0/0:forward:wrapper"} <= {stage.id for stage in live.capture.stages}
    assert not consistent(live.capture)[1]
    joint = live.capture.stage("0/0:joint").graph
    edit = ReplaceTarget(
        "0/0:joint", "relu", "call_function", "torch.ops.aten.neg.default", joint.by_id()["relu"].args
    )
    made = EditedProgram(live).recompile((edit,), "c2", lambda _: None)
    assert not consistent(made)[1]


@pytest.mark.thorough
def test_backwards_that_are_compiled_later_belong_to_their_parts(program: Callable[..., LiveCapture]) -> None:
    """With sizes that stay, AOTAutograd leaves the backward until gradients are asked for; all parts have one context."""
    live = program("Parallel")
    found, name = live.capture, _graph_id(live.capture)
    later = [
        row.compile_id for row in live.recorder.dynamo_graphs for graph in row.inductor_graphs if graph.lazily
    ]
    assert sorted(later) == [f"{name}.{number}" for number in range(3)]
    for number in range(3):
        assert found.stage(f"{name}.{number}:backward:wrapper")
    _whole(found)


@pytest.mark.thorough
def test_without_the_hook_stages_collide(
    monkeypatch: pytest.MonkeyPatch, program: Callable[..., LiveCapture]
) -> None:
    """What the checks above are for, and how a capture of that kind is reported."""
    monkeypatch.setattr(graph_parts, "listen", lambda recorder: contextlib.nullcontext())
    found = program("Parallel").capture
    faults = consistent(found)[1]
    assert len(faults) == 1
    assert faults[0].startswith("several stages have the same id")
