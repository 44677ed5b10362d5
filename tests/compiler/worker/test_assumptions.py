"""What a GPU would measure is assumed, told, and can be assumed otherwise."""

import msgspec
import pytest

from compiler.command_line.worker_client import WorkerClient
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec
from compiler.model.capture.gpu_assumptions import Assumption, options_for, read_assumption
from compiler.model.capture.padding_record import written
from compiler.model.ir.gpu_target import TARGETS
from compiler.model.ir.stage import WrapperStage
from tests.helpers.needs import WORKER_WITH_TRITON
from tests.helpers.worker_capture import capture_by

pytestmark = WORKER_WITH_TRITON
PROGRAM = """\
import torch
import torch.nn.functional as F

def f(q, w):
    y = F.scaled_dot_product_attention(q, q, q)
    return (y.reshape(-1, 8192 - 3) @ w).relu()

def example_inputs():
    return torch.empty(8, 12, 8192 - 3, 64, dtype=torch.bfloat16), torch.empty(8192 - 3, 1023, dtype=torch.bfloat16)
"""


def captured(worker: WorkerClient, path: str, folder: str, mode: str | None, *assume: Assumption) -> Capture:
    spec = CaptureSpec(
        TargetSpec(path, folder), CompileOptions(mode), RunOptions(gradients=False), device=TARGETS["h100"], assume=assume
    )  # fmt: skip
    return capture_by(worker, spec)


def wrapper_of(capture: Capture) -> str:
    (text,) = (stage.content.code.text for stage in capture.stages if isinstance(stage.content, WrapperStage))
    return text


@pytest.mark.thorough
def test_attention_and_padding_are_assumed_and_can_be_assumed_otherwise(worker: WorkerClient, write):
    path = write("attends.py", PROGRAM)
    usual = captured(worker, "attends.py:f", str(path.parent), None)
    words = {row.what: row.words for row in usual.assumed}
    assert "cudnn" in words["attention"]
    assert ": padded (4" in words["padding"]
    assert "estimated from 8,805 products measured on an H100" in words["padding"]
    assert "at the first launch" in words["configuration"]
    assert "_scaled_dot_product_cudnn_attention" in wrapper_of(usual)
    assert "8192" in wrapper_of(usual).partition("def call(")[2]

    other = captured(
        worker, "attends.py:f", str(path.parent), None, ("attention", "flash"), ("padding", "no")
    )
    words = {row.what: row.words for row in other.assumed}
    assert "flash" in words["attention"]
    assert ": not padded (as you chose)" in words["padding"]
    text = wrapper_of(other)
    assert "_scaled_dot_product_flash_attention" in text
    assert "8192" not in text.partition("def call(")[2]
    assert any(
        "Assumed: scaled_dot_product_attention runs on the flash" in item.what for item in other.problems
    )


@pytest.mark.thorough
def test_a_record_of_torch_decides_and_what_it_lacks_is_guessed(worker: WorkerClient, write):
    path = write("attends.py", PROGRAM)
    usual = captured(worker, "attends.py:f", str(path.parent), None)
    (asked,) = [row for row in usual.assumed if row.what == "padding"]
    assert asked.product
    assert asked.taken == "yes"
    record = written("NVIDIA A100", {asked.product: False, "mm other": True})
    found = captured(worker, "attends.py:f", str(path.parent), None, ("padding", record))
    (reported,) = [row.words for row in found.assumed if row.what == "padding"]
    assert "not padded (as torch recorded on NVIDIA A100)" in reported
    assert "8192" not in wrapper_of(found).partition("def call(")[2]
    lacking = captured(
        worker, "attends.py:f", str(path.parent), None, ("padding", written("X", {"mm other": False}))
    )
    (reported,) = [row.words for row in lacking.assumed if row.what == "padding"]
    assert ": padded (the record does not have it; 4" in reported
    assert "8192" in wrapper_of(lacking).partition("def call(")[2]


@pytest.mark.slow
def test_the_winner_of_max_autotune_is_the_one_assumed(worker: WorkerClient, write):
    path = write(
        "product.py",
        "import torch\n\ndef f(x, w):\n    return torch.relu(x @ w)\n\ndef example_inputs():\n"
        "    return torch.empty(256, 512), torch.empty(512, 256)\n",
    )
    mode = "max-autotune-no-cudagraphs"
    usual = captured(worker, "product.py:f", str(path.parent), mode)
    assert "triton_tem" in wrapper_of(usual)
    (reported,) = (row for row in usual.assumed if row.what == "winner")
    assert len(reported.candidates) > 5
    library = captured(worker, "product.py:f", str(path.parent), mode, ("winner", "library"))
    assert "extern_kernels.mm" in wrapper_of(library)
    last = next(name for name, _ in reversed(reported.candidates) if name.startswith("triton"))
    named = captured(worker, "product.py:f", str(path.parent), mode, ("winner", last))
    assert any(f"takes {last} of" in row.words for row in named.assumed)
    assert (last, f"{last}  {dict(reported.candidates)[last]}") in options_for("winner", usual.assumed)


def test_assumptions_are_read_from_words():
    assert read_assumption("attention = math") == ("attention", "math")
    assert read_assumption("winner=triton_mm_3") == ("winner", "triton_mm_3")
    for text, reported in (
        ("attention", "write one of"),
        ("attention=fast", "cudnn, flash"),
        ("speed=9", "write one of"),
    ):
        with pytest.raises(ValueError, match=reported):
            read_assumption(text)
    spec = CaptureSpec(TargetSpec("a.py:f"), assume=(("padding", "yes"),))
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(spec), type=CaptureSpec) == spec
