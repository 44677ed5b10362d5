"""What a program changed of the process that it runs in: settings of torch and of Python, the environment, functions of torch
that it replaced. Compared before and after, since the next program would meet it without a word.

Values of environment variables are never reported: they may be secrets.
"""

import contextlib
import os
import sys
import threading
import types
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from compiler.engine.file_ownership import file_of, is_mine, is_reloaded
from compiler.engine.user_program.loaded_program import THIS_PROCESS
from compiler.engine.user_program.torch_settings import SETTINGS, plain
from compiler.model.capture.counted import first_of

_MOST_NAMES = 5
_OURS = "loupe-"
"""How the names of our own threads begin."""
_ALSO_WATCHED = ("os", "random", "time", "builtins")
_TORCH_SETS = (
    "TORCHINDUCTOR_",
    "TRITON_",
    "TORCH_",
    "PYTORCH_",
    "KMP_",
    "LOUPE_",
    "CUDA_MODULE_LOADING",
    "NVIDIA_TF32",
)
"""How variables begin that torch sets while it compiles."""

Owners = dict[str, dict[str, Any]]
"""Of modules and classes: what each has under its names. Where nothing became another, it is the same table as before."""


@dataclass(frozen=True)
class ProcessState:
    """The process as it was at one moment."""

    settings: Mapping[str, Any]
    functions: Owners
    environment: Mapping[str, str]
    filters: tuple[Any, ...]
    search_path: tuple[str, ...]
    modules: Mapping[str, types.ModuleType]
    threads: frozenset[threading.Thread]

    @staticmethod
    def now() -> "ProcessState":
        """Milliseconds: without what only a program that is loaded can have done."""
        return ProcessState(
            settings_now(),
            _public_functions(),
            dict(os.environ),
            tuple(warnings.filters),
            tuple(sys.path),
            dict(sys.modules),
            frozenset(threading.enumerate()),
        )

    def changes(self) -> tuple[str, ...]:
        """What is another now, each in a few words."""
        return (
            *_settings_changed(self.settings, settings_now()),
            *_replaced(self.functions, _public_functions()),
            *self._others(),
        )

    def _others(self) -> Iterator[str]:
        if names := _different(self.environment, os.environ):
            yield f"os.environ: {first_of(names, _MOST_NAMES)}"
        if (action := _for_all(warnings.filters)) != _for_all(self.filters):
            yield f"warnings filter for everything: {action or 'none'}"
        known = {*self.search_path, *THIS_PROCESS.search_path}
        if added := [entry for entry in sys.path if entry not in known and is_mine(f"{entry}/")]:
            yield f"sys.path: {first_of(added, _MOST_NAMES)} added"
        if hidden := [name for name in sys.modules.copy() if self._hides(name)]:
            yield f"modules hidden by the program's own: {first_of(hidden, _MOST_NAMES)}"
        started = [
            thread.name
            for thread in threading.enumerate()
            if thread not in self.threads and not thread.name.startswith(_OURS) and _is_users(thread)
        ]
        if started:
            yield f"threads left running: {first_of(started, _MOST_NAMES)}"

    def _hides(self, name: str) -> bool:
        module = sys.modules.get(name)
        if not is_reloaded(file_of(module)):
            return False
        before = self.modules.get(name)
        theirs = before is not None and not is_mine(file_of(before))
        return name in sys.stdlib_module_names or (before is not module and theirs)


def settings_now() -> dict[str, Any]:
    """The settings that there are here, by what they are called. Cheap."""
    found = {}
    for row in SETTINGS:
        with contextlib.suppress(Exception):  # a setting that this platform or this torch has not
            value = row.read()
            several = isinstance(value, dict)
            found.update(
                {f"{row.name} {key}": one for key, one in value.items()} if several else {row.name: value}
            )
    return found


def put_back(before: Mapping[str, Any]) -> None:
    """Settings as they were, those that can be."""
    now = settings_now()
    for row in SETTINGS:
        if row.write is not None and row.name in before and now.get(row.name) != before[row.name]:
            with contextlib.suppress(Exception):  # such as a folder that is gone
                row.write(before[row.name])


def _settings_changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    for name, was in before.items():
        now = after.get(name)
        row = next((row for row in SETTINGS if f"{name} ".startswith(f"{row.name} ")), None)
        if was != now and not (row is not None and row.by_torch(was, now)):
            as_text = row.show if row is not None else plain
            yield f"{name} {as_text(was)} → {as_text(now)}"


@dataclass(frozen=True)
class _Read:
    """What a module or class held when it was read last."""

    names: list[str]
    values: list[Any]
    """Kept, so that no other thing can get their numbers."""
    numbers: list[int]
    table: dict[str, Any]
    classes: list[type]
    """Those of torch in the table."""


_read: dict[str, _Read] = {}


def _public_functions() -> Owners:
    """Every function and class that a public module of torch has under its name, and what its public classes have."""
    found: Owners = {}
    classes: dict[int, type] = {}
    for name, module in sys.modules.copy().items():
        if name in _ALSO_WATCHED or _is_public_torch(name):
            read = _of(name, getattr(module, "__dict__", {}), _is_watched)
            found[name] = read.table
            classes.update(zip(map(id, read.classes), read.classes, strict=True))
    for number, owner in classes.items():
        name = f"{owner.__module__}.{owner.__qualname__}"
        own = _of(f"{name} {number}", vars(owner), _is_function).table
        found[name] = {**found[name], **own} if name in found else own
    return found


def _of(name: str, scope: Mapping[str, Any], is_watched: Callable[[str, Any], bool]) -> _Read:
    """What is watched of these names; as the last time where they all are what they were."""
    scope = dict(scope)  # another thread may import
    names, values = list(scope), list(scope.values())
    numbers = list(map(id, values))
    read = _read.get(name)
    if read is None or read.numbers != numbers or read.names != names:
        table = {key: value for key, value in scope.items() if is_watched(key, value)}
        classes = [value for value in table.values() if _is_class_of_torch(value)]
        read = _read[name] = _Read(names, values, numbers, table, classes)
    return read


def _is_watched(key: str, value: Any) -> bool:
    """By its type: an object that is asked for its class may warn."""
    return not key.startswith("_") and not issubclass(type(value), types.ModuleType) and callable(value)


def _is_class_of_torch(value: Any) -> bool:
    return issubclass(type(value), type) and value.__module__.partition(".")[0] == "torch"


def _is_function(_key: str, value: Any) -> bool:
    return isinstance(value, types.FunctionType | staticmethod | classmethod)


def _is_public_torch(name: str) -> bool:
    return name.partition(".")[0] == "torch" and "._" not in name


def _replaced(before: Owners, after: Owners) -> Iterator[str]:
    """What has another function under a name that was there; torch, which exports lazily, does not count as who did it."""
    reported = set()
    for owner, table in after.items():
        was = before.get(owner, {})
        if table is was:
            continue
        for key, value in table.items():
            if key not in was or was[key] is value:
                continue
            by = _where(value)
            if by is not None and (by, key) not in reported:
                reported.add((by, key))
                yield f"{owner}.{key} replaced by {by}"


def _where(value: Any) -> str | None:
    """``m.py:12``; None where the file is torch's."""
    value = getattr(value, "__func__", value)
    code = getattr(value, "__code__", None)
    path, line = (code.co_filename, f":{code.co_firstlineno}") if code is not None else ("", "")
    if not path:
        module = sys.modules.get(getattr(value, "__module__", None) or "")
        path = file_of(module)
    inside = str(Path(torch.__file__).parent)
    return None if path.startswith(inside) else f"{Path(path).name or type(value).__name__}{line}"


def _different(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    names = sorted({*before, *after})
    return [
        name
        for name in names
        if before.get(name) != after.get(name) and not name.lstrip("_").startswith(_TORCH_SETS)
    ]


def _for_all(filters: Any) -> str:
    """What becomes of every warning, where the first filter says so; those of single kinds are set by any library."""
    action, message, category, module, line = filters[0] if filters else ("", None, None, None, 0)
    return action if category is Warning and not (message or module or line) else ""


def _is_users(thread: threading.Thread) -> bool:
    """Whether a thread runs a function of the user's own, or of a library: torch's and Python's pools are theirs."""
    function: Callable[..., Any] | None = getattr(thread, "_target", None)
    path = str(getattr(getattr(function, "__code__", None), "co_filename", "")) or str(
        getattr(sys.modules.get(type(thread).__module__), "__file__", "") or ""
    )
    return is_mine(path)
