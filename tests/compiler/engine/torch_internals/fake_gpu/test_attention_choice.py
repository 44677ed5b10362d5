"""Which kernel of attention is taken: 4,000 answers of a real H200, and the rules of GPUs that nobody here has."""

from pathlib import Path

import pytest
import torch
from torch.backends import cuda

from compiler.engine.torch_internals.fake_gpu.attention_choice import (
    BACKENDS,
    CUDNN,
    EFFICIENT,
    FLASH,
    MATH,
    RULES,
    Attention,
    Chooser,
)
from compiler.model.ir.gpu_target import find_target
from tests.gpu.__main__ import read_recording
from tests.gpu.record_choices import built, switched

pytestmark = pytest.mark.engine
RECORDED = Path(__file__).parents[4] / "data" / "attention_choices_h200_torch2.11.json.xz"


@pytest.fixture(autouse=True)
def _switches():
    yield
    cuda.enable_flash_sdp(True)
    cuda.enable_mem_efficient_sdp(True)
    cuda.enable_cudnn_sdp(True)
    torch.use_deterministic_algorithms(False)


def _wrong(chooser: Chooser, rows: list) -> list:
    wrong = []
    for case, taken in rows:
        switched(case)
        choice = chooser.choose(Attention(**built(case, "meta")))
        if BACKENDS[choice.backend] != taken:
            wrong.append((case, taken, choice))
    return wrong


def test_every_answer_of_the_gpu_is_ours():
    recording = read_recording(RECORDED)
    assert recording["gpu"] == "NVIDIA H200"
    assert recording["cudnn"] == RULES[2, 11].cudnn
    assert {taken for _, taken in recording["rows"]} == set(BACKENDS.values())
    assert not _wrong(Chooser(find_target("h200"), RULES[2, 11]), recording["rows"])


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("rules", "target"), [(RULES[2, 12], "h200"), (RULES[2, 14], "h200"), (RULES[2, 11], "a100")]
)
def test_another_release_or_gpu_would_have_answered_otherwise(rules, target):
    """The recording tells such rules apart; it could not, had it too few cases."""
    assert _wrong(Chooser(find_target(target), rules), read_recording(RECORDED)["rows"])


def _attention(dtype=torch.bfloat16, width=64, heads=4, kept=4, length=64, **more) -> Attention:
    query = torch.empty(2, heads, length, width, dtype=dtype, device="meta")
    key = torch.empty(2, kept, length, width, dtype=dtype, device="meta")
    return Attention(query, key, key, **more)


@pytest.mark.parametrize(
    ("gpu", "torch_release", "call", "backend"),
    [
        ("a100", (2, 13), {}, FLASH),
        ("l4", (2, 13), {}, FLASH),
        ("b200", (2, 13), {}, CUDNN),
        ("b200", (2, 13), {"width": 256}, FLASH),
        ("b200", (2, 15), {"width": 256}, CUDNN),
        ("h100", (2, 11), {"dropout": 0.1}, CUDNN),
        ("h100", (2, 13), {"dropout": 0.1}, FLASH),
        ("mi300x", (2, 13), {}, FLASH),
        ("mi300x", (2, 13), {"dtype": torch.float32}, EFFICIENT),
        ("mi300x", (2, 13), {"dtype": torch.float32, "width": 12}, MATH),
        ("a100", (2, 13), {"dtype": torch.float32, "kept": 2, "grouped": True}, MATH),
        ("a100", (2, 15), {"dtype": torch.float32, "kept": 2, "grouped": True}, EFFICIENT),
        ("a100", (2, 13), {"dtype": torch.float64}, MATH),
    ],
)
def test_rules_of_gpus_and_releases(gpu, torch_release, call, backend):
    assert Chooser(find_target(gpu), RULES[torch_release]).choose(_attention(**call)).backend == backend


def test_a_refusal_says_why():
    mask = torch.empty(2, 1, 64, 1, dtype=torch.bool, device="meta").expand(2, 1, 64, 64)
    choice = Chooser(find_target("h100"), RULES[2, 13]).choose(_attention(torch.float32, mask=mask))
    assert choice.backend == MATH
    assert dict(choice.refused) == {
        CUDNN: "takes float16, bfloat16",
        FLASH: "takes no mask",
        EFFICIENT: "takes a mask whose last dimension has stride 1",
    }


def test_where_all_are_switched_off_it_raises_as_torch_does():
    from torch.nn.attention import SDPBackend, sdpa_kernel

    with (
        sdpa_kernel(SDPBackend.FLASH_ATTENTION),
        pytest.raises(RuntimeError, match="No available kernel"),
    ):
        Chooser(find_target("h100"), RULES[2, 13]).choose(_attention(torch.float32))


def test_a_programs_own_order_is_taken():
    from torch.nn.attention import SDPBackend, sdpa_kernel

    chooser = Chooser(find_target("h100"), RULES[2, 13])
    with sdpa_kernel([SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH], set_priority=True):
        assert chooser.choose(_attention()).backend == EFFICIENT
    assert chooser.choose(_attention()).backend == CUDNN
