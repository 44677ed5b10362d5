"""C++ kernels that are generated and not built: nothing will call them. For good, in a process of its own.

GIVES: wrappers that can be imported without a C++ compiler having built their kernels.
NEEDS: ``AsyncCompile.cpp_pybinding``, ``AsyncCompile.cpp``.
"""

from collections.abc import Callable
from typing import Any

from torch._inductor.async_compile import AsyncCompile

launched: list[Callable[..., None]] = []
"""Told of each kernel that a wrapper calls and what it is given; which one, the wrapper's line tells."""


def install() -> None:
    """Build nothing from now on."""

    def unbuilt(_self: Any, *_given: Any, **_named: Any) -> Any:
        def kernel(*args: Any) -> None:
            """Do nothing but tell it."""
            for reported in launched:
                reported("cpp kernel", args)

        return kernel

    AsyncCompile.cpp_pybinding = unbuilt  # type: ignore[assignment]
    AsyncCompile.cpp = unbuilt  # type: ignore[assignment]
