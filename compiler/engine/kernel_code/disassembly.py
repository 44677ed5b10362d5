"""The instructions that a C++ compiler makes of a kernel, each with the source line it belongs to."""

import re
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from compiler.engine.errors import EngineError
from compiler.engine.torch_internals.inductor_kernels.kernel_commands import object_command
from compiler.model.gpu.disassembly import AssemblyListing, Instruction
from compiler.model.ir.diagnostics import Problem
from compiler.processes.own_tools import find_tool, run_tool
from compiler.processes.private_folder import scratch_place

_FUNCTION = re.compile(r"^[0-9a-f]+ <(?P<name>[^>]+)>:$")
_PLACE = re.compile(r"^(?:inlined by )?(?P<path>/.*):(?P<line>\d+)(?: \(.*\))?$")
_CODE = re.compile(r"^ *(?P<offset>[0-9a-f]+):\t(?P<text>.*)$")
_WIDTHS = (("zmm", 512), ("ymm", 256))
_PACKED = re.compile(r"^v?(p|mov[au]p|(add|sub|mul|div|sqrt|max|min|and|or|xor|unpck|shuf|cvt)\w*p[sd])")


def assemble(source: str) -> AssemblyListing:
    """Compile a kernel's source and read the object file. Raises EngineError with the compiler's words."""
    objdump = find_tool("objdump")
    if objdump is None:
        raise EngineError("There is no objdump.", "Install binutils (Debian: apt install binutils).")
    started = time.perf_counter()
    with tempfile.TemporaryDirectory(dir=scratch_place()) as folder:
        path, made = Path(folder, "kernel.cpp"), Path(folder, "kernel.o")
        path.write_text(source, encoding="utf-8")
        command = object_command(str(path), str(made), folder)
        build = _compiled(command)
        if build.returncode:
            fault = next((line for line in build.stderr.split("\n") if "error" in line), build.stderr[:300])
            raise EngineError(
                f"The kernel does not compile: {fault.replace(f'{path}:', 'line ')}",
                "Correct its source.",
                detail=build.stderr,
            )
        listing = run_tool([objdump, "-d", "-l", "--inlines", "--no-show-raw-insn", str(made)])
        if listing.returncode:
            raise EngineError(f"objdump failed: {listing.stderr[:300]}", "Update binutils.")
        found = tuple(read_listing(listing.stdout, str(path)))
    text = " ".join(word.replace(folder, "") for word in command)
    return AssemblyListing(found, text, time.perf_counter() - started)


def _compiled(command: list[str]) -> "subprocess.CompletedProcess[str]":
    try:
        return run_tool(command)
    except OSError as error:
        problem = Problem(
            f"The C++ compiler {command[0]} cannot be run: {error.strerror}.",
            "Install it, or put it on the PATH before you start Torch Loupe.",
        )
        raise EngineError(problem) from error


def read_listing(text: str, path: str) -> Iterator[Instruction]:
    """The functions called ``kernel…`` in what objdump wrote. An instruction inlined from a header belongs to the line of
    the kernel that it was inlined into.
    """
    inside, line, fresh = False, None, True
    for row in text.split("\n"):
        function, place, code = _FUNCTION.match(row), _PLACE.match(row), _CODE.match(row)
        if function is not None:
            inside = function["name"].startswith("kernel")
            line = None
            if inside:
                yield Instruction(f"{function['name']}:")
        elif not inside:
            continue
        elif place is not None:
            # a group of places ends with the outermost; a new group begins behind an instruction
            if fresh:
                line = None
            fresh = False
            if place["path"] == path:
                line = int(place["line"])
        elif code is not None:
            words = " ".join(code["text"].split("#")[0].split())
            fresh = True
            yield Instruction(f"{code['offset']:>5}  {words}", line, _bits(words))


def _bits(text: str) -> int:
    """Width of the vectors an instruction works on. A whole xmm register is one where the instruction is packed."""
    for name, width in _WIDTHS:
        if f"%{name}" in text:
            return width
    return 128 if "%xmm" in text and _PACKED.match(text) else 0
