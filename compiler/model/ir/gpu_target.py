"""GPUs that a program can be compiled for on a machine that has none: what Inductor and Triton ask a device about.

Figures are the makers' (datasheets and `cudaGetDeviceProperties`); peaks are dense, without sparsity.
"""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from compiler.model.ir.diagnostics import UNREADABLE


class GpuTarget(msgspec.Struct, frozen=True):
    """One GPU."""

    id: str
    """As one types it: ``h100``."""
    name: str
    """As the driver calls it; it is part of what Inductor caches by."""
    major: int
    minor: int
    """Compute capability; for AMD the digits of the architecture."""
    multi_processors: int
    memory_bytes: int
    bandwidth: float
    """Bytes a second of device memory."""
    shared_bytes: int
    """Most shared memory that one block can ask for."""
    shared_bytes_per_multi_processor: int
    l2_bytes: int
    threads_per_multi_processor: int = 2048
    registers_per_multi_processor: int = 65536
    warp_size: int = 32
    architecture: str = ""
    """For AMD: ``gfx942:sramecc+:xnack-``; empty for NVIDIA."""
    flops_fp32: float = 0.0
    flops_tf32: float = 0.0
    flops_half: float = 0.0
    """Peak operations a second in float32, on tensor cores with tf32, and with float16 or bfloat16."""
    source: str = ""
    """Where the figures come from."""

    @property
    def is_amd(self) -> bool:
        """Whether it speaks HIP."""
        return bool(self.architecture)

    @property
    def clock(self) -> int:
        """MHz of the multiprocessors at which NVIDIA's figure for float32 holds: two operations a cycle and lane."""
        lanes = 64 if (self.major, self.minor) == (8, 0) else 128
        return round(self.flops_fp32 / (self.multi_processors * lanes * 2) / 1e6)


_KIB, _MIB, _GIB = 1024, 1024**2, 1024**3

TARGETS: dict[str, GpuTarget] = {
    target.id: target
    for target in (
        GpuTarget(
            "h100", "NVIDIA H100 80GB HBM3", 9, 0, 132, 85_045_870_592, 3.35e12, 227 * _KIB, 228 * _KIB, 50 * _MIB,
            flops_fp32=66.9e12, flops_tf32=494.7e12, flops_half=989.4e12, source="NVIDIA H100 Tensor Core GPU Architecture, SXM5",
        ),
        GpuTarget(
            "h200", "NVIDIA H200", 9, 0, 132, 150_110_011_392, 4.8e12, 227 * _KIB, 228 * _KIB, 60 * _MIB,
            flops_fp32=66.9e12, flops_tf32=494.7e12, flops_half=989.4e12, source="NVIDIA H200 datasheet, SXM",
        ),
        GpuTarget(
            "a100", "NVIDIA A100-SXM4-80GB", 8, 0, 108, 84_987_740_160, 2.039e12, 163 * _KIB, 164 * _KIB, 40 * _MIB,
            flops_fp32=19.5e12, flops_tf32=156e12, flops_half=312e12, source="NVIDIA A100 datasheet, SXM 80 GB",
        ),
        GpuTarget(
            "l4", "NVIDIA L4", 8, 9, 58, 23_580_639_232, 300e9, 99 * _KIB, 100 * _KIB, 48 * _MIB,
            threads_per_multi_processor=1536, flops_fp32=30.3e12, flops_tf32=60e12, flops_half=121e12,
            source="NVIDIA L4 datasheet",
        ),
        GpuTarget(
            "rtx4090", "NVIDIA GeForce RTX 4090", 8, 9, 128, 25_393_692_672, 1.008e12, 99 * _KIB, 100 * _KIB, 72 * _MIB,
            threads_per_multi_processor=1536, flops_fp32=82.6e12, flops_tf32=82.6e12, flops_half=165.2e12,
            source="NVIDIA Ada GPU Architecture, GeForce RTX 4090",
        ),
        GpuTarget(
            "b200", "NVIDIA B200", 10, 0, 148, 191_503_925_248, 8e12, 227 * _KIB, 228 * _KIB, 126 * _MIB,
            flops_fp32=80e12, flops_tf32=1.1e15, flops_half=2.25e15, source="NVIDIA DGX B200 datasheet, one of eight",
        ),
        GpuTarget(
            "mi300x", "AMD Instinct MI300X", 9, 4, 304, 205_822_885_888, 5.3e12, 64 * _KIB, 64 * _KIB, 4 * _MIB,
            warp_size=64, architecture="gfx942:sramecc+:xnack-", flops_fp32=163.4e12, flops_tf32=653.7e12,
            flops_half=1307.4e12, source="AMD Instinct MI300X datasheet",
        ),
    )
}  # fmt: skip

_AT_LEAST_1 = ("multi_processors", "memory_bytes", "bandwidth", "threads_per_multi_processor", "warp_size")


def checked_target(target: GpuTarget) -> GpuTarget:
    """The same, where its fields are what they are said to be and can be computed with. Raises ValueError."""
    msgspec.convert(msgspec.to_builtins(target), GpuTarget)
    for name in _AT_LEAST_1:
        if not getattr(target, name) >= 1:
            raise ValueError(f"its {name} is {getattr(target, name)}, which no GPU has")
    return target


_LARGEST = 1 << 20
"""Bytes of a description that are read."""


def find_target(text: str, known: Mapping[str, GpuTarget] = TARGETS) -> GpuTarget:
    """The known GPU of that id, or the one that a JSON file describes (the fields of `GpuTarget`). Raises ValueError."""
    if text.lower() in known:
        return known[text.lower()]
    path = Path(text)
    if path.suffix == ".json":
        try:
            with path.open("rb") as stream:
                return checked_target(msgspec.json.decode(stream.read(_LARGEST), type=GpuTarget))
        except OSError as error:
            raise ValueError(f"{path} cannot be read: {error.strerror}.") from error
        except UNREADABLE as error:
            raise ValueError(f"{path} describes no GPU: {error}. See {__file__}.") from error
    raise ValueError(
        f"{text!r} is no GPU. Known are {', '.join(known)}; or name a JSON file that describes one."
    )
