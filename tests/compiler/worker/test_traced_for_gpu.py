"""Graphs that are traced for a GPU that is not here are those that a machine with it traces."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from compiler.command_line.worker_client import WorkerClient
from compiler.engine.torch_internals.fake_gpu.operators_of_cuda import WHOLE
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.ir.diagnostics import Severity
from compiler.model.ir.gpu_target import TARGETS
from compiler.model.ir.graph import Node
from compiler.model.ir.stage import FxStage, JointStage, WrapperStage
from compiler.model.session_file.checks import consistent
from tests.helpers.gpu_child import run_without_gpu
from tests.helpers.needs import WORKER_WITH_TRITON
from tests.helpers.thoroughness import some
from tests.helpers.worker_capture import capture_by

pytestmark = WORKER_WITH_TRITON
PROGRAMS = """\
import torch

class Constants(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(16))

    def forward(self, x):
        chosen = x[..., [0, 3]].sum(-1, keepdim=True)
        rows = x[torch.tensor(list(range(0, 32, 2)), device=x.device)]
        half = torch.tensor(0.5, device=x.device)
        brought = torch.tensor([0.25, 0.5]).to(x.device)
        return (rows * self.weight * half).sum() + (chosen * brought).sum()

class Branches(torch.nn.Module):
    def forward(self, x):
        steps = torch.tensor([1.0, 2.0, 3.0, 4.0], device=x.device)
        return torch.cond(
            x.sum() > 0, lambda a: a * torch.tensor([4.0, 3.0, 2.0, 1.0], device=a.device), lambda a: a - 1, (x[:, :4] * steps,)
        )

class Activations(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.RMSNorm(16)
        self.linear = torch.nn.Linear(16, 16)

    def forward(self, x):
        return torch.nn.functional.mish(torch.nn.functional.silu(self.linear(self.norm(x))))

class Seeded(torch.nn.Module):
    def forward(self, x):
        state = torch.cuda.get_rng_state()
        y = torch.nn.functional.dropout(x, 0.5)
        torch.cuda.set_rng_state(state)
        return y + 1

def head(y):
    return y.log_softmax(-1)

class Recurrent(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.cells = torch.nn.LSTM(16, 32, 2, dropout=0.1)
        self.head = torch.nn.Linear(32, 4)

    def forward(self, x):
        y = self.cells(x.reshape(8, 4, 16))[0]
        torch._dynamo.graph_break()
        return head(self.head(y))

class Cells(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = torch.nn.GRUCell(16, 32)
        self.lstm = torch.nn.LSTMCell(32, 64)

    def forward(self, x):
        return self.lstm(self.gru(x))[0].tanh()

def example_inputs():
    return (torch.ones(32, 16),)
"""


def captured(worker: WorkerClient, folder: Path, name: str, training: bool = True) -> Capture:
    (folder / "programs.py").write_text(PROGRAMS)
    target = TargetSpec(f"programs.py:{name}", str(folder))
    capture = capture_by(
        worker, CaptureSpec(target, run=RunOptions(training, training), device=TARGETS["h100"]), "c"
    )
    assert not consistent(capture)[1]
    assert not [row for row in capture.problems if row.severity is not Severity.NOTE]
    return capture


def wrapper_of(capture: Capture, part: str) -> str:
    content = capture.stage(f"0/0:{part}:wrapper").content
    assert isinstance(content, WrapperStage)
    return content.code.text


def calls(capture: Capture, stage: str) -> Iterator[Node]:
    content = capture.stage(stage).content
    assert isinstance(content, FxStage | JointStage)
    return (node for node in content.graph.nodes if node.op == "call_function")


@pytest.mark.thorough
def test_constants_lie_where_the_program_makes_them(worker: WorkerClient, tmp_path: Path):
    capture = captured(worker, tmp_path, "Constants")
    joint = list(calls(capture, "0/0:joint"))
    assert sum("lift_fresh_copy" in node.target for node in joint) == 3, "one number is filled in"
    copies = [node for node in joint if "device_put" in node.target]
    assert len(copies) == 1, "only what the program itself brings to the GPU"
    assert [line.text for line in copies[0].stack][-1] == "brought = torch.tensor([0.25, 0.5]).to(x.device)"
    text = wrapper_of(capture, "forward")
    (kept,) = (line for line in text.splitlines() if line.startswith("_tensor_constant"))
    assert "device(type='cuda', index=0) torch.int64 (16,)" in kept
    assert "device='cpu'" not in text


def test_constants_of_a_branch_too(worker: WorkerClient, tmp_path: Path):
    text = wrapper_of(captured(worker, tmp_path, "Branches", training=False), "inference")
    assert "torch.float32 (4,)" not in text, "four numbers are written into the kernels"
    assert "device='cpu'" not in text
    assert text.count("lift_fresh") > 1


@pytest.mark.thorough
def test_what_cuda_has_a_kernel_for_is_not_taken_apart(worker: WorkerClient, tmp_path: Path):
    text = wrapper_of(captured(worker, tmp_path, "Activations"), "backward")
    for name in ("silu_backward", "mish_backward", "_fused_rms_norm_backward"):
        assert f"aten.{name}" in text


@pytest.mark.skipif(
    not torch.backends.cuda.is_built(), reason="this build of torch does not know CUDA's kernels"
)
def test_these_are_all_of_which_torch_asks_it():
    has = torch._C._dispatch_has_kernel_for_dispatch_key
    both = {
        name.removeprefix("aten::")
        for name in torch._C._dispatch_get_all_op_names()
        if name.startswith("aten::") and has(name, "CompositeImplicitAutograd") and has(name, "CUDA")
    }
    assert both == set(WHOLE)


@pytest.mark.thorough
def test_recurrent_cells_are_those_that_only_cuda_has(worker: WorkerClient, tmp_path: Path):
    capture = captured(worker, tmp_path, "Cells")
    for part, named in (("forward", ("gru_cell", "lstm_cell")), ("backward", ("gru_cell_backward",))):
        assert all(
            f"torch.ops.aten._thnn_fused_{name}.default(" in wrapper_of(capture, part) for name in named
        )
    assert "torch.ops.aten._thnn_fused_lstm_cell_backward" in wrapper_of(capture, "backward")


_WITHOUT_SHAPES = """
import torch
from compiler.model.ir.gpu_target import TARGETS
from compiler.worker import fake_gpu_setup

assert fake_gpu_setup.pretend(TARGETS["h100"]) is None
from compiler.engine.torch_internals.fake_gpu import operators_of_cuda
operators_of_cuda.install()
from torch._subclasses.fake_tensor import FakeTensorMode
with FakeTensorMode():
    for device in ("cuda", "cpu"):
        given = torch.ones(8, 4, device=device)
        drawn = torch.binomial(given, given)
        assert (drawn.device.type, drawn.shape, drawn.dtype) == (device, given.shape, given.dtype), drawn
        made = torch.geqrf(given)
        assert [value.device.type for value in made] == [device, device], made
"""


@pytest.mark.thorough
def test_what_has_no_shape_function_stays_on_its_device():
    run_without_gpu(_WITHOUT_SHAPES)


_OF_LIBRARIES = """
import torch
from compiler.model.ir.gpu_target import TARGETS
from compiler.worker import fake_gpu_setup

target = TARGETS["NAMED"]
assert fake_gpu_setup.pretend(target) is None
from compiler.engine.torch_internals.fake_gpu import library_operators, operators_of_cuda
operators_of_cuda.install()
library_operators.install(target)
from torch._subclasses.fake_tensor import DynamicOutputShapeException, FakeTensorMode
from torch.nn import functional
from torch.utils._python_dispatch import TorchDispatchMode

class Seen(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        found.append(func._schema.name.partition("::")[2])
        return func(*args, **(kwargs or {}))

def of(function):
    found.clear()
    with Seen():
        function()
    return [name for name in found if any(part in name for part in ("grid_sampler", "ctc_loss", "rnn", "lstm"))]

found = []
with FakeTensorMode(allow_non_fake_inputs=True), torch.device("cuda"):
    for dtype in (torch.float32, torch.float64, torch.float16):
        for channels in (3, 1024, 1025):
            for mode in ("bilinear", "nearest"):
                for padding in ("zeros", "border"):
                    for corners in (True, False):
                        picture = torch.empty(2, channels, 5, 7, dtype=dtype)
                        grid = torch.empty(2, 4, 6, 2, dtype=dtype)
                        def sampled():
                            made = functional.grid_sample(picture, grid, mode, padding, corners)
                            assert made.shape == (2, channels, 4, 6) and made.is_contiguous() and made.dtype == dtype
                        library = CUDNN and channels <= 1024 and (mode, padding, corners) == ("bilinear", "zeros", True)
                        expected = ["cudnn_grid_sampler" if library else "grid_sampler_2d"]
                        assert of(sampled) == expected, (dtype, channels, mode, padding, corners, found)
    for integers in (torch.int32, torch.int64):
        for flat in (True, False):
            for blank in (0, 3):
                scores = torch.empty(30, 4, 20, requires_grad=True)
                targets = torch.ones((40,) if flat else (4, 10), dtype=integers)
                lengths, of_targets = torch.full((4,), 30, dtype=integers), torch.full((4,), 10, dtype=integers)
                library = CUDNN and flat and integers == torch.int32 and blank == 0
                def lost():
                    try:
                        loss = functional.ctc_loss(scores, targets, lengths, of_targets, blank)
                    except DynamicOutputShapeException:  # torch's own: as long as the longest target
                        return
                    loss.backward()
                    assert loss.shape == () and scores.grad.shape == scores.shape
                assert ("_cudnn_ctc_loss" in of(lost)) == library, (integers, flat, blank, found)
    for kind, gates in (("LSTM", 4), ("GRU", 3), ("RNN", 1)):
        cells = getattr(torch.nn, kind)(8, 16, 2, batch_first=True, dropout=0.5, bidirectional=True)
        given = torch.empty(3, 5, 8, requires_grad=True)
        def run():
            output = cells(given)[0]
            assert output.shape == (3, 5, 32)
            output.sum().backward()
            assert given.grad.shape == given.shape
            assert all(one.grad.shape == one.shape for one in cells.parameters())
        ran = of(run)
        assert not CUDNN or ran == ["_cudnn_rnn", "_cudnn_rnn_backward"], ran
    projected = torch.nn.LSTM(8, 16, proj_size=4)
    output, (state, cell) = projected(torch.empty(5, 3, 8))
    assert (output.shape, state.shape, cell.shape) == ((5, 3, 4), (1, 3, 4), (1, 3, 16))
"""


@pytest.mark.thorough
@pytest.mark.parametrize("target", some(("h100", "mi300x")))
def test_what_torch_gives_to_cudnn_is_given_to_it_here(target: str):
    """In a build with CUDA the choice of grids is its own C++'s, in one without it ours."""
    program = _OF_LIBRARIES.replace("NAMED", target).replace("CUDNN", str(not TARGETS[target].is_amd))
    run_without_gpu(program)


@pytest.mark.thorough
def test_a_recurrent_net_outside_of_graphs_is_captured(worker: WorkerClient, tmp_path: Path):
    """What comes after it too, which needs its results' shapes."""
    capture = captured(worker, tmp_path, "Recurrent")
    wrappers = [
        stage.content.code.text for stage in capture.stages if isinstance(stage.content, WrapperStage)
    ]
    assert any("_log_softmax" in text for text in wrappers)


@pytest.mark.thorough
def test_what_stands_for_torchs_functions_is_not_compiled_itself(worker: WorkerClient, tmp_path: Path):
    """Outside of graphs a program calls it; Dynamo leaves torch's own alone."""
    capture = captured(worker, tmp_path, "Seeded")
    sources = {stage.id for stage in capture.stages if stage.id.startswith("source:")}
    assert sources
    assert all(str(tmp_path) in name for name in sources), sources
