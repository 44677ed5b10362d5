"""Compiled for an absent GPU: Inductor's own Triton kernels, in a process that pretends to have it."""

import argparse
import sys
from pathlib import Path

import msgspec
import pytest

from compiler.analysis.gpu.triton_config import KernelConfiguration, with_configurations
from compiler.command_line.reports.lowered_changes import add_changes, is_changed, print_differences
from compiler.command_line.worker_client import CommandFailedError, WorkerClient
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec
from compiler.model.edits.edits import ReplaceKernel, ReplaceTarget
from compiler.model.gpu.lowered_stages import triton_kernels
from compiler.model.ir.diagnostics import Severity
from compiler.model.ir.gpu_target import TARGETS, GpuTarget, find_target
from compiler.model.ir.ids import place
from compiler.model.ir.links import Provenance
from compiler.model.ir.stage import KernelStage, LoweredStage, StageKind, WrapperStage
from compiler.model.protocol.absent_gpu import CrossCompilationTested, TestCrossCompilation
from compiler.model.protocol.messages import (
    Preview,
    PreviewEdits,
    Recompile,
    Recompiled,
    RunTimings,
)
from compiler.model.session_file.checks import consistent
from compiler.model.timing.timings import TimingSettings
from tests.compiler.engine.conftest import EXAMPLES
from tests.helpers.finished_process import ran
from tests.helpers.needs import WORKER_WITH_TRITON
from tests.helpers.worker_capture import capture_by

pytestmark = WORKER_WITH_TRITON


def captured(
    worker: WorkerClient,
    target: str,
    gpu: str,
    folder: Path = EXAMPLES,
    training: bool = True,
    compiled: CompileOptions | None = None,
) -> Capture:
    spec = CaptureSpec(
        TargetSpec(target, str(folder)),
        compiled or CompileOptions(),
        RunOptions(training),
        device=TARGETS[gpu],
    )
    return capture_by(worker, spec)


@pytest.fixture(scope="module")
def on_h100(worker: WorkerClient) -> Capture:
    return captured(worker, "mlp.py:MLP", "h100")


def kernels(capture: Capture) -> dict[str, str]:
    held = [stage.content for stage in capture.stages if isinstance(stage.content, KernelStage)]
    return {
        kernel.name: kernel.source
        for content in held
        for kernel in content.kernels.kernels
        if kernel.language == "triton"
    }


CONVOLUTIONS = """\
import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Conv2d(16, 128, 3, padding=1, dtype=torch.bfloat16)
        self.second = torch.nn.Conv2d(128, 128, 3, padding=1, dtype=torch.bfloat16)

    def forward(self, x):
        return torch.relu(self.second(torch.relu(self.first(x))))

def example_inputs():
    return (torch.ones(4, 16, 24, 24, dtype=torch.bfloat16),)
"""


@pytest.mark.thorough
def test_convolutions_are_laid_out_as_cudnn_does_it(worker: WorkerClient, tmp_path: Path):
    (tmp_path / "net.py").write_text(CONVOLUTIONS)
    capture = captured(worker, "net.py:Net", "h100", tmp_path)
    (text,) = (
        stage.content.code.text
        for stage in capture.stages
        if isinstance(stage.content, WrapperStage) and ":forward" in stage.id
    )
    results = [line for line in text.splitlines() if "'torch.ops.aten.convolution.default'" in line]
    assert len(results) == 2
    assert all("(4, 128, 24, 24), (73728, 1, 3072, 128)" in line for line in results), results


@pytest.mark.thorough
def test_all_stages_are_there_forward_and_backward(on_h100: Capture):
    kinds = [stage.kind for stage in on_h100.stages]
    for kind in (StageKind.POST_GRAD_GRAPH, StageKind.FUSED_LOOP_IR, StageKind.KERNELS, StageKind.WRAPPER):
        assert kinds.count(kind) == 2
    assert not [problem for problem in on_h100.problems if problem.severity is Severity.ERROR]
    assert "without having one" in on_h100.problems[0].what


def test_kernels_are_triton_for_that_gpu(on_h100: Capture):
    sources = kernels(on_h100)
    assert sources
    for source in sources.values():
        assert "@triton.jit" in source
        assert "multi_processor_count=132, cc=90" in source
    wrappers = [
        stage.content.code.text for stage in on_h100.stages if isinstance(stage.content, WrapperStage)
    ]
    assert all("empty_strided_cuda" in text for text in wrappers)


def test_a_source_line_leads_to_lines_of_the_kernel(on_h100: Capture):
    provenance = Provenance(on_h100.links)
    kernel = next(stage for stage in on_h100.stages if stage.id == "0/0:forward:kernels")
    relu = next(item for item in kernel.kernels if "relu" in item.name)
    reached = provenance.follow(place(kernel.id, relu.id))
    assert any(stage.startswith("source:") and "mlp.py" in stage for stage in reached)


def test_every_value_that_a_kernel_computes_comes_from_a_node_and_a_line_of_python(on_h100: Capture):
    provenance = Provenance(on_h100.links)
    lines = 0
    for stage in on_h100.of_kind(StageKind.KERNELS):
        for kernel in stage.kernels:
            for number, line in enumerate(kernel.source.split("\n"), 1):
                if line.strip().startswith(("tmp", "tl.store")) and kernel.language == "triton":
                    found = provenance.ancestors(place(stage.id, f"{kernel.id}:L{number}"))
                    assert len(found.get(stage.id.replace("kernels", "post_grad"), ())) == 1, line
                    assert any(name.startswith("source:") for name in found), line
                    lines += 1
    assert lines > 10


def relu_kernel(capture: Capture) -> tuple[str, str]:
    return next((name, source) for name, source in kernels(capture).items() if "relu" in name)


@pytest.mark.thorough
def test_an_edited_kernel_is_lowered_again_and_nothing_else_changes(worker: WorkerClient, on_h100: Capture):
    name, source = relu_kernel(on_h100)
    choice = KernelConfiguration((("XBLOCK", 1024),), 2, 1)
    edit = ReplaceKernel("0/0:forward:kernels", name, with_configurations(source, (choice,)))
    assert worker.ask(PreviewEdits(on_h100.id, (edit,))) == Preview((), ())
    reply = worker.ask(Recompile(on_h100.id, (edit,), "capture-2"), Recompiled)
    edited = reply.capture
    assert reply.verdict is None
    assert edited.parent == on_h100.id
    assert not consistent(edited)[1]
    assert kernels(edited) == kernels(on_h100) | {name: edit.source}
    (answer,) = edited.lowered
    assert answer.name == name
    assert (answer.lowered[0].blocks, answer.lowered[0].warps) == ((("XBLOCK", 1024),), 2)
    wrapper = edited.stage("0/0:forward:wrapper").content
    assert isinstance(wrapper, WrapperStage)
    assert "user_autotune" in wrapper.code.text
    content = edited.stage("0/0:forward:kernels").content
    assert isinstance(content, KernelStage)
    for kernel in content.kernels.kernels:
        assert kernel.name.rpartition(".")[2] in wrapper.code.text.split("\n")[kernel.call_line - 1]
    ptx = edited.stage("0/0:forward:ptx")
    assert isinstance(ptx.content, LoweredStage)
    lines = ptx.content.kernels[0].text.split("\n")
    stored = next(number for number, line in enumerate(lines, 1) if "st.global" in line)
    reached = Provenance(edited.links).follow(place(ptx.id, f"{name}:L{stored}"))
    assert reached["0/0:forward:post_grad"].nodes == ("relu",)


@pytest.mark.slow
def test_the_command_line_sets_a_changed_kernel_beside_itself(
    worker: WorkerClient, on_h100: Capture, capsys: pytest.CaptureFixture[str]
):
    parser = argparse.ArgumentParser()
    add_changes(parser)
    name, _ = relu_kernel(on_h100)
    found = [kernel for kernel in triton_kernels(on_h100) if kernel.name == name]

    def asked(*words: str) -> argparse.Namespace:
        options = parser.parse_args(words)
        options.kernel, options.json, options.to = name, False, "ptx"
        return options

    options = asked("--num-warps", "8", "--block", "XBLOCK=1024")
    assert is_changed(options)
    assert print_differences(options, on_h100, found, worker) == 0
    printed = capsys.readouterr().out
    (row,) = (line for line in printed.split("\n") if line.startswith("Configuration"))
    assert "XBLOCK 1024 · 8 warps" in row
    assert row.endswith("*")
    assert ".reqntid 256" in printed
    with pytest.raises(CommandFailedError, match="no YBLOCK"):
        print_differences(asked("--block", "YBLOCK=8"), on_h100, found, worker)


@pytest.mark.thorough
def test_what_triton_does_not_take_is_reported_on_its_line(worker: WorkerClient, on_h100: Capture):
    name, source = relu_kernel(on_h100)
    wrong = source.replace(
        "tl.load", "tl.no_such_function", 1
    )  # every torch loads, whatever it writes for a relu
    line = next(number for number, text in enumerate(wrong.split("\n"), 1) if "no_such_function" in text)
    edit = ReplaceKernel("0/0:forward:kernels", name, wrong)
    with pytest.raises(CommandFailedError) as caught:
        worker.ask(Recompile(on_h100.id, (edit,), "capture-3"))
    problem = caught.value.problem
    assert "no_such_function" in problem.what
    assert problem.place == place("0/0:forward:kernels", f"{name}:L{line}")


@pytest.mark.thorough
def test_an_edited_graph_is_compiled_again_for_that_gpu(worker: WorkerClient, on_h100: Capture):
    relu = on_h100.stage("0/0:dynamo").graph
    node = next(node for node in relu.nodes if "relu" in node.target)
    edit = ReplaceTarget("0/0:dynamo", node.id, "call_function", "torch.sigmoid", node.args)
    assert worker.ask(PreviewEdits(on_h100.id, (edit,))) == Preview((), ())
    reply = worker.ask(Recompile(on_h100.id, (edit,), "capture-4"), Recompiled)
    edited = reply.capture
    assert reply.verdict is None
    assert (edited.id, edited.parent) == ("capture-4", on_h100.id)
    assert not consistent(edited)[1]
    assert any("sigmoid_backward" in name for name in kernels(edited))
    assert "without having one" in edited.problems[0].what
    assert edited.assumed == on_h100.assumed


def test_nothing_of_it_is_run(worker: WorkerClient, on_h100: Capture):
    with pytest.raises(CommandFailedError) as caught:
        worker.ask(RunTimings(on_h100.id, TimingSettings(iterations=1)))
    assert "absent GPU" in caught.value.problem.what


@pytest.mark.parametrize(
    "mode",
    [
        "reduce-overhead",
        pytest.param("max-autotune", marks=pytest.mark.thorough),
    ],
)
def test_with_cuda_graphs_too_whatever_torch_was_built_for(worker: WorkerClient, on_h100: Capture, mode: str):
    """A CPU build lacks what Inductor asks before it takes them (torch 2.13: whether memory is cached)."""
    capture = captured(worker, "mlp.py:MLP", "h100", compiled=CompileOptions(mode))
    assert [problem.what for problem in capture.problems if problem.severity is Severity.ERROR] == []
    assert [stage.id for stage in capture.stages] == [stage.id for stage in on_h100.stages]
    assert mode == "max-autotune" or kernels(capture) == kernels(on_h100)


@pytest.mark.thorough
@pytest.mark.parametrize("option", ["benchmark_fusion", "triton.multi_kernel", "cpp_wrapper"])
def test_with_options_that_build_or_time_on_the_gpu(worker: WorkerClient, on_h100: Capture, option: str):
    capture = captured(worker, "mlp.py:MLP", "h100", compiled=CompileOptions(options=((option, True),)))
    assert [problem.what for problem in capture.problems if problem.severity is Severity.ERROR] == []
    assert [stage.id for stage in capture.stages] == [stage.id for stage in on_h100.stages]
    if option == "benchmark_fusion":
        assert kernels(capture) == kernels(on_h100)
        assert any("times each fusion on the GPU; all are taken" in row.words for row in capture.assumed)


@pytest.mark.thorough
def test_no_times_are_printed_that_nobody_measured(tmp_path: Path):
    """Torch prints a table of what it timed, where max-autotune chooses."""
    asked = f"-m app capture {EXAMPLES}/mlp.py:MLP --target h100 --mode max-autotune-no-cudagraphs -o {tmp_path}/a.loupe"
    root = Path(__file__).parents[3]
    done = ran([sys.executable, *asked.split()], root, check=True)
    assert "max-autotune takes" in done.stdout + done.stderr
    assert " ms " not in done.stderr


@pytest.mark.slow
def test_amd_is_another_language_below(worker: WorkerClient):
    sources = kernels(captured(worker, "mlp.py:MLP", "mi300x", training=False))
    assert sources
    assert all("DeviceProperties(type='hip'" in source for source in sources.values())


def test_a_program_that_fails_is_reported_with_its_line(worker: WorkerClient, write):
    path = write("bad.py", "import torch\n\ndef f(x):\n    return x @ torch.ones(3, 5, device=x.device)\n")
    path.write_text(path.read_text() + "\ndef example_inputs():\n    return (torch.randn(4, 4),)\n")
    capture = captured(worker, "bad.py:f", "h100", path.parent)
    errors = [problem for problem in capture.problems if problem.severity is Severity.ERROR]
    assert len(errors) == 1
    assert (errors[0].path, errors[0].line) == (str(path), 4)


def test_a_program_that_ends_the_process_leaves_the_worker_alive(worker: WorkerClient, write):
    path = write(
        "gone.py", "import os\n\ndef f(x):\n    os._exit(3)\n\ndef example_inputs():\n    return (1,)\n"
    )
    with pytest.raises(CommandFailedError) as caught:
        captured(worker, "gone.py:f", "h100", path.parent)
    assert "NVIDIA H100" in caught.value.problem.what


def test_targets_are_named_or_described_in_a_file(tmp_path: Path):
    own = tmp_path / "own.json"
    own.write_bytes(
        msgspec.json.encode(msgspec.structs.replace(TARGETS["l4"], id="own", multi_processors=10))
    )
    described = find_target(str(own))
    assert isinstance(described, GpuTarget)
    assert described.multi_processors == 10
    assert find_target("H100") is TARGETS["h100"]
    for text in ("h999", str(tmp_path / "none.json")):
        with pytest.raises(ValueError, match=r"h999|none\.json"):
            find_target(text)
    own.write_text('{"id": 3}')
    with pytest.raises(ValueError, match="describes no GPU"):
        find_target(str(own))


@pytest.mark.thorough
def test_the_self_test_says_that_it_works_here_and_is_made_once(worker: WorkerClient):
    first = worker.ask(TestCrossCompilation(), CrossCompilationTested)
    assert first.problem is None
    assert first.kernels >= 2
    assert worker.ask(TestCrossCompilation()) == first


MIXED = """\
import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.nn.Linear(16, 16)
        self.b = torch.nn.Parameter(torch.ones(16, 16, dtype=torch.bfloat16))

    def forward(self, x, same):
        y = x @ self.b
        for _ in range(2):
            y = torch.addmm(self.a.bias, y, self.b)
        return y.sum() + self.a(x @ x.T @ x).sum() + (same @ self.b).sum()

def example_inputs():
    return torch.ones(4, 16), torch.ones(4, 16, dtype=torch.bfloat16)
"""


@pytest.mark.thorough
def test_products_that_would_fail_where_they_are_run_are_reported_once_a_line(
    worker: WorkerClient, tmp_path: Path
) -> None:
    (tmp_path / "mixed.py").write_text(MIXED)
    capture = captured(worker, "mixed.py:Net", "h100", tmp_path)
    reported = [problem for problem in capture.problems if problem.severity is Severity.WARNING]
    assert [(problem.line, problem.what.partition(",")[0]) for problem in reported] == [
        (10, "aten.mm.default multiplies float32 by bfloat16"),
        (12, "aten.addmm.default multiplies float32 by bfloat16"),
    ]
    assert {problem.path for problem in reported} == {str(tmp_path / "mixed.py")}
    (failed,) = [problem for problem in capture.problems if problem.severity is Severity.ERROR]
    assert failed.what.startswith("The program fails by itself, without torch.compile")
    assert failed.line == 10


BETWEEN = """\
import torch

@torch._dynamo.disable
def between(x, weight):
    return x @ weight

def f(x, weight):
    return between(x.relu(), weight).tanh()

def example_inputs():
    return torch.ones({batch}4, 16), torch.ones({batch}16, 16, dtype=torch.{})
"""


@pytest.mark.thorough
@pytest.mark.parametrize("batch", ["", "2, "])
@pytest.mark.parametrize("second", ["bfloat16", "float32"])
def test_a_product_between_graphs_ends_the_program_as_it_does_where_it_is_run(
    worker: WorkerClient, tmp_path: Path, second: str, batch: str
) -> None:
    (tmp_path / "between.py").write_text(BETWEEN.format(second, batch=batch))
    capture = captured(worker, "between.py:f", "h100", tmp_path)
    failed = [problem for problem in capture.problems if problem.severity is Severity.ERROR]
    assert [problem.line for problem in failed] == [5] * (second == "bfloat16")
    assert all("fails by itself" in problem.what and "same dtype" in problem.what for problem in failed)
    assert len(capture.of_kind(StageKind.KERNELS)) == 1 + (second == "float32")


def test_what_a_function_finds_in_globals_is_moved_with_it(worker: WorkerClient, tmp_path: Path):
    """Its inputs alone were: *Expected all tensors to be on the same device*."""
    (tmp_path / "program.py").write_text(
        "import torch\n"
        "net, scale = torch.nn.Linear(4, 4), torch.ones(4, requires_grad=True)\n"
        "def loss(x):\n    return (net(x) * scale).square().mean()\n"
        "def example_inputs():\n    return (torch.ones(2, 4),)\n"
    )
    capture = captured(worker, "program.py:loss", "h100", tmp_path)
    assert not [row.what for row in capture.problems if row.severity is Severity.ERROR]
    assert any(name.startswith("0/0:backward") for name in (stage.id for stage in capture.stages))
    assert kernels(capture)
