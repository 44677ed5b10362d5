"""Hook: the command that Inductor builds a C++ kernel with."""

import shlex
from collections.abc import Sequence

from torch._inductor.cpp_builder import CppBuilder, CppTorchDeviceOptions
from torch._inductor.cpu_vec_isa import pick_vec_isa

GIVES = "assembly of C++ kernels"
NEEDS = (
    "torch._inductor.cpp_builder:CppBuilder",
    "torch._inductor.cpp_builder:CppTorchDeviceOptions",
    "torch._inductor.cpu_vec_isa:pick_vec_isa",
)

SOURCE_ENDING = ".main.cpp"
"""Of the file of a kernel that is built into a library."""


def kernel_source(words: Sequence[str]) -> str | None:
    """The source file of the kernel that a command builds and links; None for every other command."""
    return (
        next((word for word in words if word.endswith(SOURCE_ENDING)), None) if "-shared" in words else None
    )


def without_linking(words: Sequence[str]) -> list[str]:
    """What of a command says how to compile."""
    return [word for word in words if word != "-shared" and not word.startswith(("-l", "-L", "-Wl"))]


def object_command(source: str, output: str, folder: str) -> list[str]:
    """The words of the command that compiles a source file to an object file as Inductor would, with full debug
    information, which changes no instruction.
    """
    options = CppTorchDeviceOptions(vec_isa=pick_vec_isa(), device_type="cpu")
    builder = CppBuilder(name="kernel", sources=source, BuildOption=options, output_dir=folder)
    words = shlex.split(builder.get_command_line())
    place = words.index("-o")
    kept = without_linking([*words[:place], *words[place + 2 :]])
    return [*kept, "-w", "-c", "-g2", "-o", output]
