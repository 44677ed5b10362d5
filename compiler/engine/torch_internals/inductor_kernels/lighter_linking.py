"""Hook: kernels are linked without reading torch's own libraries.

Inductor links each C++ kernel with torch's libraries, and the linker reads all of their hundreds of thousands of symbols
each time: half of what linking takes, 8 % of the build of a kernel, more while the libraries are not in the page cache. A
shared library may leave names to be found when it is loaded, so empty libraries of the same names do: the machine code
and the list of libraries are the same. gold, where it is installed, links them in a third of the time of ld.
"""

import contextlib
import functools
import os
import shlex
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from torch._inductor.exc import CppCompileError
from torch._inductor.runtime.cache_dir_utils import cache_dir

from compiler.engine.records.recorder import Recorder
from compiler.engine.torch_internals.inductor_kernels.kernel_commands import kernel_source
from compiler.engine.torch_internals.patch.patching import around
from compiler.processes.own_tools import find_tool, run_tool

GIVES = "kernels linked without reading torch's libraries"
NEEDS = (
    "torch._inductor.cpp_builder:run_compile_cmd",
    "torch._inductor.runtime.cache_dir_utils:cache_dir",
)
_LIBRARIES = Path(torch.__file__).parent / "lib"
_MAKING = threading.Lock()
_NOT_LINKED = ("ld returned", "linker command failed", "collect2")


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """While this is entered, kernels are linked so. Where that fails, they are linked as torch says."""

    def run(command: str, *args: Any, original: Any, **kwargs: Any) -> Any:
        lighter = ""
        with recorder.reading("how kernels are linked"):
            lighter = _lighter(command)
        if lighter:
            try:
                return original(lighter, *args, **kwargs)
            except CppCompileError as error:
                if not any(words in str(error) for words in _NOT_LINKED):
                    raise
        return original(command, *args, **kwargs)

    if sys.platform != "linux":
        yield
        return
    with around(NEEDS[0], run):
        yield


def _lighter(command: str) -> str:
    """The command with empty libraries to be found first; empty for one that links no kernel."""
    words = shlex.split(command)
    names = tuple(
        sorted(
            {
                word.removeprefix("-l")
                for word in words
                if word.startswith("-l") and (_LIBRARIES / f"lib{word.removeprefix('-l')}.so").exists()
            }
        )
    )
    if not names or kernel_source(words) is None:
        return ""
    with _MAKING:
        folder = _empty_libraries(words[0], names, cache_dir())
    compiler, _, rest = command.partition(" ")
    quick = "-fuse-ld=gold " if find_tool("ld.gold") else ""
    return f"{compiler} {quick}-Wl,--no-as-needed -L{shlex.quote(folder)} {rest}"


@functools.cache
def _empty_libraries(compiler: str, names: tuple[str, ...], cache: str) -> str:
    """A folder of libraries without any code. Raises CalledProcessError or OSError."""
    folder = Path(cache) / "loupe_empty_libraries"
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        path = folder / f"lib{name}.so"
        if path.exists():
            continue
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            made = f"{scratch}/made.so"
            command = (compiler, "-shared", "-nostdlib", f"-Wl,-soname,lib{name}.so", "-o", made)
            run_tool((*command, "-x", "c++", os.devnull)).check_returncode()
            Path(made).replace(path)
    return str(folder)
