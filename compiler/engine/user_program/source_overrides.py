"""Loading files of the user's with another text than is on disk, and always afresh.

A file that is to be different is loaded from the text given, under its own path, so that tracebacks, Dynamo's records
and our source stage all speak of the same lines. Nothing is written, not even bytecode.
"""

import importlib.machinery
import importlib.util
import linecache
import os
import sys
import types
from collections.abc import Mapping, Sequence
from pathlib import Path

from compiler.engine.file_ownership import file_of, is_reloaded

_texts: dict[str, str] = {}
_before: set[str] = set()


def use_texts(texts: Mapping[str, str]) -> None:
    """From now on load these paths from these texts, every other file from disk, and forget what the last program
    imported of the user's, since it may have been edited.
    """
    for path in _texts:
        linecache.cache.pop(path, None)
    _texts.clear()
    _texts.update({str(Path(path).resolve()): text for path, text in texts.items()})
    for path in [path for path in list(linecache.cache) if is_reloaded(path)]:
        linecache.checkcache(path)  # or Dynamo would tell lines of the file as it was before it was saved
    for path, text in _texts.items():  # no time of change: linecache then never asks the disk
        linecache.cache[path] = (len(text), None, text.splitlines(keepends=True), path)
    sys.dont_write_bytecode = (
        True  # its time has whole seconds: a file saved twice in one would be loaded as it was
    )
    _forget_users_modules()
    if _FINDER not in sys.meta_path:
        sys.meta_path.insert(0, _FINDER)
    _before.clear()
    _before.update(sys.modules)


_NAMELESS = "<string>"
"""What all code has that ``exec``, dataclasses and namedtuples make. Python 3.13 keeps a text by it, that of ``python -c``."""


def text_of(path: str) -> str | None:
    """The text active for a file, or for code that was generated: whoever generates some can leave its text where
    Python's own tracebacks look for it. None where it is not known.
    """
    if path in _texts:
        return _texts[path]
    if os.path.isabs(path):
        try:
            return Path(path).read_text(encoding="utf-8", errors="replace")
        except OSError:
            pass  # a cell of a notebook has a path, and no file
    if path == _NAMELESS:
        return None
    return "".join(linecache.getlines(path)) or None


def file_spec(name: str, path: Path) -> importlib.machinery.ModuleSpec | None:
    """How to load a file as a module of that name."""
    text = _texts.get(str(path))
    loader = _TextLoader(name, str(path)) if text is not None else None
    return importlib.util.spec_from_file_location(name, path, loader=loader)


def _forget_users_modules() -> None:
    met = [name for name in sys.modules.copy() if _before and name not in _before]
    for name in [name for name in met if any(map(is_reloaded, _files_of(sys.modules[name])))]:
        del sys.modules[name]


def _files_of(module: types.ModuleType) -> list[str]:
    """A module's file. A folder without ``__init__.py`` is a package too, and has none: any file in it. It finds its folder by
    the package above, so it must not stay when that is forgotten.
    """
    file = file_of(module)
    folders = getattr(module, "__dict__", {}).get("__path__", ())
    return [file] if file else [str(Path(folder, "any.py")) for folder in folders]


class _TextLoader(importlib.machinery.SourceFileLoader):
    """Compiles the text active; bytecode on disk is of the file's own text and is neither read nor written."""

    def get_code(self, fullname: str) -> types.CodeType:
        return self.source_to_code(_texts[self.path].encode(), self.path)

    def get_source(self, fullname: str) -> str:
        return _texts[self.path]


class _ChangedFiles:
    """Gives modules whose file has another text to the loader of texts."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if not _texts:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is None or spec.origin not in _texts:
            return None
        spec.loader = _TextLoader(name, spec.origin)
        return spec


_FINDER = _ChangedFiles()
