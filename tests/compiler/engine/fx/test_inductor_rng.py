"""The numbers that Triton kernels draw, against Triton's interpreter; how kernels count, read in their text."""

import os
import sys
from pathlib import Path

import pytest
import torch

from compiler.engine.fx.inductor_rng import FOUR, ONE, as_kernels_do, counts_in, seeds
from tests.helpers.finished_process import ran

pytestmark = pytest.mark.engine

_ROOT = Path(__file__).resolve().parents[4]
_KERNELS = """
import torch, triton, triton.language as tl
from torch._inductor.runtime import triton_helpers
from compiler.engine.fx.inductor_rng import FOUR, ONE, drawn_by_triton
"""
_KERNEL = """
@triton.jit
def {name}(out, seeds, count, BLOCK: tl.constexpr):
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    seed = tl.load(seeds)
    tl.store(out + place, {call}, place < count)
"""
_COMPARE = """
for seed in (-(2**63) + 5, -7, 0, 123456789012345678):
    for count in (1, 2, 3, 100, 1001):
        block = min(64, triton.next_power_of_2(count))
        for kernel, mode, counts in rows:
            found, seeds = torch.zeros(count), torch.tensor(seed)
            kernel[(-(-count // block),)](found, seeds.reshape(1), count, BLOCK=block)
            own = drawn_by_triton([count], seeds, mode, counts)
            far = float((found - own).abs().max())
            assert far == 0 if mode == "rand" else far < 2e-6, (seed, count, mode, counts, far)
print("compared", len(rows))
"""


@pytest.mark.thorough
def test_they_are_what_triton_draws(tmp_path: Path) -> None:
    helpers = Path(torch.__file__).parent / "_inductor" / "runtime" / "triton_helpers.py"
    calls = {
        ("one", "rand", "ONE"): "tl.rand(seed, place.to(tl.uint32))",
        ("one_normal", "randn", "ONE"): "tl.randn(seed, place.to(tl.uint32))",
    }
    if "def rand4x" in helpers.read_text():
        calls |= {
            ("four", "rand", "FOUR"): "triton_helpers.rand4x(seed, place.to(tl.uint32), BLOCK)",
            ("four_normal", "randn", "FOUR"): "triton_helpers.randn4x(seed, place.to(tl.uint32), BLOCK)",
        }
    rows = ", ".join(f"({name}, {mode!r}, {counts})" for name, mode, counts in calls)
    kernels = "".join(_KERNEL.format(name=row[0], call=call) for row, call in calls.items())
    program = tmp_path / "kernels.py"
    program.write_text(f"{_KERNELS}{kernels}\nrows = [{rows}]\n{_COMPARE}")
    environment = os.environ | {"TRITON_INTERPRET": "1", "PYTHONPATH": str(_ROOT)}
    done = ran([sys.executable, str(program)], env=environment)
    assert done.stdout == f"compared {len(calls)}\n", done.stderr[-2000:]


def test_how_kernels_count_is_read_in_their_text() -> None:
    one, four = "x = tl.rand(s, (x0).to(tl.uint32))\n", "x = triton_helpers.rand4x(s, x0, XBLOCK)\n"
    assert counts_in("tmp = tl.load(p)\n") == ONE  # nothing is drawn, or by libraries
    assert counts_in(one + "y = tl.randn(s, x1)\n") == ONE
    assert counts_in(four + "y = triton_helpers.randn4x(s, x0, XBLOCK)\n") == FOUR
    assert counts_in(one + four) == ""
    assert counts_in("triton_helpers.randint64(s, x0, 0, 5)\n") == ""
    assert counts_in("triton_helpers.rand_eager_kernel(s, b, t, VEC=4)\n") == ""


@pytest.mark.parametrize("high", [1000, 2**40 + 3])
def test_integers_are_what_kernels_on_the_cpu_draw(high: int) -> None:
    """Op by op they were torch's generator's: no edit of a loss with a random time step was judged."""
    torch.manual_seed(3)
    compiled = torch.compile(lambda: torch.randint(-5, high, (3, 9)))()
    graph = torch.fx.Graph()
    node = graph.call_function(torch.ops.prims.inductor_randint.default, (-5, high, [3, 9], None))
    draw = as_kernels_do(node)
    assert draw is not None
    torch.manual_seed(3)
    assert torch.equal(draw(-5, high, [3, 9], seeds(1)[0]), compiled)
