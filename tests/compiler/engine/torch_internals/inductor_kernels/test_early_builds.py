"""A kernel of a recompile begins to be built when its source is written, and the wrapper gets that build."""

from typing import Any

import pytest
import torch
from torch._inductor.async_compile import get_compile_threads

from compiler.engine.torch_internals.inductor_kernels import early_builds
from compiler.engine.torch_internals.inductor_kernels.early_builds import building_early
from compiler.engine.torch_internals.patch.patching import around
from compiler.engine.torch_internals.patch.settings import capturing

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(get_compile_threads() <= 1, reason="torch builds each kernel when it meets it"),
]
_MODULE = "torch._inductor.graph:GraphLowering._compile_to_module_lines"
Build = tuple[str, tuple[str, ...], str]


def compiled(built: frozenset[str] | None) -> tuple[list[Build], torch.Tensor]:
    """(when, types, source) of each build that Inductor's pool was asked for, and the result."""
    asked: list[Build] = []
    when = ["while it is generated"]

    def build(builder: Any, types: list[str], source: str, *, original: Any) -> Any:
        asked.append((when[0], tuple(types), source))
        return original(builder, types, source)

    def load(*args: Any, original: Any, **kwargs: Any) -> Any:
        when[0] = "by the wrapper"
        return original(*args, **kwargs)

    def two_kernels(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return torch.softmax(torch.sigmoid(x) @ y, -1)

    torch._dynamo.reset()
    torch.manual_seed(0)
    with capturing(), around(early_builds.NEEDS[1], build), around(_MODULE, load):
        if built is None:
            return asked, torch.compile(two_kernels)(torch.rand(33, 9), torch.rand(9, 17))
        with building_early(lambda: built):
            return asked, torch.compile(two_kernels)(torch.rand(33, 9), torch.rand(9, 17))


@pytest.mark.thorough
def test_what_is_built_early_is_what_the_wrapper_asks_for() -> None:
    plain, wanted = compiled(None)
    assert [when for when, _, _ in plain] == ["by the wrapper"] * 2
    asked, result = compiled(frozenset())
    early = [row[1:] for row in asked if row[0] == "while it is generated"]
    assert early == [row[1:] for row in asked if row[0] == "by the wrapper"] == [row[1:] for row in plain]
    assert torch.equal(result, wanted)


@pytest.mark.thorough
def test_what_was_built_before_is_not_asked_for_early() -> None:
    sources = [source.strip("\n") for _, _, source in compiled(None)[0]]
    asked, _ = compiled(frozenset(sources[:1]))
    early = [source.strip("\n") for when, _, source in asked if when == "while it is generated"]
    assert early == sources[1:]


def test_only_kernels_of_cpp_are_begun() -> None:
    assert early_builds._call_in("async_compile.cpp_pybinding(['float*'], r'''\na\\n\n''')\n") == (
        ["float*"],
        "\na\\n\n",
    )
    assert early_builds._call_in("async_compile.triton('x', '''a''', device_str='cuda')") is None
    assert early_builds._call_in("async_compile.cpp_pybinding(types, source)") is None
    assert early_builds._call_in("async_compile.cpp_pybinding(['float*'], 'a'") is None
