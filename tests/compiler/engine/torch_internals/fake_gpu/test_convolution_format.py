"""Convolutions on a GPU that is not here have the strides that they have there."""

from collections import Counter

import msgspec
import pytest
import torch

from compiler.engine.torch_internals.fake_gpu import convolution_format as formats
from compiler.model.ir.gpu_target import TARGETS, GpuTarget
from tests.helpers.gpu_child import run_without_gpu

pytestmark = pytest.mark.engine
H100, MI300X = TARGETS["h100"], TARGETS["mi300x"]
LAST, LAST_3D, CONTIGUOUS = torch.channels_last, torch.channels_last_3d, torch.contiguous_format
BEFORE_BFLOAT16 = msgspec.structs.replace(H100, name="NVIDIA V100", major=7)


def found(
    target: GpuTarget = H100,
    dtype: torch.dtype = torch.float32,
    dimensions: int = 2,
    last: bool = True,
    groups: int = 1,
    transposed: bool = False,
    output_padding: int = 0,
) -> torch.memory_format:
    given = torch.empty(2, 8, *[6] * dimensions, dtype=dtype)
    weight = torch.empty(8, 8 // groups, *[3] * dimensions, dtype=dtype)
    if last:
        given = given.to(memory_format={2: LAST, 3: LAST_3D}[dimensions])
    ones = [1] * dimensions
    chosen = formats.backend(
        target, given, weight, ones, ones, transposed, [output_padding] * dimensions, groups
    )
    return formats.format_of(target, given, weight, chosen)


def test_what_cudnn_reads_channels_last_it_writes_so_but_float64():
    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        assert found(dtype=dtype) == LAST
        assert found(dtype=dtype, dimensions=3) == LAST_3D
        assert found(dtype=dtype, transposed=True) == LAST
        assert found(dtype=dtype, groups=8) == LAST, "depthwise"
        assert found(dtype=dtype, last=False) == CONTIGUOUS
    assert found(dtype=torch.float64) == CONTIGUOUS


def test_what_cudnn_does_not_take_is_contiguous(monkeypatch):
    assert found(transposed=True, output_padding=1) == CONTIGUOUS
    assert found(BEFORE_BFLOAT16, torch.bfloat16) == CONTIGUOUS
    assert found(BEFORE_BFLOAT16, torch.float16) == LAST
    monkeypatch.setattr(torch.backends.cudnn, "enabled", False)
    assert found() == CONTIGUOUS


def test_one_number_stands_for_all_dimensions():
    given, weight = torch.empty(2, 8, 6, 6), torch.empty(8, 8, 3, 3)
    chosen = formats.backend(H100, given, weight, [1], [1], True, [0, 1], 1)
    assert formats.format_of(H100, given, weight, chosen) == CONTIGUOUS
    assert "SlowTranspose2d" in str(chosen)


def test_miopen_writes_channels_last_only_where_it_is_asked_to(monkeypatch):
    monkeypatch.delenv("PYTORCH_MIOPEN_SUGGEST_NHWC", raising=False)
    assert found(MI300X) == CONTIGUOUS
    monkeypatch.setenv("PYTORCH_MIOPEN_SUGGEST_NHWC", "1")
    assert found(MI300X) == LAST


_BOTH = """
import random, sys
import torch
from compiler.model.ir.gpu_target import TARGETS
from compiler.engine.torch_internals.fake_gpu import convolution_format as formats
from compiler.worker import fake_gpu_setup

select, memory_format = torch._C._select_conv_backend, torch._C._conv_determine_backend_memory_format
target = TARGETS["h100"]
assert fake_gpu_setup.pretend(target) is None
from torch._subclasses.fake_tensor import FakeTensorMode

draw = random.Random(0)
pick = draw.choice
with FakeTensorMode():
    tried = 0
    while tried < 3000:
        dimensions, groups, width, out = pick((1, 2, 2, 3)), pick((1, 1, 2, 8)), pick((1, 2, 16)), pick((1, 2, 3))
        dtype, transposed = pick((torch.float32, torch.float16, torch.float64)), draw.random() < 0.3
        channels = groups * width
        given = torch.empty(pick((1, 2)), channels, *[pick((1, 2, 7)) for _ in range(dimensions)], dtype=dtype, device="cuda")
        ends = (channels, out) if transposed else (out * groups, width)
        weight = torch.empty(*ends, *[pick((1, 2, 3)) for _ in range(dimensions)], dtype=dtype, device="cuda")
        last = {2: torch.channels_last, 3: torch.channels_last_3d}.get(dimensions)
        if last and draw.random() < 0.5:
            given = given.to(memory_format=last)
        if last and draw.random() < 0.4:
            weight = weight.to(memory_format=last)
        steps, padding, dilation, more = ([pick(row) for _ in range(dimensions)] for row in ((1, 2), (0, 1), (1, 1, 2), (0, 0, 1)))
        if not transposed:
            more = [0] * dimensions
        torch.backends.cudnn.enabled = draw.random() < 0.8
        try:
            theirs = select(given, weight, None, list(steps), padding, list(dilation), transposed, list(more), groups)
        except RuntimeError:
            continue  # no such convolution
        tried += 1
        ours = formats.backend(target, given, weight, steps, dilation, transposed, more, groups)
        if dimensions == 1:
            given, weight = given.contiguous().unsqueeze(2), weight.unsqueeze(2)
        both = memory_format(given, weight, theirs), formats.format_of(target, given, weight, ours)
        assert both[0] == both[1], (given.shape, given.stride(), weight.shape, weight.stride(), theirs, ours)
        # whether cuDNN takes dilations is asked of the driver, where there is none it says no; the format is the same
        assert theirs == ours or max(dilation) > 1, (theirs, ours)
        print(both[0])
"""


@pytest.mark.skipif(not torch._C._has_cudnn, reason="this build of torch has no cuDNN to ask")
def test_torchs_own_rules_say_the_same():
    printed = run_without_gpu(_BOTH)
    assert min(Counter(printed.split()).values()) > 100
