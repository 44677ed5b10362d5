"""Hook: what the C++ compiler makes appears under its name only once it is whole.

Inductor takes a file that is there for a kernel that is built. A build that was cancelled or killed while the linker wrote
would leave half a library, which is then loaded by every later compile with the same kernel.

gold writes the name of its output into a library, before the code. So that the code lies where it would lie without us, the
name is as long as the one that is wanted: 16 bytes further on, the same loop took 9 % longer.
"""

import contextlib
import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from torch._inductor.exc import CppCompileError

from compiler.engine.records.recorder import Recorder
from compiler.engine.torch_internals.patch.patching import around
from compiler.processes.own_tools import find_tool
from compiler.processes.private_folder import scratch_place

GIVES = "kernels whole, or not at all"
NEEDS = ("torch._inductor.cpp_builder:run_compile_cmd",)


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """While this is entered, the compiler writes beside the file that is wanted, which then takes its place; and its temporary
    files into our client's folder, since it cannot remove them when it is killed with us.
    """

    def run(command: str, *args: Any, original: Any, **kwargs: Any) -> Any:
        wanted = _output_of(command)
        if wanted is None:
            return original(_in_scratch_place(command), *args, **kwargs)
        unfinished = _unfinished(wanted)
        try:
            result = original(_in_scratch_place(_with_output(command, unfinished)), *args, **kwargs)
            unfinished.replace(wanted)
        except CppCompileError as error:  # torch's own command can be tried by hand
            raise CppCompileError(shlex.split(command), error.output) from error
        finally:
            unfinished.unlink(missing_ok=True)
        return result

    with around(NEEDS[0], run):
        yield


def _unfinished(wanted: Path) -> Path:
    """Of this process. The ending stays, since compilers go by it, and so does the length of a name that has room."""
    mark = f".{os.getpid():07x}.unfinished"
    stem = wanted.stem[: -len(mark)] if len(wanted.stem) > 2 * len(mark) else wanted.stem
    return wanted.with_name(f"{stem}{mark}{wanted.suffix}")


def _output_of(command: str) -> Path | None:
    words = shlex.split(command)
    at = words.index("-o") + 1 if words.count("-o") == 1 else len(words)
    return Path(words[at]) if at < len(words) and Path(words[at]).is_absolute() else None


def _with_output(command: str, path: Path) -> str:
    words = shlex.split(command)
    words[words.index("-o") + 1] = str(path)
    return shlex.join(words)


def _in_scratch_place(command: str) -> str:
    """Set for the compiler alone: a program may make files that are to stay."""
    place, setter = scratch_place(), find_tool("env")
    return (
        command if place is None or setter is None else f"{shlex.join((setter, f'TMPDIR={place}'))} {command}"
    )
