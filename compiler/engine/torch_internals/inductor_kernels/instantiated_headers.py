"""Hook: the precompiled header of C++ kernels holds its templates instantiated.

GCC instantiates the templates that a header itself uses at the end of each file that includes it, precompiled or not: the
same half of the work for every kernel. A plug-in of a few lines lets it do that when the header is precompiled. It is done
once for each header, in a folder of ours, while nothing waits for it, and takes the place of torch's only where kernels of the
program have the same machine code with both. Commands and texts stay as torch has them.
"""

import contextlib
import dataclasses
import fcntl
import os
import shlex
import shutil
import subprocess
import sys
import threading
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from torch._inductor import codecache

from compiler.engine.records.recorder import Recorder
from compiler.engine.torch_internals.inductor_kernels.assembly_text import Functions, functions_of
from compiler.engine.torch_internals.inductor_kernels.kernel_commands import (
    SOURCE_ENDING,
    kernel_source,
    without_linking,
)
from compiler.engine.torch_internals.patch.patching import around
from compiler.processes.own_cache import HEADERS
from compiler.processes.spare_time import run_in_spare_time

GIVES = "kernels built without instantiating the header's templates each time"
NEEDS = (
    "torch._inductor.cpp_builder:run_compile_cmd",
    "torch._inductor.codecache:_HEADER_DIR",
)
KERNELS_COMPARED = 8
"""At most so many kernels of a program are built with both headers before one takes the other's place."""

THREAD = "precompiled headers"

_LIMIT_S = 300.0
_SOURCE = """#line 1 "{header}"
{text}
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <sstream>
#include <cstdlib>
#pragma loupe instantiate
"""
"""What GCC says of the header names torch's file, as it does without us. Behind it stands what Inductor includes at the end of
each kernel for its Python binding, which took a tenth of the kernel's time.
"""
_PLUGIN = """\
struct cpp_reader;
struct plugin_name_args { char *base_name; };
extern "C" void register_callback(const char *, int, void (*)(void *, void *), void *);
void c_register_pragma(const char *, const char *, void (*)(cpp_reader *));
void instantiate_pending_templates(int);

static void instantiate(cpp_reader *) { instantiate_pending_templates(0); }
static void pragmas(void *, void *) { c_register_pragma("loupe", "instantiate", instantiate); }

extern "C" {
int plugin_is_GPL_compatible;
int plugin_init(plugin_name_args *info, void *) {
    const int PLUGIN_PRAGMAS = 15;
    register_callback(info->base_name, PLUGIN_PRAGMAS, pragmas, nullptr);
    return 0;
}
}
"""


@dataclasses.dataclass(frozen=True)
class BuiltKernel:
    """The command that built a kernel, and its source, which may be gone when it is built again."""

    words: tuple[str, ...]
    text: str


Builds = dict[Path, list[BuiltKernel]]
"""Kernels by the header that each includes."""


class NotInstantiatedError(Exception):
    """Why torch's header stays."""


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Note which headers kernels are built with; once nothing is compiled any more, those of ours are made again."""
    builds: Builds = {}

    def run(command: str, *args: Any, original: Any, **kwargs: Any) -> Any:
        with recorder.reading("which header a kernel includes"):
            _note(command, builds)
        return original(command, *args, **kwargs)

    if sys.platform != "linux" or os.environ.get(HEADERS) != codecache._HEADER_DIR:
        yield
        return
    with around(NEEDS[0], run):
        yield
    if builds:
        threading.Thread(target=_instantiate_all, args=(builds,), name=THREAD, daemon=True).start()


def _note(command: str, builds: Builds) -> None:
    words = shlex.split(command)
    header = Path(words[words.index("-include") + 1]) if words.count("-include") == 1 else None
    source = kernel_source(words)
    ours = header is not None and header.parent == Path(codecache._HEADER_DIR)
    if (
        source is not None and header is not None and ours and _precompiled(header).exists()
    ):  # clang's have another ending
        known = builds.setdefault(header, [])
        if len(known) < KERNELS_COMPARED and not is_settled(header):
            known.append(BuiltKernel(tuple(words), Path(source).read_text(encoding="utf-8")))


def _instantiate_all(builds: Builds) -> None:
    for header, kernels in builds.items():
        if kernels:
            settle(header, kernels)


def is_settled(header: Path) -> bool:
    """Whether this precompiled header was made again, or it was found out that it cannot be."""
    with contextlib.suppress(OSError):
        return _note_of(header).read_text(encoding="utf-8").startswith(_identity(header))
    return False


def settle(header: Path, kernels: list[BuiltKernel]) -> None:
    """Put the header with templates instantiated in its place, unless a kernel gets other code with it; say which beside it."""
    with contextlib.suppress(OSError), open(f"{header}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # another worker may be at it
        if is_settled(header):
            return
        folder = Path(f"{header}.unfinished")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(mode=0o700)
        try:
            made = _instantiated(header, kernels, folder)
            made.replace(_precompiled(header))
            said = "instantiated"
        except NotInstantiatedError as error:
            said = f"as torch makes it: {error}"
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        _note_of(header).write_text(f"{_identity(header)}\n{said}\n", encoding="utf-8")


def _instantiated(header: Path, kernels: list[BuiltKernel], folder: Path) -> Path:
    """The other precompiled header. Raises NotInstantiatedError and OSError."""
    compiler, *options = _options(kernels[0].words)
    plugin, source, fresh = folder / "plugin.cpp", folder / "source.h", folder / "header.h"
    plugin.write_text(_PLUGIN, encoding="utf-8")
    text = header.read_text(encoding="utf-8")
    source.write_text(_SOURCE.format(header=header, text=text), encoding="utf-8")
    library = folder / "plugin.so"
    _run(compiler, "-O1", "-shared", "-fPIC", str(plugin), "-o", str(library))
    made = Path(f"{fresh}.gch")
    _run(compiler, *options, f"-fplugin={library}", "-w", "-x", "c++-header", str(source), "-o", str(made))
    for kernel in kernels:
        before, after = (_assembly(kernel, path, folder) for path in (header, fresh))
        if before != after:
            raise NotInstantiatedError(f"other machine code of {_different(before, after)}")
    return made


def _assembly(kernel: BuiltKernel, header: Path, folder: Path) -> Functions:
    """The machine code of a kernel that includes a header."""
    compiler, *options = _options(kernel.words)
    source, output = folder / f"kernel{SOURCE_ENDING}", folder / "kernel.s"
    source.write_text(kernel.text, encoding="utf-8")
    included = ("-include", str(header), "-Winvalid-pch", "-Werror=invalid-pch")
    _run(compiler, str(source), *options, *included, "-w", "-S", "-o", str(output))
    return functions_of(output.read_text(encoding="utf-8", errors="replace"))


def _different(before: Functions, after: Functions) -> str:
    names = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    return f"{', '.join(names[:3])}{' and others' if len(names) > 3 else ''}"


def _options(words: Sequence[str]) -> list[str]:
    """The compiler and what of a kernel's command says how to compile it."""
    kept: list[str] = []
    left = iter(without_linking(words))
    for word in left:
        if word in ("-o", "-include"):
            next(left)
        elif not word.endswith(SOURCE_ENDING):
            kept.append(word)
    return kept


def _run(*command: str) -> None:
    """Run a compiler while nothing else is done. Raises NotInstantiatedError with the first error it says, and OSError."""
    try:
        done = run_in_spare_time(command, _LIMIT_S)
    except subprocess.TimeoutExpired as error:
        raise NotInstantiatedError(f"{command[0]} took more than {_LIMIT_S:.0f} s") from error
    if done.returncode:
        lines = [line for line in done.stdout.splitlines() if "error" in line] or [done.stdout.strip()]
        raise NotInstantiatedError(lines[0][:300])


def _precompiled(header: Path) -> Path:
    return Path(f"{header}.gch")


def _note_of(header: Path) -> Path:
    return Path(f"{header}.templates")


def _identity(header: Path) -> str:
    """Of a precompiled header: one that torch makes again is another one, and so is one of another Python or made otherwise.
    Raises OSError.
    """
    found = _precompiled(header).stat()
    return f"{found.st_size} {found.st_mtime_ns} {sys.hexversion:x} {zlib.crc32(_SOURCE.encode()):x}"
