"""Waits until a program imports what ``torch.compile`` is made of. Loaded by file name in every Python that the program
starts, so it imports nothing of ours and next to nothing of Python's.
"""

import functools
import importlib.machinery
import importlib.util
import os
import sys
from typing import Any

_AWAITED = "torch._dynamo"
_USED_IN, _USED = "torch._dynamo.eval_frame", "OptimizeContext"
"""Made by each ``torch.compile``, before anything is compiled."""


def wait_for_torch() -> None:
    """Attach as soon as torch's compiler is loaded; a program that never compiles loads nothing of ours."""
    place = os.environ.get("LOUPE_RUN")
    if place:
        _leave_a_trace(place, "reached")
        os.register_at_fork(after_in_child=lambda: _leave_a_trace(place, "reached"))
    if any("torch._inductor.compile_worker" in word for word in _command_line()):
        return  # builds kernels for a process that is recorded; it compiles nothing by itself
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())


def _leave_a_trace(place: str, how_far: str) -> None:
    """Our number, beside the socket: of a process that left none nothing can be said of what it compiled."""
    try:
        file = os.open(f"{place}.{how_far}", os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
        try:
            os.write(file, b"%d\n" % os.getpid())
        finally:
            os.close(file)
    except OSError:
        pass


def _command_line() -> list[str]:
    return [word.replace(os.sep, ".") for word in getattr(sys, "orig_argv", sys.argv)]


class _Finder:
    """Finds one module as Python would, and is told when it is loaded."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name != _AWAITED:
            return None
        sys.meta_path[:] = [finder for finder in sys.meta_path if finder is not self]
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader)  # type: ignore[assignment]
        return spec


class _Loader:
    """Loads as the loader it stands for does, and then begins to record."""

    def __init__(self, loader: Any) -> None:
        self._loader = loader

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: Any) -> Any:
        return self._loader.create_module(spec)

    def exec_module(self, module: Any) -> None:
        module.__loader__ = module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        _attach_when_used(sys.modules.get(_USED_IN))


def _attach_when_used(module: Any) -> None:
    """Torch imports its compiler in circles, in the midst of which nothing can be loaded: so at the first use of it."""
    used = getattr(module, _USED, None)
    if used is None:
        _attach()
        return
    original = used.__init__

    def begin(context: Any, *args: Any, **kwargs: Any) -> None:
        if used.__init__ is begin:
            used.__init__ = original
            _attach()
        original(context, *args, **kwargs)

    used.__init__ = functools.wraps(original)(begin)


def _attach() -> None:
    """Load the recorder; whatever goes wrong is one line, and the program goes on."""
    if place := os.environ.get("LOUPE_RUN"):
        _leave_a_trace(place, "used")
    try:
        begin = _load("attaching").begin
    except BaseException as error:  # noqa: BLE001  nothing of ours may reach the program
        sys.stderr.write(f"loupe: this process is not recorded: {type(error).__name__}: {error}\n")
        return
    begin()


def _load(name: str) -> Any:
    """A module of this package under its real name, with the program's own modules of such names out of the way."""
    home = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    below = ("compiler", "recorder", name)
    if os.path.basename(home) == "torch_loupe":
        return __import__(".".join(("torch_loupe", *below)), fromlist=["begin"])
    ours = ("app", "compiler", "resources", "torch_loupe")
    theirs = {key: value for key, value in sys.modules.copy().items() if key.partition(".")[0] in ours}
    for key in theirs:
        del sys.modules[key]
    path = list(sys.path)
    sys.path.insert(0, home)
    try:
        return __import__(".".join(below), fromlist=["begin"])
    finally:
        sys.path[:] = path
        for key in [key for key in sys.modules.copy() if key.partition(".")[0] in ours]:
            del sys.modules[key]
        sys.modules.update(theirs)
