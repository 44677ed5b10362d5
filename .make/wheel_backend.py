"""Build backend: the wheel has one top-level package, `torch_loupe`; the repository keeps `app`, `compiler`, `resources`.

Editable installs and sdists are setuptools' own. A wheel is built from a copy of the tree in which the three folders stand
below `torch_loupe`, with our modules' names spelt so (`own_names`).
"""

import base64
import contextlib
import hashlib
import os
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from own_names import MOVED, PACKAGE, module_names, renamed
from setuptools import build_meta
from setuptools.build_meta import (
    build_editable,
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

Settings = dict[str, str | list[str] | None] | None
_START_HOOK = (
    b"import os; os.environ.get('LOUPE') and "
    b"__import__('torch_loupe.compiler.recorder.waiting', fromlist=['wait']).wait_for_torch()\n"
)
_NOT_STAGED = shutil.ignore_patterns("__pycache__")


def build_wheel(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    """PEP 517: write the wheel, give its file's name."""
    target = str(Path(wheel_directory).resolve())
    with _staged():
        name: str = build_meta.build_wheel(target, config_settings)
    add_start_hook(Path(target, name))
    return name


def add_start_hook(wheel: Path) -> None:
    """Put a file beside the package that Python reads at its start: with ``LOUPE`` set, it waits for torch."""
    kept = wheel.with_suffix(".part")
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as new:
        for row in old.infolist():
            content = old.read(row)
            if row.filename.endswith(".dist-info/RECORD"):
                digest = base64.urlsafe_b64encode(hashlib.sha256(_START_HOOK).digest()).rstrip(b"=").decode()
                content = f"{PACKAGE}.pth,sha256={digest},{len(_START_HOOK)}\n".encode() + content
            new.writestr(row, content)
        new.writestr(f"{PACKAGE}.pth", _START_HOOK)
    kept.replace(wheel)


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Settings = None) -> str:
    """PEP 517: write the metadata, give its folder's name."""
    target = str(Path(metadata_directory).resolve())
    with _staged():
        name: str = build_meta.prepare_metadata_for_build_wheel(target, config_settings)
    return name


def stage(root: Path, folder: Path) -> None:
    """Copy the tree as the wheel has it. `resources` are read as files and import nothing of ours; they stay as they are."""
    known = module_names(root)
    shutil.copytree(root / PACKAGE, folder / PACKAGE, ignore=_NOT_STAGED)
    for name in MOVED:
        shutil.copytree(root / name, folder / PACKAGE / name, ignore=_NOT_STAGED)
    for path in (folder / PACKAGE).rglob("*.py"):
        if "resources" not in path.relative_to(folder).parts:
            text = path.read_text(encoding="utf-8")
            path.write_text(renamed(text, known, str(path.relative_to(folder))), encoding="utf-8")
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(root / name, folder / name)


@contextlib.contextmanager
def _staged() -> Iterator[None]:
    """Work in the copy: a backend is called in the folder of the project."""
    root = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="loupe-wheel-") as folder:
        stage(root, Path(folder))
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(root)
