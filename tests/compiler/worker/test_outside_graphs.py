"""What a program for an absent GPU does outside of its graphs: on fakes it is what it is on the GPU, and none of our code is compiled."""

from pathlib import Path

import pytest

from compiler.command_line.worker_client import WorkerClient
from compiler.model.capture.capture import Capture
from compiler.model.ir.diagnostics import Severity
from compiler.model.ir.gpu_target import TARGETS
from compiler.model.ir.ids import line_id, place
from compiler.model.ir.links import Provenance
from compiler.model.ir.lowered_kernel import KernelsLowered, LowerKernels, LowerOrder
from compiler.model.ir.stage import StageKind
from compiler.model.ir.tensor_types import TensorValue
from tests.compiler.worker.test_values_on_cpu import captured, operations, warnings
from tests.helpers import boxed_tensor
from tests.helpers.needs import WORKER_WITH_TRITON

pytestmark = WORKER_WITH_TRITON
HEAD = """\
import numpy
import torch
from torch.nn.functional import scaled_dot_product_attention

def first(x):
    return x.sin() + 1

def second(x):
    return x.cos() * 2

"""
RECURRENT = """\
class Asking(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.cells = torch.nn.LSTM(8, 16, batch_first=True)

    def forward(self, x):
        return second(self.cells(first(x))[0])

def example_inputs():
    return (torch.ones(2, 5, 8),)
"""
"""Dynamo compiles no recurrent net, nor what calls one."""
DRAWING = """\
class Asking(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.drawn = torch.Generator().manual_seed(3)
        self.scale = torch.nn.Linear(8, 8)

    def named_parameters(self, prefix="", recurse=True):  # as torchrl's losses have it
        yield from super().named_parameters(prefix, recurse)

    def forward(self, x):
        noise = torch.randn(x.shape, generator=self.drawn).to(x.device)
        return second(self.scale(first(x)) + noise)

def example_inputs():
    return (torch.ones(2, 8),)
"""
ARRAYS = """\
@torch._dynamo.disable
def sizes(tokens):
    return [int(size) for size in tokens.cpu().numpy() + numpy.asarray(tokens.cpu())]

class Asking(torch.nn.Module):
    def forward(self, x, tokens):
        for size in sizes(tokens):
            x = first(x) if size > 2 else second(x)
        return x

def example_inputs():
    return torch.ones(2, 8), torch.tensor([1, 0, 3])
"""


def _alike(worker: WorkerClient, path: Path) -> Capture:
    """As on the CPU with values, graph by graph."""
    made = captured(worker, path, TARGETS["h100"])
    assert warnings(made) == []
    assert operations(made)
    assert operations(made) == operations(captured(worker, path, None))
    return made


@pytest.mark.thorough
@pytest.mark.parametrize("program", [RECURRENT, DRAWING])
def test_graphs_are_those_of_a_run_with_values(worker: WorkerClient, write, program: str):
    _alike(worker, write("outside.py", HEAD + program))


@pytest.mark.thorough
def test_an_array_holds_what_it_holds_on_the_cpu(worker: WorkerClient, write):
    made = _alike(worker, write("outside.py", HEAD + ARRAYS))
    (words,) = {row.words for row in made.assumed if row.what.startswith("value@")}
    line = (HEAD + ARRAYS).split("\n").index(
        next(text for text in ARRAYS.split("\n") if "numpy()" in text)
    ) + 1
    assert (
        words
        == f"outside.py, line {line} finds an array of 3 where it asks a tensor for its value, as on the CPU."
    )


def test_an_array_of_a_tensor_on_the_gpu_is_refused_as_there(worker: WorkerClient, write):
    made = captured(
        worker,
        write("outside.py", HEAD + ARRAYS.replace("tokens.cpu().numpy()", "tokens.numpy()")),
        TARGETS["h100"],
    )
    assert "can't convert cuda:0 device type tensor to numpy" in warnings(made)[0]


ATTENDING = """\
class Asking(torch.nn.Module):
    def forward(self, x):
        return second(attention(first(x)))

@torch._dynamo.disable
def attention(q):
    q = q.transpose(1, 2)
    return scaled_dot_product_attention(q, q, q)

def example_inputs():
    return (torch.ones(2, 16, 4, 64, dtype=torch.bfloat16),)
"""


def _layouts(capture: Capture) -> list[list[tuple[str, ...] | None]]:
    """The strides of the inputs of each graph."""
    return [
        [
            node.value.stride
            for node in stage.graph.nodes
            if node.op == "placeholder" and isinstance(node.value, TensorValue)
        ]
        for stage in capture.of_kind(StageKind.DYNAMO_GRAPH)
        if stage.graph is not None
    ]


@pytest.mark.thorough
def test_attention_outside_of_graphs_is_laid_out_as_its_gpu_lays_it_out(worker: WorkerClient, write):
    made = captured(worker, write("outside.py", HEAD + ATTENDING), TARGETS["h100"])
    assert warnings(made) == []
    assert _layouts(made) == [[("4096", "256", "64", "1")], [("4096", "64", "256", "1")]]


@pytest.mark.thorough
def test_inputs_are_laid_out_as_they_are_when_they_are_moved(worker: WorkerClient, write):
    text = "import torch\n\ndef Asking(x, y):\n    return x + 1, y.sin()\n\ndef example_inputs():\n"
    path = write("moved.py", f"{text}    return torch.ones(4, 8)[:, :4], torch.ones(4, 1).expand(4, 4).t()\n")
    made = captured(worker, path, TARGETS["h100"])
    assert _layouts(made) == [[("4", "1"), ("4", "1")]]


LAUNCHING = """\
import triton
import triton.language as tl

@triton.autotune([triton.Config({"SIZE": size}) for size in (64, 128)], key=["count"])
@triton.jit
def tuned(x, y, count, SIZE: tl.constexpr):
    at = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    tl.store(y + at, tl.load(x + at, at < count) * 2, at < count)

@triton.jit
def plain(x, y, count, SIZE: tl.constexpr):
    at = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    tl.store(y + at, tl.load(x + at, at < count) + 1, at < count)

@torch._dynamo.disable
def launched(x):
    y, z = torch.empty_like(x), torch.empty_like(x)
    tuned[lambda chosen: (triton.cdiv(x.numel(), chosen["SIZE"]),)](x, y, x.numel())
    plain[(4,)](y, z, x.numel(), SIZE=64)
    return z

class Asking(torch.nn.Module):
    def forward(self, x):
        x = second(launched(first(x)))
        y = torch.empty_like(x)
        plain[(4,)](x, y, x.numel(), SIZE=64)
        return y

def example_inputs():
    return (torch.ones(16, 16),)
"""


@pytest.mark.thorough
def test_kernels_that_a_program_launches_itself_write_nothing_outside_of_graphs(worker: WorkerClient, write):
    """fla's layers: launched by a function that Dynamo leaves alone, one of several configurations, which would be measured."""
    made = captured(worker, write("outside.py", HEAD + LAUNCHING), TARGETS["h100"])
    assert warnings(made) == []
    assert [len(names) for names in operations(made)] == [2, 4]


@pytest.mark.thorough
def test_a_kernel_of_the_program_in_a_graph_is_linked(worker: WorkerClient, write):
    made = captured(worker, write("outside.py", HEAD + LAUNCHING), TARGETS["h100"])
    links, lines = Provenance(made.links), (HEAD + LAUNCHING).split("\n")
    (own,) = [
        place(stage.id, kernel.id)
        for stage in made.of_kind(StageKind.KERNELS)
        for kernel in stage.kernels
        if kernel.name.startswith("plain")
    ]
    above = links.ancestors(own)
    (source,) = [found for stage, found in above.items() if stage.startswith("source:")]
    assert source == {line_id(lines.index("        plain[(4,)](x, y, x.numel(), SIZE=64)") + 1)}
    (fused,) = [found for stage, found in above.items() if stage.endswith(":fused")]
    assert len(fused) == 1
    kernels = [kernel for stage in made.of_kind(StageKind.KERNELS) for kernel in stage.kernels]
    source = next(kernel.source for kernel in kernels if kernel.id in own.nodes)
    reply = worker.ask(LowerKernels((LowerOrder(own.nodes[0], source),), TARGETS["h100"]), KernelsLowered)
    assert [answer.problem for answer in reply.answers] == [None]


@pytest.mark.thorough
def test_a_tensor_that_holds_others_is_compiled_for_as_with_values(worker: WorkerClient, write):
    path = write(
        "outside.py", Path(boxed_tensor.__file__).read_text().replace("Linear(torch", "Asking(torch")
    )
    assert len(operations(_alike(worker, path))) == 1


def test_what_stays_on_the_cpu_is_reported(worker: WorkerClient, write):
    """TabNet of pytorch-tabnet keeps a matrix as a plain attribute; what a function finds by itself goes with it."""
    text = "import torch\n\nkept = torch.eye(4)\nclass Asking(torch.nn.Module):\n    def forward(self, x): return x @ kept\n\n"
    path = write("two.py", f"{text}def example_inputs():\n    return (torch.ones(2, 4),)\n")
    (failed,) = [
        row for row in captured(worker, path, TARGETS["h100"]).problems if row.severity is Severity.ERROR
    ]
    assert "two.py:5" in failed.message()
    assert "devices" in failed.what
    assert "(a global, a plain attribute, what is made without device=) stays on the CPU" in failed.remedy


@pytest.mark.thorough
def test_a_program_may_ask_how_much_memory_there_is(worker: WorkerClient, write):
    """deepinv does when it is imported."""
    text = (
        "import torch\n\ntorch.cuda.reset_peak_memory_stats()\nfree, whole = torch.cuda.mem_get_info()\n"
        "assert not torch.cuda.is_available() or free == whole > 2**36\n\n"
        "def Asking(x):\n    return x + 1\n\ndef example_inputs():\n    return (torch.ones(2),)\n"
    )
    assert operations(captured(worker, write("asks.py", text), TARGETS["h100"]))


@pytest.mark.thorough
def test_what_a_program_wrote_on_its_parameters_is_there_on_the_gpu(worker: WorkerClient, write):
    """As opacus counts the calls on each."""
    text = (
        "import torch\n\nclass Asking(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.weight = torch.nn.Parameter(torch.ones(3))\n        self.weight.factor = 3\n\n"
        "    def forward(self, x):\n        return x * self.weight * self.weight.factor\n\n"
        "def example_inputs():\n    return (torch.ones(3),)\n"
    )
    path = write("written.py", text)
    for without_values in (False, True):
        made = captured(worker, path, TARGETS["h100"], fake=without_values)
        assert not [row.message() for row in made.problems if row.severity is Severity.ERROR]
        assert operations(made)
