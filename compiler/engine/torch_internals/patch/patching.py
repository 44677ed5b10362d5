"""Putting a function of ours around one of torch's, and taking it out again; and asking whether it is there."""

import contextlib
import functools
import importlib
import sys
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

_HOOK = "_loupe_hook"
"""Of a function of ours: whose it replaces, under which name, and what was there."""
_entered: set[str] | None = None
_fired: set[str] | None = None


@contextlib.contextmanager
def noting_calls() -> Iterator[tuple[set[str], set[str]]]:
    """(paths that were replaced meanwhile, those of them that torch called). Only for trying whether hooks are dead: a path
    may exist in a torch that never calls it.
    """
    global _entered, _fired
    _entered, _fired = set(), set()
    try:
        yield _entered, _fired
    finally:
        _entered = _fired = None


def find(path: str) -> tuple[Any, str]:
    """The owner and the attribute name of ``"module:Class.attribute"``. Raises ImportError or AttributeError."""
    module_name, _, attribute_path = path.partition(":")
    owner = importlib.import_module(module_name)
    *parents, name = attribute_path.split(".")
    for parent in parents:
        owner = getattr(owner, parent)
    getattr(owner, name)
    return owner, name


def found(path: str) -> Any:
    """What stands at the path now, with the hooks of whoever compiles. Raises as `find`."""
    return getattr(*find(path))


def is_there(path: str) -> bool:
    """Whether this torch has what the path names."""
    try:
        find(path)
    except (ImportError, AttributeError):
        return False
    return True


@contextlib.contextmanager
def around(path: str, call: Callable[..., Any], **given: object) -> Iterator[None]:
    """While this is entered, calls of `path` go to `call`, a function written with ``def`` or ``lambda``. What stood there is its
    keyword ``original``, beside the keywords of `given`.

    A torch without that path is left alone: the hook then gives nothing, and ``loupe doctor`` says so.
    """
    if not is_there(path):
        yield
        return
    owner, name = find(path)
    own = name in vars(owner)
    kept = vars(owner).get(name)
    original = getattr(owner, name)
    while kept is original and (hook := getattr(kept, _HOOK, None)) is not None and hook[:2] != (owner, name):
        original = kept = hook[2]  # a module that was loaded meanwhile took another's hook by name
    made: Callable[..., Any] = _with_keywords(call, {**given, "original": original})
    if _entered is not None and _fired is not None:
        _entered.add(path)
        made = _noting(path, made, _fired)
    replacement: Any = functools.wraps(original)(made)
    setattr(replacement, _HOOK, (owner, name, original))
    # what is called without the object must stay so, also through an object
    setattr(
        owner,
        name,
        staticmethod(replacement) if isinstance(kept, staticmethod | classmethod) else replacement,
    )
    try:
        yield
    finally:
        if own:
            setattr(owner, name, kept)
        else:
            delattr(owner, name)


@contextlib.contextmanager
def around_each(paths: Iterable[str], call: Callable[..., Any]) -> Iterator[None]:
    """`around` each of several paths, with one function for all of them."""
    with contextlib.ExitStack() as stack:
        for path in paths:
            stack.enter_context(around(path, call))
        yield


def _with_keywords(call: Callable[..., Any], given: dict[str, object]) -> types.FunctionType:
    """A copy of a function that has these as defaults: a function around it would be one more frame in each stack of torch's."""
    made = types.FunctionType(
        call.__code__, call.__globals__, call.__name__, call.__defaults__, call.__closure__
    )
    made.__kwdefaults__ = {**(call.__kwdefaults__ or {}), **given}
    return made


def _noting(path: str, function: Callable[..., Any], fired: set[str]) -> Callable[..., Any]:
    def noted(*args: Any, **kwargs: Any) -> Any:
        fired.add(path)
        return function(*args, **kwargs)

    return noted


def left_behind() -> list[str]:
    """Where a function of ours still is in a loaded module while nothing is replaced: it was loaded meanwhile, and took it by name."""
    found = []
    for module_name, module in sys.modules.copy().items():
        for name, value in list(getattr(module, "__dict__", {}).items()):
            hook = vars(value).get(_HOOK) if type(value) is types.FunctionType else None
            if hook is not None:
                found.append(f"{module_name}:{name}")
    return found
