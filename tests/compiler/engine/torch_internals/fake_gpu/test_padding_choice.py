"""What torch asks of a GPU before it pads, in a process of its own: pretending is for good."""

import json
import os
import sys
from pathlib import Path

import pytest

from tests.helpers.finished_process import ran
from tests.helpers.needs import TRITON
from tests.helpers.thoroughness import some

pytestmark = [
    pytest.mark.engine,
    TRITON,
]

PRETENDS = """\
import json, os, sys
from compiler.model.ir.gpu_target import find_target
from compiler.worker import fake_gpu_setup
target = find_target(sys.argv[1])
assert fake_gpu_setup.pretend(target) is None
import torch
from torch._inductor import utils
from torch._inductor.fx_passes import pad_mm
def told(value):
    print(json.dumps(value), flush=True)
    os._exit(0)
"""
BOUND = """\
told([utils.get_gpu_dram_gbps(), utils.get_device_tflops(torch.bfloat16), pad_mm.is_mm_compute_bound(2, 128, 128, torch.bfloat16),
      pad_mm.is_mm_compute_bound(8192, 4096, 4096, torch.bfloat16)])
"""
ASKED = """\
from compiler.engine.torch_internals.fake_gpu import padding_choice
from torch._subclasses.fake_tensor import FakeTensorMode
pad_mm.should_exclude_padding_time = lambda match, name: False
class Match:  # torch 2.15 asks whether a product is part of a larger one
    output_node = lambda self: type("Node", (), {"meta": {}})
with FakeTensorMode():
    a = torch.empty(1024, 1021, device="cuda", dtype=torch.bfloat16)
    b = torch.empty(1021, 1021, device="cuda", dtype=torch.bfloat16)
    key = pad_mm.should_pad_bench_key(Match(), a, b, torch.ops.aten.mm)
    here = os.environ["HERE"]
    pad_mm.set_cached_should_pad(key, here == "yes")
    notes = []
    path = pad_mm.get_pad_cache().get_local_cache_path()
    before = path.read_bytes()
    chosen = {"no": "yes", "yes": "no"}[here]
    padding_choice.install(target, chosen, notes.append)
    drawn = []
    torch.randn = lambda *shape, **_options: drawn.append(shape) or torch.empty(*shape)
    answer = pad_mm.should_pad(Match(), a, b, torch.ops.aten.mm)
told([answer, chosen == "yes", path.read_bytes() == before, [row.words for row in notes], drawn])
"""


def asked(text: str, gpu: str, folder: Path, **environment: str) -> list[object]:
    own = os.environ | {"TORCHINDUCTOR_CACHE_DIR": str(folder)} | environment
    done = ran([sys.executable, "-c", PRETENDS + text, gpu], env=own)
    assert done.stdout, done.stderr[-2000:]
    found: list[object] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("gpu", "bandwidth", "large"), some((("l4", 300.0, True), ("h100", 3350.0, True), ("a100", 2039.0, True)))
)
def test_torch_says_from_the_gpu_whether_a_product_is_bound_by_compute(
    gpu: str, bandwidth: float, large: bool, tmp_path: Path
) -> None:
    found = asked(BOUND, gpu, tmp_path)
    assert found[0] in (bandwidth, 3350)  # 2.15 has a figure of its own for L4
    assert isinstance(found[1], float)
    if gpu == "l4":
        assert found[1:] == [242.0, False, large]
    elif found[1] < 1:  # before 2.15 torch takes MHz for kHz
        assert found[2:] == [True, True]
        assert gpu != "h100" or found[1] == pytest.approx(0.53526528)


@pytest.mark.thorough
@pytest.mark.parametrize("here", some(("yes", "no")))
@pytest.mark.parametrize("module", some(("0", "1")))
def test_this_machines_cache_is_neither_asked_nor_written(here: str, module: str, tmp_path: Path) -> None:
    answer, chosen, same, words, drawn = asked(
        ASKED, "h100", tmp_path, HERE=here, TORCHINDUCTOR_ENABLE_CACHING_MODULE=module
    )
    assert answer is chosen
    assert same
    assert words
    assert "as you chose" in str(words)
    assert (
        drawn == []
    )  # operands at full size, a second of drawing each, to be timed on a GPU that is not here
    assert [path.name for path in tmp_path.iterdir()] == ["cache"]
