"""C++ kernels that are generated and not built: nothing will call them. For good, in a process of its own.

GIVES: wrappers that can be imported without a C++ compiler having built their kernels.
NEEDS: ``AsyncCompile.cpp_pybinding``, ``AsyncCompile.cpp``.
"""

from typing import Any

from torch._inductor.async_compile import AsyncCompile


def install() -> None:
    """Build nothing from now on."""

    def never_called(*_args: Any) -> None:
        """Stands for a kernel in a wrapper that is never called."""

    def unbuilt(_self: Any, *_given: Any, **_named: Any) -> Any:
        return never_called

    AsyncCompile.cpp_pybinding = unbuilt  # type: ignore[assignment]
    AsyncCompile.cpp = unbuilt  # type: ignore[assignment]
