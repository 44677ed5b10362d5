"""The environment that this process was started with: what a program changes of it is nothing for the processes that are
started later. One that executes the program changes it again by itself.
"""

import os
from collections.abc import Mapping

_first: dict[str, str] = {}


def remember_environment() -> None:
    """Take it as it is now, before any program runs."""
    _first.clear()
    _first.update(os.environ)


def first_environment() -> Mapping[str, str]:
    """As it was then; as it is now in a process that never remembered."""
    return dict(_first or os.environ)


def without_secrets(environment: Mapping[str, str]) -> dict[str, str]:
    """Only what Python, torch, Triton and compilers are set up with: what code of a file may read has no tokens and no keys
    in it.
    """
    return {
        name: value
        for name, value in environment.items()
        if name in _SETUP
        or (name.startswith(_SETUP_OF) and not any(word in name.upper() for word in _SECRET))
    }


_SETUP = frozenset(
    (
        "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "LIBRARY_PATH",
        "CPATH", "CC", "CXX", "VIRTUAL_ENV", "CONDA_PREFIX", "SYSTEMROOT",
    )
)  # fmt: skip
_SETUP_OF = (
    "LC_", "PYTHON", "TORCH", "PYTORCH", "TRITON", "CUDA", "HIP", "ROCM", "OMP_", "GOMP_", "KMP_", "MKL_", "OPENBLAS_",
    "LOUPE_", "XDG_", "DYLD_", "C_INCLUDE", "CPLUS_INCLUDE",
)  # fmt: skip
_SECRET = ("TOKEN", "KEY", "SECRET", "PASSWORD", "CREDENTIAL", "AUTH")
