"""What code in a sandbox may read: Python, its packages, ours, and the system's libraries, compilers and facts about the
machine. Nobody's home, and no other process.
"""

import importlib.util
import os
import site
import sys
from collections.abc import Iterator
from pathlib import Path

_SYSTEM = (
    "/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/nix/store", "/gnu/store", "/opt/rocm", "/opt/cuda",
    "/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/ld.so.preload", "/etc/localtime",
    "/etc/nsswitch.conf", "/etc/passwd", "/etc/os-release", "/sys/devices/system", "/sys/fs/cgroup", "/proc/cpuinfo",
    "/proc/meminfo", "/proc/stat", "/proc/filesystems", "/proc/mounts", "/proc/sys/kernel", "/proc/sys/vm",
    "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom",
)  # fmt: skip
_PACKAGES = ("torch", "triton", "numpy", "msgspec", "sympy", "networkx")
"""Where one is not among the installed ones, but linked from elsewhere."""


def readable_places() -> tuple[Path, ...]:
    """Files and folders with all that is below them; those that are there."""
    found = dict.fromkeys(path.resolve() for path in _places() if path.exists())
    return tuple(path for path in found if path not in _TOO_WIDE)


def _holds_packages(entry: str) -> bool:
    """Whether packages were installed into a folder of Python's path (``pip install --target``), as their records show."""
    if entry.endswith(("site-packages", "dist-packages", ".zip")):
        return True
    return next(Path(entry).glob("*.dist-info/RECORD"), None) is not None


_TOO_WIDE = (Path("/"), Path.home(), Path.home().parent)


def _places() -> Iterator[Path]:
    yield from map(Path, _SYSTEM)
    yield Path(f"/proc/{os.getpid()}")
    if sys.prefix != sys.base_prefix:
        yield Path(sys.prefix)
    yield from (Path(sys.base_prefix, part) for part in ("bin", "include", "lib", "lib64", "share"))
    yield from (Path(sys.prefix, part) for part in ("bin", "include", "lib", "lib64", "share"))
    yield from map(Path, (*site.getsitepackages(), site.getusersitepackages()))
    yield from (Path(entry) for entry in sys.path if entry and _holds_packages(entry))
    for package in _PACKAGES:
        spec = importlib.util.find_spec(package)
        yield from map(Path, (spec.submodule_search_locations or ()) if spec is not None else ())
    yield from (
        Path(entry) for entry in os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep) if entry[:1] == "/"
    )
