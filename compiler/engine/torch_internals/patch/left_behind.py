"""What torch keeps of code that it has forgotten: a graph, its fake tensors and its guards for each compile, for ever."""

import functools
import weakref
from collections.abc import Callable
from typing import Any

from compiler.engine.torch_internals.patch.patching import find, is_there

_GUARDS = "torch._dynamo.guards:CheckFunctionManager"
_MODULES = "torch._inductor.codecache:PyCodeCache"
GIVES = "memory of forgotten compiles given back"
_REMEMBERING = (
    "torch.fx.experimental.symbolic_shapes:ShapeEnv",
    "torch._inductor.codegen.debug_utils:DebugPrinterManager",
)
"""Classes with methods that remember what they were called with: hundreds of their objects, each with all that it holds."""
NEEDS = (_GUARDS, _MODULES, *_REMEMBERING)


def let_go() -> None:
    """Call when all compiled code is forgotten: nothing of this is used any more."""
    _let_guards_go()
    _let_modules_go()
    for path in filter(is_there, _REMEMBERING):
        owner, name = find(path)
        for method in vars(getattr(owner, name)).values():
            getattr(method, "cache_clear", _nothing)()


def _nothing() -> None:
    """For methods that remember nothing."""


def _let_guards_go() -> None:
    """Guards wait for the end of the objects that they ask about. Those of torch's own modules and functions never end."""
    if not is_there(_GUARDS):
        return
    owner, name = find(_GUARDS)
    kind = getattr(owner, name)
    registry: dict[weakref.finalize[Any, Any], Any] = getattr(weakref.finalize, "_registry", {})
    for waiting in list(registry):
        found = waiting.peek()
        if found is not None and isinstance(_owner(found[1]), kind):
            waiting.detach()


def _owner(function: Callable[..., Any]) -> object:
    inner = function.func if isinstance(function, functools.partial) else function
    return getattr(inner, "__self__", None)


def _let_modules_go() -> None:
    """Each load of generated code is a module in a list, also where the same code was loaded before."""
    if is_there(_MODULES):
        owner, name = find(_MODULES)
        getattr(getattr(owner, name), "cache_clear", _nothing)()
