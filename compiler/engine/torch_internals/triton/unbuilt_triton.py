"""Triton kernels that are generated and not built: there is no GPU to load them on. For good.

GIVES: wrappers that can be imported without a GPU.
NEEDS: ``AsyncCompile.triton``, ``multi_kernel``, ``size_hint_multi_kernel``; ``CppWrapperCodeCache``, which builds a wrapper in C++
with CUDA's headers; settings of Inductor and AOTAutograd that build at once, in this process, and the
backward along with the forward.
"""

from collections.abc import Callable
from typing import Any

from torch._functorch import config as functorch_config
from torch._inductor import config as inductor_config
from torch._inductor.async_compile import AsyncCompile
from torch._inductor.codecache import CppWrapperCodeCache

launched: list[Callable[..., None]] = []
"""Told the name of each kernel that a wrapper calls, and what it is given."""


class _Unbuilt:
    """Stands for a kernel in a wrapper that is not run, or run on fakes."""

    def __init__(self, name: str) -> None:
        self.name = name

    def run(self, *args: Any, **_kwargs: Any) -> None:
        """Do nothing but tell it."""
        for reported in launched:
            reported(self.name, args)


def install() -> None:
    """Build nothing from now on."""
    inductor_config.compile_threads = 1
    inductor_config.fx_graph_cache = False
    functorch_config.enable_autograd_cache = False
    functorch_config.force_non_lazy_backward_lowering = True

    def unbuilt(_self: Any, name: str, *_given: Any, **_named: Any) -> _Unbuilt:
        return _Unbuilt(name)

    def wrapper(*_given: Any, **_named: Any) -> Callable[..., None]:
        return _Unbuilt("C++ wrapper").run

    AsyncCompile.triton = unbuilt  # type: ignore[assignment]
    AsyncCompile.multi_kernel = unbuilt  # type: ignore[assignment]
    AsyncCompile.size_hint_multi_kernel = unbuilt  # type: ignore[assignment]
    CppWrapperCodeCache.load_pybinding = staticmethod(wrapper)
