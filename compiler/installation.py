"""Where our own modules are: beside one another in a checkout, below `torch_loupe` when installed. Our processes are started by it."""

import os
import site
from pathlib import Path

_ABOVE = tuple(__name__.split(".")[:-2])
"""Nothing in a checkout; the wheel's one top-level package when installed."""
INSTALLED = bool(_ABOVE)
"""Whether we stand below `torch_loupe`; else this is a checkout."""
HOME = Path(__file__).resolve().parents[1]
"""The folder that holds `app`, `compiler` and `resources`."""
IMPORT_ROOT = HOME.parents[len(_ABOVE) - 1] if _ABOVE else HOME
"""The folder that must be among Python's, so that ours are found."""
OUR_PACKAGES = _ABOVE or ("app", "compiler", "resources", "torch_loupe")
"""What ours are called at the top level."""
RESOURCES = HOME / "resources"


def our_files() -> tuple[Path, ...]:
    """Our packages: the folders that hold all we load."""
    return (HOME,) if INSTALLED else tuple(HOME / package for package in OUR_PACKAGES)


def python_path(inherited: str | None) -> str:
    """``PYTHONPATH`` for a process of ours, before what was inherited.

    A folder of installed packages is found anyway; first on the path, it would put them before Python's own modules.
    """
    ours = () if _found_anyway() else (str(IMPORT_ROOT),)
    return os.pathsep.join((*ours, *filter(None, [inherited])))


def _found_anyway() -> bool:
    folders = (*site.getsitepackages(), site.getusersitepackages())
    return IMPORT_ROOT in {Path(folder).resolve() for folder in folders}
