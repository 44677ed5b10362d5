"""Kernels linked without reading torch's libraries: the same machine code, the same libraries, faults told by torch."""

import re
import shutil
import sys
import uuid
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import pytest
import torch
from torch._inductor.codecache import CppPythonBindingsCodeCache
from torch._inductor.exc import CppCompileError

from compiler.engine.records.recorder import Recorder
from compiler.engine.torch_internals.inductor_kernels import lighter_linking
from compiler.engine.torch_internals.patch.patching import around
from tests.helpers.finished_process import ran

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or not shutil.which("objdump"), reason="libraries are looked into with objdump"
)
_CODE = ("-d", "--section=.text", "--no-show-raw-insn", "--no-addresses")
"""Instructions with names in the place of addresses, which depend on the order of what is found elsewhere."""
KERNEL = """
#include <torch/csrc/inductor/cpp_prefix.h>
extern "C" void kernel(const float* in_ptr0, float* out_ptr0)
{
    for (int64_t x0 = 0; x0 < 64; x0 += 1)
        at::vec::Vectorized<float>(in_ptr0[x0]).exp().store(out_ptr0 + x0, 1);
}
"""


def build(lighter: bool, source: str) -> tuple[Callable[..., Any], list[str]]:
    """A kernel that was never built before, and the commands that were run for it."""
    recorder, commands = Recorder(), list[str]()

    def noting(command: str, *args: Any, original: Any, **kwargs: Any) -> Any:
        commands.append(command)
        return original(command, *args, **kwargs)

    with (
        around(lighter_linking.NEEDS[0], noting),
        lighter_linking.listen(recorder) if lighter else nullcontext(),
    ):
        fresh = f"{source}// {uuid.uuid4()}\n"
        try:
            return CppPythonBindingsCodeCache.load_pybinding(["const float*", "float*"], fresh), commands
        finally:
            assert recorder.faults == []


def dump(command: str, *options: str) -> list[str]:
    path = command.partition(" -o ")[2].split()[0]
    text = ran(["objdump", *options, path], check=True).stdout
    text = re.sub(r"-?0x[0-9a-f]+\(%rip\)", "(%rip)", text)
    text = re.sub(r"_GLOBAL__sub_I_\w+", "_GLOBAL__sub_I", text)  # named after the file
    return [line for line in text.split("\n") if path not in line]


def functions(lines: list[str]) -> dict[str, list[str]]:
    """Instructions of each symbol without what fills the gap behind it, which linkers choose."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in (line.partition("#")[0].strip() for line in lines):
        if line.startswith("<") and line.endswith(">:"):
            name = line
        elif name and line:
            found.setdefault(name.strip("<>:"), []).append(line)
    for code in found.values():
        while code and re.search(r"\bnop|^xchg +%ax,%ax|^add +%al,\(%rax\)|^\.\.\.$|^int3", code[-1]):
            code.pop()
    return found


@pytest.mark.thorough
def test_machine_code_and_libraries_are_the_same() -> None:
    found = []
    for lighter in (False, True):
        kernel, commands = build(lighter, KERNEL)
        x, y = torch.linspace(-1, 1, 64), torch.empty(64)
        kernel(x, y)
        torch.testing.assert_close(y, x.exp())
        assert ("loupe_empty_libraries" in commands[-1]) is lighter
        found.append(commands[-1])
    # what stands where beside the code depends on the length of names; objdump tells it behind a #
    plain, light = (functions(dump(command, *_CODE)) for command in found)
    assert {"kernel", "PyInit_kernel"} <= plain.keys()
    assert plain == light
    plain, light = (
        sorted(line for line in dump(command, "-p") if "NEEDED" in line and "libtorch" in line)
        for command in found
    )
    assert light and set(plain) <= set(light)  # noqa: PT018


def test_what_the_compiler_says_is_said_once() -> None:
    with pytest.raises(CppCompileError, match="no_such_name") as caught:
        build(True, KERNEL.replace("in_ptr0[x0]", "no_such_name"))
    assert caught.value.__context__ is None or not isinstance(caught.value.__context__, CppCompileError)


def test_other_commands_are_left_alone() -> None:
    assert lighter_linking._lighter("g++ /a/b.cpp -c -o /a/b.o") == ""
    assert lighter_linking._lighter("g++ /a/b.main.cpp -shared -o /a/b.so -lgomp") == ""
