"""Kernels read in a generated wrapper."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler.engine.records.wrapper_kernels import _places, kernel_sources

WRAPPER = """
from torch._inductor.async_compile import AsyncCompile
async_compile = AsyncCompile()

{name} = async_compile.cpp_pybinding(['float*'], r'''
{source}
''')
async_compile.wait(globals())
"""


def test_sources_are_those_of_the_text_asked_about() -> None:
    texts = [WRAPPER.format(name=f"kernel_{number % 3}", source=f"body {number}") for number in range(9)]
    for _ in range(2):
        for number, text in enumerate(texts):
            assert kernel_sources(text) == {f"kernel_{number % 3}": f"body {number}"}
    assert kernel_sources("not (Python") == {}


def by_hand(lines: list[str], texts: tuple[str, ...]) -> list[int]:
    found, index = [], 0
    while index + len(texts) <= len(lines):
        if tuple(lines[index : index + len(texts)]) == texts:
            found.append(index)
            index += len(texts)
        else:
            index += 1
    return found


@pytest.mark.thorough
@given(st.lists(st.sampled_from("ab"), max_size=12), st.lists(st.sampled_from("ab"), min_size=1, max_size=4))
def test_runs_of_lines_are_found_apart_from_one_another(lines: list[str], texts: list[str]) -> None:
    assert _places(lines, tuple(texts)) == by_hand(lines, tuple(texts))


def test_a_wrapper_is_parsed_once() -> None:
    """Each telling of a compile asks for its kernels."""
    text = "cpp_fused_0 = async_compile.cpp_pybinding([], 'void kernel()')"
    assert kernel_sources(text) is kernel_sources("".join(text))
    assert kernel_sources(text) == {"cpp_fused_0": "void kernel()"}
