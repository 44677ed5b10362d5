"""How a Triton kernel is launched, read from its source and changed in it."""

import pytest

from compiler.analysis.gpu.triton_config import (
    ConfigurationError,
    KernelConfiguration,
    configurations_in,
    with_configurations,
)
from tests.helpers.triton_capture import SOURCE

TEMPLATE = """import triton
@triton_heuristics.template(num_stages=3, num_warps=4, triton_meta={}, inductor_meta={})
@triton.jit
def triton_tem_fused_mm_0(arg_A, arg_B, out_ptr0):
    BLOCK_M : tl.constexpr = 64
    BLOCK_N : tl.constexpr = 64
"""
FIRST = KernelConfiguration((("XBLOCK", 512),), 8, 1)
SECOND = KernelConfiguration((("XBLOCK", 64),), 2, 3)


def test_a_heuristic_gives_way_to_what_was_chosen_and_all_else_stays():
    assert configurations_in(SOURCE) == ()
    edited = with_configurations(SOURCE, (FIRST, SECOND))
    assert configurations_in(edited) == (FIRST, SECOND)
    assert "triton_heuristics.user_autotune(" in edited
    assert "size_hints" not in edited
    for kept in ("filename=__file__", "triton_meta={'device': 'h100'}", "inductor_meta={'kernel_name'"):
        assert kept in edited
    body = SOURCE[SOURCE.index("@triton.jit") :]
    assert edited.endswith(body)
    compile(edited, "kernel.py", "exec")


def test_choosing_again_replaces_what_was_chosen():
    once = with_configurations(SOURCE, (FIRST,))
    again = with_configurations(once, (SECOND,))
    assert configurations_in(again) == (SECOND,)
    assert with_configurations(again, (FIRST,)) == once


def test_a_template_keeps_its_sizes_in_its_body():
    edited = with_configurations(TEMPLATE, (KernelConfiguration((("BLOCK_M", 128),), 8, 4),))
    assert "num_stages=4, num_warps=8" in edited
    assert "BLOCK_M : tl.constexpr = 128" in edited
    assert "BLOCK_N : tl.constexpr = 64" in edited


@pytest.mark.parametrize(
    ("source", "rows", "what"),
    [
        (SOURCE, (), "needs a configuration"),
        (SOURCE, (KernelConfiguration((("XBLOCK", 96),), 4, 1),), "powers of two"),
        (SOURCE, (KernelConfiguration((), 64, 1),), "32 warps at most"),
        (SOURCE, (KernelConfiguration((), 4, 0),), "one is the least"),
        ("def f(:", (FIRST,), "no Python"),
        ("def f(): pass", (FIRST,), "no triton_heuristics decorator"),
        (TEMPLATE, (FIRST, SECOND), "one configuration"),
        (TEMPLATE, (FIRST,), "no XBLOCK"),
    ],
)
def test_what_cannot_be_chosen_is_said(source: str, rows: tuple[KernelConfiguration, ...], what: str):
    with pytest.raises(ConfigurationError, match=what):
        with_configurations(source, rows)
