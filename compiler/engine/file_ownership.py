"""Whose a file is: the user's own, a library's, or torch's. Here alone that is decided.

The user's files and libraries' are stages that nodes are linked to. What is reported in one line (an error, a break, a
guard) is told of the innermost line of the user's own, else of the innermost line of a library.
"""

import contextlib
import functools
import importlib.util
import os
import re
import sys
import sysconfig
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from compiler.installation import RESOURCES
from compiler.model.capture.generated_files import is_generated
from compiler.model.ir.diagnostics import ProblemError
from compiler.model.ir.graph import SourceLine
from compiler.model.ir.programs import FileOwner

_Item = TypeVar("_Item")
_INSTALLED = re.compile(r".*?[/\\](?:site|dist)-packages[/\\]")
_WITH_TORCH = ("torch", "functorch", "torchgen", "triton")
_WITH_PYTHON = ("typing_extensions",)
"""Of the standard library for older Pythons: what it decorates in torch (``deprecated``) is still torch's."""


class UnknownNameError(ProblemError):
    """What was called the user's own is neither a folder nor a package."""


def _either_way(path: str | Path) -> set[str]:
    """A folder as it is written and as it is without links: files of an environment that is linked to have both names."""
    return {f"{Path(path)}{os.sep}", f"{Path(path).resolve()}{os.sep}"}


def _places_of(package: str) -> tuple[str, ...]:
    """The folders of a package, or the file of a module. Nothing is imported for it."""
    top, *below = package.split(".")
    try:
        found = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        found = None
    if found is None:
        return ()
    folders = [Path(folder, *below) for folder in found.submodule_search_locations or ()]
    inside = [str(path) for path in folders if path.is_dir()]
    files = [str(path.with_suffix(".py")) for path in folders if path.with_suffix(".py").is_file()]
    module = [found.origin] if found.origin and not folders and not below else []
    return (*inside, *files, *module)


_OURS = tuple(_either_way(Path(__file__).parents[1]))
_FOR_USERS = tuple(folder for name in ("examples", "lessons") for folder in _either_way(RESOURCES / name))
"""Programs that come with us: read and changed like the user's own, also where we are an installed package."""


def _given() -> Iterator[tuple[str, FileOwner]]:
    """Our own files, Python's, those of installed packages, and torch, which need not be one of them: it may be a checkout."""
    for folder in _OURS:
        yield folder, FileOwner.TORCH
    for folder in _FOR_USERS:
        yield folder, FileOwner.MINE
    for name, path in sysconfig.get_paths().items():
        if name in ("stdlib", "platstdlib"):
            yield from ((folder, FileOwner.TORCH) for folder in _either_way(path))
        elif name in ("purelib", "platlib"):
            yield from ((folder, FileOwner.LIBRARY) for folder in _either_way(path))
    for package in (*_WITH_TORCH, *_WITH_PYTHON):
        for place in _places_of(package):
            yield from ((folder, FileOwner.TORCH) for folder in _either_way(place))


_GIVEN = tuple(_given())
_mine: list[str] = []


def choose_mine(names: Iterable[str], folder: str = "") -> None:
    """From now on these folders and packages are the user's own as well. Raises UnknownNameError."""
    chosen: list[str] = []
    for name in names:
        path = Path(folder, name).expanduser()
        places = (str(path.absolute()),) if path.exists() else _places_of(name)
        if not places:
            raise UnknownNameError(
                f"{name!r} cannot be called yours: it is neither a folder nor an installed package.",
                "Give a folder, or a package by the name that it is imported by.",
            )
        for place in places:
            chosen += _either_way(place)
    if chosen != _mine:
        _mine[:] = chosen
        forget_owners()


def forget_owners() -> None:
    """Ask again whose each file is: what is looked at for it is another."""
    for known in (owner_of, is_reloaded, _unchosen, _loaded_from):
        known.cache_clear()


@functools.lru_cache(maxsize=16384)
def owner_of(path: str) -> FileOwner:
    """Whose a file is. The longest of the folders that hold it decides; of equal ones that which was chosen."""
    if not os.path.isabs(path) and path.endswith(".py") and os.path.isfile(path):
        path = os.path.abspath(path)  # of a script that another one runs: `runpy.run_path("train.py")`
    if not os.path.isabs(path) or is_generated(path):  # "<string>", frozen modules, what Inductor wrote
        return FileOwner.TORCH
    chosen = max((len(place) for place in _mine if f"{path}{os.sep}".startswith(place)), default=-1)
    length, standing = _unchosen(path)
    return FileOwner.MINE if chosen >= length else standing


@functools.lru_cache(maxsize=16384)
def _unchosen(path: str) -> tuple[int, FileOwner]:
    """The longest folder that holds a file, as a length, and whose the file is by that."""
    within = f"{path}{os.sep}"  # of a package that is one file, the file itself stands among the folders
    ways = [(len(folder), standing) for folder, standing in _GIVEN if within.startswith(folder)]
    ways.append((_installed_in(path), FileOwner.LIBRARY))
    ways = [way for way in ways if way[0]]
    return max(ways, key=lambda way: way[0]) if ways else (0, _by_package(path))


def _by_package(path: str) -> FileOwner:
    """Of a file that lies nowhere in particular: a library may write modules of its own into a folder for temporary files and load
    them (torch_geometric does, for each class). Such a one is the library's: no line of the user's, and nothing loads it again.
    """
    loaded = _loaded_from(len(sys.modules), next(reversed(sys.modules))).get(path, "")
    top = file_of(sys.modules.get(loaded.partition(".")[0]))
    return _unchosen(top)[1] if top and top != path else FileOwner.MINE


@functools.lru_cache(maxsize=1)
def _loaded_from(_count: int, _newest: str) -> dict[str, str]:
    """By its file, the first module of a package that was loaded from it. All modules are looked through once until another is
    loaded, not once a file: of a project of a thousand files that would be ten million looks.
    """
    found: dict[str, str] = {}
    for name, module in sys.modules.copy().items():
        if "." in name:
            found.setdefault(file_of(module), name)
    return found


def _installed_in(path: str) -> int:
    """How long the folder is that packages are installed in, of a file of one; 0 for other files. Packages may lie in any
    folder that Python imports from (``pip install --target``); what is installed there is then noted beside them.
    """
    installed = _INSTALLED.match(path)
    if installed is not None:
        return installed.end()
    for folder in {os.path.abspath(entry) + os.sep for entry in sys.path if entry}:
        name = path.removeprefix(folder).partition(os.sep)[0] if path.startswith(folder) else ""
        if name and name in _names_installed(folder):
            return len(folder)
    return 0


@functools.lru_cache(maxsize=256)
def _names_installed(folder: str) -> frozenset[str]:
    """The packages and modules that an installer put into a folder, as its records say. A checkout has no such records."""
    found: set[str] = set()
    for record in Path(folder).glob("*.dist-info/RECORD"):
        with contextlib.suppress(OSError):
            found.update(
                line.partition(",")[0].partition("/")[0] for line in record.read_text("utf8").splitlines()
            )
    return frozenset(found)


def is_mine(path: str) -> bool:
    """Whether a file is the user's own."""
    return owner_of(path) is FileOwner.MINE


def is_linked(path: str) -> bool:
    """Whether a file is the user's own or a library's: its lines are shown and linked."""
    return owner_of(path) is not FileOwner.TORCH


@functools.lru_cache(maxsize=16384)
def is_reloaded(path: str) -> bool:
    """Whether a file is loaded afresh for every capture, since the user may have edited it. Torch and Python are not, even
    where they are called the user's own.
    """
    return path.endswith(".py") and is_mine(path) and _unchosen(path)[1] is not FileOwner.TORCH


def package_of(path: str) -> str:
    """The installed package that a file is of, by the name that it is imported by; empty for other files."""
    length = _installed_in(path)
    return path[length:].partition(os.sep)[0].removesuffix(".py") if length else ""


def within_program(stack: Iterable[_Item], path_of: Callable[[_Item], str]) -> list[_Item]:
    """Of a stack, innermost last, what stands below us, without torch's: who called us is no part of the program."""
    items = list(stack)
    ours = next((index for index, item in enumerate(items) if path_of(item).startswith(_OURS)), 0)
    return [item for item in items[ours:] if is_linked(path_of(item))]


def innermost(items: Iterable[_Item], path_of: Callable[[_Item], str]) -> _Item | None:
    """Of a stack, innermost last: the innermost of the user's own, else of a library's, else None."""
    stack = [(item, owner_of(path_of(item))) for item in items]
    for wanted in (FileOwner.MINE, FileOwner.LIBRARY):
        for item, standing in reversed(stack):
            if standing is wanted:
                return item
    return None


def innermost_line(stack: Iterable[SourceLine]) -> SourceLine | None:
    """Of a stack, innermost last: the innermost line of the user's own or a library's. What is counted by line is counted
    there: told of the user's own, all of a library's model would be one line.
    """
    return next((line for line in reversed([*stack]) if is_linked(line.path)), None)


def file_of(module: object) -> str:
    """A module's file as it is written on the module itself; "" where none is. One that is imported when it is asked for
    something (speechbrain's integrations, of packages that may not be there) is not asked.
    """
    return str(getattr(module, "__dict__", {}).get("__file__") or "")
