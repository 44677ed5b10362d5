"""What a process has that compiles for a GPU, or without values, and runs nothing. Loads Dynamo, so it comes after the pretending."""

from collections.abc import Mapping

from compiler.engine.torch_internals.fake_gpu import (
    constants_on_gpu,
    library_operators,
    measured_choices,
    operators_of_cuda,
)
from compiler.engine.torch_internals.inductor_kernels import unbuilt_cpp
from compiler.engine.torch_internals.triton import unbuilt_triton
from compiler.model.ir.gpu_target import GpuTarget


def only_compile(target: GpuTarget | None, assume: Mapping[str, str]) -> None:
    """For good: nothing is built, and what would be asked of the GPU, its libraries or a measurement is answered here. `assume`: what to
    take where it would be measured.
    """
    unbuilt_triton.install()
    unbuilt_cpp.install()
    if target is not None:
        measured_choices.install(target, assume)
        constants_on_gpu.install()
        operators_of_cuda.install()
        library_operators.install(target)
