"""What is cross-compiled is what a real H200 compiled, text by text: with the torch of the recording."""

from pathlib import Path

import pytest
import torch

from compiler.engine.user_program.environment import find_environment
from tests.gpu.__main__ import compare, read_recording

pytestmark = [pytest.mark.engine, pytest.mark.worker]
RECORDING = Path(__file__).parents[2] / "data" / "inductor_h200_torch2.11.json.xz"
BEHIND_A_BRANCH = {"example-breaky_infer": 1, "example-breaky_train": 3}
"""Kernels after a branch on a tensor's value, where a capture without values ends."""


def _version() -> str:
    return ".".join(torch.__version__.split(".")[:2])


def test_the_recording_says_what_it_was_made_with():
    recording = read_recording(RECORDING)
    assert recording["v"].startswith("2.11.0+cu")
    assert recording["gpu"] == "NVIDIA H200"
    texts = [text for name in recording if name not in ("v", "gpu") for text in recording[name]["src"]]
    assert len(texts) == 44
    assert all("def call(" in text for text in texts)
    assert RECORDING.stat().st_size < 300_000


@pytest.mark.skipif(
    _version() != "2.11", reason=f"recorded with torch 2.11 on a GPU; torch {_version()} writes other texts"
)
@pytest.mark.skipif(not find_environment().triton, reason="triton is not installed here")
@pytest.mark.parametrize(
    "program",
    [
        "block_train",
        "mlp_train",
        pytest.param("", marks=pytest.mark.slow),
    ],
)
def test_every_kernel_and_wrapper_is_the_same_text(program: str):
    rows = list(compare(read_recording(RECORDING), "h200", program))
    assert rows
    for row in rows:
        missing = BEHIND_A_BRANCH.get(row.name, 0)
        assert row.same_kernels == row.kernels - missing, (row.name, row.difference)
        assert row.same_wrappers == row.wrappers - missing, (row.name, row.difference)
