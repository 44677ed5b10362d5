"""How many warps of a kernel a multiprocessor of a GPU can hold at once, of how many it could, and what stands in the way.

Computed from registers, shared memory and warps, never measured. NVIDIA's formula is that of ``cuda_occupancy.h`` in the
CUDA toolkit; the limits are the table "Technical Specifications per Compute Capability" of the CUDA C Programming Guide.
AMD's limits are those of LLVM's "User Guide for AMDGPU Backend" for gfx90a and gfx942.
"""

import msgspec

from compiler.model.ir.lowered_kernel import Lowered

NVIDIA_SOURCE = "cuda_occupancy.h and the CUDA C Programming Guide's table of compute capabilities"
AMD_SOURCE = "LLVM's User Guide for the AMDGPU Backend (gfx942)"
_REGISTER_UNIT, _REGISTERS_A_THREAD, _PARTITIONS = 256, 255, 4
_SHARED_UNIT, _SHARED_RESERVED = 128, 1024
_WARP = 32
_KIB = 1024


class Limits(msgspec.Struct, frozen=True):
    """What one multiprocessor has."""

    warps: int
    blocks: int
    shared_bytes: int
    registers: int = 65536
    """Of 32 bits, for all threads; a block can have as many."""


LIMITS: dict[str, Limits] = {
    "8.0": Limits(64, 32, 164 * _KIB),
    "8.6": Limits(48, 16, 100 * _KIB),
    "8.7": Limits(48, 16, 164 * _KIB),
    "8.9": Limits(48, 24, 100 * _KIB),
    "9.0": Limits(64, 32, 228 * _KIB),
    "10.0": Limits(64, 32, 228 * _KIB),
    "10.3": Limits(64, 32, 228 * _KIB),
    "12.0": Limits(48, 24, 100 * _KIB),
}
"""By compute capability."""

_CDNA_WAVES, _CDNA_SIMDS, _CDNA_REGISTERS, _CDNA_UNIT, _CDNA_LDS = 8, 4, 512, 8, 64 * _KIB
_CDNA = ("gfx90a", "gfx940", "gfx941", "gfx942")


class Occupancy(msgspec.Struct, frozen=True):
    """What fits on one multiprocessor (AMD: compute unit)."""

    blocks: int
    warps: int
    most_warps: int
    limited_by: tuple[str, ...]
    """Which of ``registers``, ``shared memory``, ``warps`` and ``blocks`` no further block would fit for."""
    source: str

    @property
    def share(self) -> float:
        """Warps that fit, of those that could; 1 is full."""
        return self.warps / self.most_warps

    def words(self) -> str:
        """``50%, 32 of 64 warps``."""
        return f"{self.share:.0%}, {self.warps} of {self.most_warps} warps"

    def limits(self) -> str:
        """What stands in the way of more: ``registers``; ``nothing`` where it is full."""
        if not self.blocks:
            return f"not one block fits, for {_listed(self.limited_by)}"
        return _listed(self.limited_by) if self.share < 1 else "nothing"


def occupancy(lowered: Lowered) -> Occupancy | None:
    """What fits of a configuration; None where its GPU is not in the table, or its registers are not known."""
    if lowered.registers is None:
        return None
    if lowered.architecture.startswith("gfx"):
        return _amd(lowered) if lowered.architecture.partition(":")[0] in _CDNA else None
    limits = LIMITS.get(compute_capability(lowered.architecture))
    if limits is None:
        return None
    warps = -(-lowered.threads // _WARP) if lowered.threads else lowered.warps
    return nvidia_occupancy(limits, lowered.registers, lowered.shared_bytes, warps)


def compute_capability(architecture: str) -> str:
    """``sm_90a`` → ``9.0``; empty for what is none."""
    digits = architecture.removeprefix("sm_").rstrip("af")
    return f"{digits[:-1]}.{digits[-1]}" if architecture.startswith("sm_") and len(digits) > 1 else ""


def nvidia_occupancy(limits: Limits, registers: int, shared_bytes: int, warps: int) -> Occupancy:
    """By registers a thread, bytes of shared memory a block, and warps a block."""
    for_warp = _up(max(registers, 1) * _WARP, _REGISTER_UNIT)
    fits = registers <= _REGISTERS_A_THREAD and for_warp * _up(warps, _PARTITIONS) <= limits.registers
    by = {
        "warps": limits.warps // warps,
        "blocks": limits.blocks,
        "registers": limits.registers // _PARTITIONS // for_warp * _PARTITIONS // warps if fits else 0,
        "shared memory": limits.shared_bytes // _up(shared_bytes + _SHARED_RESERVED, _SHARED_UNIT),
    }
    return _least(by, warps, limits.warps, NVIDIA_SOURCE)


def _amd(lowered: Lowered) -> Occupancy:
    """A block's waves are spread over the SIMDs of a compute unit; a wave's registers come from one SIMD."""
    assert lowered.registers is not None
    waves, most = lowered.warps, _CDNA_WAVES * _CDNA_SIMDS
    for_wave = _up(max(lowered.registers, 1), _CDNA_UNIT)
    by = {
        "warps": most // waves,
        "registers": min(_CDNA_WAVES, _CDNA_REGISTERS // for_wave) * _CDNA_SIMDS // waves,
    }
    if lowered.shared_bytes:
        by["shared memory"] = _CDNA_LDS // lowered.shared_bytes
    return _least(by, waves, most, AMD_SOURCE)


def _least(by: dict[str, int], warps: int, most: int, source: str) -> Occupancy:
    blocks = min(by.values())
    held = tuple(name for name, limit in by.items() if limit == blocks)
    return Occupancy(blocks, blocks * warps, most, held, source)


def _up(number: int, unit: int) -> int:
    return -(-number // unit) * unit


def _listed(words: tuple[str, ...]) -> str:
    return " and ".join(words)
