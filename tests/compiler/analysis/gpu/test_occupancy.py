"""Occupancy as NVIDIA's own header computes it."""

import msgspec
import pytest

from compiler.analysis.gpu.occupancy import LIMITS, compute_capability, nvidia_occupancy, occupancy
from compiler.model.ir.gpu_target import TARGETS
from compiler.model.ir.lowered_kernel import Lowered

# What cudaOccMaxActiveBlocksPerMultiprocessor of CUDA 12.9's cuda_occupancy.h gave (largest carve-out, 16,189 such rows
# were compared once): compute capability, registers a thread, warps a block, bytes of shared memory a block, blocks.
BY_HEADER = """
8.0 10 7 49995 3
8.0 12 6 103323 1
8.6 121 14 6666 1
8.6 149 14 43329 0
8.6 150 12 39996 1
8.9 110 22 19998 0
8.9 112 7 99990 1
10.3 243 8 169983 1
10.3 245 20 173316 0
12.0 130 5 99990 1
12.0 147 30 79992 0
"""


@pytest.mark.parametrize("row", BY_HEADER.strip().split("\n"))
def test_as_many_blocks_fit_as_the_header_says(row: str):
    capability, registers, warps, shared, blocks = row.split()
    assert nvidia_occupancy(LIMITS[capability], int(registers), int(shared), int(warps)).blocks == int(blocks)


def lowered(**facts: object) -> Lowered:
    base = Lowered("", (), warps=4, stages=1, shared_bytes=0, registers=32, architecture="sm_90a")
    return msgspec.structs.replace(base, **facts)


@pytest.mark.parametrize(
    ("facts", "words", "limits"),
    [
        ({}, "100%, 64 of 64 warps", "nothing"),
        ({"registers": 128}, "25%, 16 of 64 warps", "registers"),
        ({"shared_bytes": 100_000}, "12%, 8 of 64 warps", "shared memory"),
        ({"warps": 1}, "50%, 32 of 64 warps", "blocks"),
        ({"warps": 3, "registers": 16}, "98%, 63 of 64 warps", "warps"),
        ({"registers": 255, "warps": 16}, "0%, 0 of 64 warps", "not one block fits, for registers"),
        ({"architecture": "gfx942", "registers": 128}, "50%, 16 of 32 warps", "registers"),
        ({"architecture": "gfx942", "registers": 64, "shared_bytes": 40_000}, "12%, 4 of 32 warps", "shared memory"),
    ],
)  # fmt: skip
def test_what_stands_in_the_way_is_said(facts: dict[str, object], words: str, limits: str):
    held = occupancy(lowered(**facts))
    assert (held.words(), held.limits()) == (words, limits)
    assert held.source


def test_threads_that_the_code_asks_for_count_not_the_option():
    assert occupancy(lowered(threads=256)).blocks == 8


@pytest.mark.parametrize("architecture", ["", "sm_20", "gfx1100"])
def test_of_a_gpu_that_is_not_in_the_table_nothing_is_computed(architecture: str):
    assert occupancy(lowered(architecture=architecture)) is None


def test_every_nvidia_target_is_in_the_table():
    for target in TARGETS.values():
        if not target.is_amd:
            limits = LIMITS[f"{target.major}.{target.minor}"]
            assert limits.shared_bytes == target.shared_bytes_per_multi_processor
            assert limits.warps * 32 == target.threads_per_multi_processor
            assert limits.registers == target.registers_per_multi_processor
    assert compute_capability("sm_100a") == "10.0"
