"""Answers, in a torch without CUDA, what torch's C++ asks CUDA about attention. For good: only a process that does nothing
else comes here.

GIVES: `Answer.backend` is what the next call of ``scaled_dot_product_attention`` takes.
NEEDS: the exported ``at::native::_fused_sdp_choice_stub`` and the order of pointers in ``DispatchStubImpl`` (CPU, then
CUDA; the same from 2.11 to 2.15), the Itanium C++ ABI.
"""

import ctypes
from typing import Any

from compiler.engine.torch_internals.fake_gpu.attention_choice import BACKENDS, MATH
from compiler.engine.torch_internals.fake_gpu.device_guard import GuardError, torch_library

_STUB = "_ZN2at6native22_fused_sdp_choice_stubE"
_CUDA_POINTER, _HIP_POINTER = 1, 2


class Answer:
    """What C++ is told."""

    def __init__(self) -> None:
        self.backend: int | None = None
        """For the next call; None where nobody chose: of a tensor that is not on the GPU."""
        self.asked: Any = ctypes.CFUNCTYPE(ctypes.c_int64)(self.take)
        """What C++ points to must outlive it. Its arguments are of no use: Python saw the tensors just before."""

    def take(self) -> int:
        """Once."""
        backend, self.backend = self.backend, None
        return BACKENDS[MATH] if backend is None else backend


def install_answer() -> Answer:
    """Plant the function that torch asks. Raises GuardError where torch keeps it elsewhere."""
    answer = Answer()
    try:
        cells = (ctypes.c_void_p * 3).in_dll(torch_library("libtorch_cpu.so"), _STUB)
    except (OSError, ValueError) as error:
        raise GuardError(str(error)) from error
    for place in (_CUDA_POINTER, _HIP_POINTER):
        cells[place] = ctypes.cast(answer.asked, ctypes.c_void_p).value
    return answer
