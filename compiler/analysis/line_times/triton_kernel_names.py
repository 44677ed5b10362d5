"""Triton kernels of a capture by what and where they compute, each with how often the program calls it.

A kernel is written once and called by every layer that computes the same: it is named by its first call.
"""

import msgspec

from compiler.analysis.line_times.kernel_names import kernel_names
from compiler.analysis.line_times.kernel_origins import kernel_origins
from compiler.model.capture.capture import Capture
from compiler.model.gpu.lowered_stages import triton_kernels
from compiler.model.ir.ids import Place, place
from compiler.model.ir.links import Provenance
from compiler.model.ir.stage import StageKind


class TritonKernelName(msgspec.Struct, frozen=True):
    """How one kernel is called on screen."""

    text: str
    """``silu+mul · activations.py:103 · layers.0.mlp``; torch's own name where nothing is known."""
    calls: int
    """In all graphs of the capture, each run once."""


def triton_kernel_names(
    capture: Capture, provenance: Provenance | None = None
) -> dict[str, TritonKernelName]:
    """By torch's name, for all that `triton_kernels` gives; no two texts are alike."""
    wanted = {kernel.name for kernel in triton_kernels(capture)}
    called: dict[str, list[Place]] = {}
    for stage in capture.of_kind(StageKind.KERNELS):
        for kernel in stage.kernels:
            if kernel.name in wanted:
                called.setdefault(kernel.name, []).append(place(stage.id, kernel.id))
    first = [(places[0], name) for name, places in called.items()]
    texts = kernel_names(first, kernel_origins(capture, (location for location, _ in first), provenance))
    return {name: TritonKernelName(texts[location], len(called[name])) for location, name in first}
