"""The shortest time that a GPU's datasheet allows for a kernel. Never a time: real kernels take 1.2 to 3 times as long."""

from compiler.analysis.timing.kernel_work import KernelWork
from compiler.model.ir.gpu_target import GpuTarget

_HALF = ("float16", "bfloat16")


def roofline_bound(work: KernelWork, target: GpuTarget) -> float | None:
    """Seconds for moving its bytes at the memory's bandwidth, or for its operations at the peak for its type, whichever
    is more; None where its bytes are not known.

    Bytes are Inductor's own count, each buffer once; operations are those of matrix products and loop bodies.
    """
    if not work.bytes:
        return None
    full = target.flops_tf32 if work.tf32 and not target.is_amd else target.flops_fp32
    peak = target.flops_half if work.dtype in _HALF else full
    computing = work.flops / peak if work.flops and peak else 0.0
    return max(work.bytes / target.bandwidth, computing)
