"""Building a kernel as soon as its source is written, while the rest of its graph is still generated.

Inductor gives kernels to the compiler when it loads the finished wrapper. Asked for the same source earlier, its cache begins to
build it and hands that build out when the wrapper asks. What is built is the same, and so is the wrapper.
"""

import ast
import contextlib
from collections.abc import Callable, Iterator, Set
from typing import Any

from torch._inductor.async_compile import AsyncCompile

from compiler.engine.torch_internals.inductor_kernels.kernel_builds import builds_in_turn
from compiler.engine.torch_internals.patch.patching import around, is_there

GIVES = "kernels of a recompile built while the rest is generated"
NEEDS = (
    "torch._inductor.codegen.wrapper:PythonWrapperCodegen.define_kernel",
    "torch._inductor.async_compile:AsyncCompile.cpp_pybinding",
)
_BEGINNING = "async_compile.cpp_pybinding("


@contextlib.contextmanager
def building_early(built: Callable[[], Set[str]]) -> Iterator[None]:
    """While this is entered, a kernel begins to be built when it is written, unless its source is among those `built`."""
    if not all(map(is_there, NEEDS)) or builds_in_turn():
        yield
        return

    def define(wrapper: Any, name: str, body: str, *args: Any, original: Any, **kwargs: Any) -> Any:
        result = original(wrapper, name, body, *args, **kwargs)
        call = _call_in(body)
        if call is not None and call[1].strip("\n") not in built():
            AsyncCompile().cpp_pybinding(*call)
        return result

    with around(NEEDS[0], define):
        yield


def _call_in(body: str) -> tuple[list[str], str] | None:
    """(types of the arguments, source) that a wrapper's line builds a kernel of; None for any other line."""
    if not body.startswith(_BEGINNING):
        return None
    try:
        arguments = ast.literal_eval(body[len(_BEGINNING) - 1 :].strip())
    except (SyntaxError, ValueError):
        return None
    match arguments:
        case (list() as types, str() as source):
            return types, source
    return None
