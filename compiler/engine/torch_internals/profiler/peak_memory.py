"""Most memory that a run has allocated at a time, above what was there when it began."""

from collections.abc import Callable

import torch

from compiler.engine.torch_internals.profiler.step_profile import profile_step


def peak_memory(run: Callable[[], object], on_gpu: bool) -> int | None:
    """Bytes, as torch's allocator of the GPU, or of the CPU, gave them out; None where this torch's profiler sees none."""
    if on_gpu:
        torch.cuda.synchronize()
        before = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        run()
        torch.cuda.synchronize()
        return torch.cuda.max_memory_allocated() - before
    held = most = 0
    changes = profile_step(run).memory
    for _, count in changes:
        held += count
        most = max(most, held)
    return most if changes else None
