"""Hook: the command that Inductor builds a C++ kernel with."""

import shlex

from torch._inductor.cpp_builder import CppBuilder, CppTorchDeviceOptions
from torch._inductor.cpu_vec_isa import pick_vec_isa

GIVES = "assembly of C++ kernels"
NEEDS = (
    "torch._inductor.cpp_builder:CppBuilder",
    "torch._inductor.cpp_builder:CppTorchDeviceOptions",
    "torch._inductor.cpu_vec_isa:pick_vec_isa",
)


def object_command(source: str, output: str, folder: str) -> list[str]:
    """The words of the command that compiles a source file to an object file as Inductor would, with full debug
    information, which changes no instruction.
    """
    options = CppTorchDeviceOptions(vec_isa=pick_vec_isa(), device_type="cpu")
    builder = CppBuilder(name="kernel", sources=source, BuildOption=options, output_dir=folder)
    words = shlex.split(builder.get_command_line())
    place = words.index("-o")
    words = [*words[:place], *words[place + 2 :]]
    kept = [word for word in words if word != "-shared" and not word.startswith(("-l", "-L", "-Wl"))]
    return [*kept, "-w", "-c", "-g2", "-o", output]
