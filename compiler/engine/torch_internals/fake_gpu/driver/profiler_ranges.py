"""Ranges for NVIDIA's profiler, in a torch for the CPU, which refuses them.

GIVES: programs that mark ranges go on.
NEEDS: ``torch.cuda.nvtx`` and the five functions of ``torch._C._nvtx``.
"""

import types

import torch.cuda.nvtx

from compiler.engine.torch_internals.fake_gpu.bound_early import Replaced, put

_NUMBERED = ("rangePushA", "rangePop", "rangeStartA")
"""Functions that give a number."""
_SILENT = ("rangeEnd", "markA", "deviceRangeStart", "deviceRangeEnd")


def install() -> list[Replaced]:
    """Mark nothing, where torch has only refusals."""
    ranges: object = torch.cuda.nvtx._nvtx
    if isinstance(ranges, types.ModuleType):
        return []
    answers = {name: (lambda *_: 0) for name in _NUMBERED} | {name: (lambda *_: None) for name in _SILENT}
    return [put(torch.cuda.nvtx, "_nvtx", types.SimpleNamespace(**answers))]
