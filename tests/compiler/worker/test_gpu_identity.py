"""What is cross-compiled is what a real H200 compiled, text by text: with the torch of the recording."""

import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
import torch

from compiler.model.capture.padding_record import read_record
from tests.gpu.__main__ import Compared, compare, compare_texts, cross_compiled, read_recording, wrappers_of
from tests.helpers.finished_process import ran
from tests.helpers.needs import TRITON
from tests.helpers.thoroughness import some

pytestmark = [pytest.mark.engine, pytest.mark.worker]
DATA = Path(__file__).parents[2] / "data"
RECORDING = DATA / "inductor_h200_torch2.11.json.xz"
ATTENTION = DATA / "attention_h200_torch2.11.json.xz"
OUTSIDE = DATA / "outside_h200_torch2.11.json.xz"
PACKAGES = DATA / "packages_h100_torch2.11.json.xz"
"""Convolutions, constants on the GPU, autocast, sorts, experts: of transformers, monai, kornia and x-transformers."""
LIBRARIES = DATA / "libraries_h100_torch2.11.json.xz"
"""Losses, grids and recurrent nets that CUDA gives to cuDNN."""
DRIVER = DATA / "driver_h100_torch2.11.json.xz"
"""Streams, events, generators, ranges."""
DEVICE = DATA / "device_h100_torch2.11.json.xz"
"""Devices by name, what a GPU can, settings of its libraries, copies."""
STEP = DATA / "step_h100_torch2.11.json.xz"
"""Optimizers in the program, scaled and clipped gradients."""
PADDED = DATA / "padded_h100_torch2.11.json.xz"
"""Models in bfloat16 whose sizes are not aligned, on a GPU that did nothing else."""
PADDING_RECORD = DATA / "padding_record_h100_torch2.11.json"
"""What torch wrote into its cache folder meanwhile."""
OPERATORS = DATA / "operators_h100_torch2.11.json.xz"
"""Torch's own samples of its operators."""
MEASURED_OR_VALUED = ("outside-Opt_train", "outside-Vit_train")
"""OPT drops layers by a drawn number, and the GPU measured which products of the ViT it pads."""


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


def _require_same(compared: Iterable[Compared]) -> None:
    rows = list(compared)
    assert rows
    for row in rows:
        assert row.same_kernels == row.kernels, (row.name, row.difference)
        assert row.same_wrappers == row.wrappers, (row.name, row.difference)
        assert row.more == 0, row.name


WRAPPER = "# Topologically Sorted Source Nodes: [position_ids]\nk_0 = async_compile.triton('k_0', '''\n    # %add\n    tmp0 = 1\n''')"


@pytest.mark.parametrize(
    ("ours", "kernels", "wrappers", "but_for_comments"),
    [
        (WRAPPER, 1, 1, 0),
        (WRAPPER.replace("position_ids", "unsqueeze"), 1, 0, 1),
        (WRAPPER.replace("%add", "%sub"), 0, 0, 1),
        (WRAPPER.replace("tmp0 = 1", "tmp0 = 2  # 1"), 0, 0, 0),
        (f"assert_size_stride(arg0_1, (2, 3), (3, 1))\n{WRAPPER}", 1, 0, 0),
    ],
)
def test_wrappers_that_differ_in_comments_alone_are_distinguished(
    ours: str, kernels: int, wrappers: int, but_for_comments: int
):
    row = compare_texts("net|train", [WRAPPER], [ours])
    assert (row.same_kernels, row.same_wrappers, row.but_for_comments) == (
        kernels,
        wrappers,
        but_for_comments,
    )


ON_211 = pytest.mark.skipif(
    _version() != "2.11", reason=f"recorded with torch 2.11 on a GPU; torch {_version()} writes other texts"
)


@ON_211
@TRITON
@pytest.mark.parametrize(
    "program",
    [
        "block_train",
        "mlp_train",
        pytest.param("", marks=pytest.mark.slow),
    ],
)
def test_every_kernel_and_wrapper_is_the_same_text(program: str):
    _require_same(compare(read_recording(RECORDING), "h200", program))


@ON_211
@TRITON
@pytest.mark.slow
def test_models_of_packages_are_what_the_gpu_compiled():
    for package in ("transformers", "monai", "kornia", "x_transformers"):
        pytest.importorskip(package)
    recording = read_recording(PACKAGES)
    assert recording["gpu"].startswith("NVIDIA H100")
    rows = list(compare(recording, "h100"))
    assert len(rows) > 30
    for row in rows:
        assert row.same_kernels == row.kernels, (row.name, row.difference)


@ON_211
@TRITON
@pytest.mark.parametrize(
    "program",
    [
        "library-SpatialTransformer_train",
        "library-CtcOfLibrary_train",
        "library-Lstm_infer",
        pytest.param("", marks=pytest.mark.slow),
    ],
)
def test_what_cuda_gives_to_a_library_is_what_the_gpu_compiled(program: str):
    _require_same(compare(read_recording(LIBRARIES), "h100", program))


@ON_211
@TRITON
@pytest.mark.parametrize(
    "program",
    ["driver-TwoStreams_infer", "driver-OwnGenerator_train", pytest.param("", marks=pytest.mark.slow)],
)
def test_what_programs_ask_the_driver_changes_nothing(program: str):
    _require_same(compare(read_recording(DRIVER), "h100", program))


@ON_211
@TRITON
@pytest.mark.parametrize("program", ["padded-Digits_train", pytest.param("padded-", marks=pytest.mark.slow)])
def test_products_are_padded_as_torch_recorded_on_the_gpu(program: str):
    if program == "padded-":
        pytest.importorskip("transformers")
    _require_same(compare(read_recording(PADDED), "h100", program, read_record(PADDING_RECORD)))


@ON_211
@TRITON
@pytest.mark.slow
def test_operators_are_what_the_gpu_compiled():
    pytest.importorskip("expecttest")
    names = [
        "_batch_norm_with_update",
        "nn.functional.grid_sample",
        "linalg.svd",
        "sort",
        "nn.functional.conv2d",
    ]
    command = [sys.executable, "-m", "tests.gpu.operators", "compare", str(OPERATORS), "h100", *names]
    done = ran(command, DATA.parents[1])
    assert done.returncode == 0, done.stdout[-3000:]
    assert " 0 differ" in done.stdout


@ON_211
@TRITON
@pytest.mark.slow
@pytest.mark.parametrize("recorded", [ATTENTION, OUTSIDE])
def test_attention_is_what_the_gpu_compiled(recorded: Path):
    if recorded == OUTSIDE:
        pytest.importorskip("transformers")
    rows = [row for row in compare(read_recording(recorded), "h200") if row.name not in MEASURED_OR_VALUED]
    assert len(rows) > 20
    for row in rows:
        assert row.same_kernels == row.kernels, (row.name, row.difference)


@pytest.mark.thorough
@TRITON
@pytest.mark.parametrize(
    ("program", "training", "operator"),
    some(
        (
            ("attention-OddHalf", True, "_scaled_dot_product_flash_attention_backward"),
            ("attention-FullMask", False, "_safe_softmax"),
            ("attention-AddedMask", True, "_scaled_dot_product_efficient_attention_backward"),
            ("attention-Grouped", False, "_scaled_dot_product_cudnn_attention"),
        )
    ),
)
def test_attention_is_cross_compiled_to_the_kernel_that_torch_takes(program, training, operator):
    assert any(operator in text for text in wrappers_of(cross_compiled(program, training, "h200")))
