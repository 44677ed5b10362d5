"""What a Triton kernel needs of the GPU, row by row, before and after it was changed."""

import msgspec

from compiler.analysis.gpu.occupancy import occupancy
from compiler.model.gpu.instruction_counts import CLASSES
from compiler.model.ir.lowered_kernel import Lowered

_UNKNOWN = "–"
INDENT = "  "
"""Before the name of what is a part of the row above."""


class NeedRow(msgspec.Struct, frozen=True):
    """One fact of a kernel; `before` is empty where there is nothing to compare with."""

    what: str
    before: str
    after: str


def need_rows(before: Lowered | None, after: Lowered) -> tuple[NeedRow, ...]:
    """Everything that is known of a configuration, beside the same of another one. Instructions are compared only where
    both were counted in the same form.
    """
    old = _facts(before) if before is not None else {}
    rows = [NeedRow(name, old.get(name, ""), text) for name, text in _facts(after).items()]
    if not after.instructions:
        return tuple(rows)
    comparable = before is not None and before.counted == after.counted
    was = dict(before.instructions) if before is not None and comparable else {}
    now = dict(after.instructions)
    title = f"Instructions ({after.counted})"
    total = f"{sum(was.values()):,}" if comparable else ""
    rows.append(NeedRow(title, total, f"{sum(now.values()):,}"))
    rows += [
        NeedRow(INDENT + name, f"{was.get(name, 0):,}" if comparable else "", f"{now.get(name, 0):,}")
        for name in CLASSES
        if was.get(name) or now.get(name)
    ]
    return tuple(rows)


def format_configuration(row: Lowered) -> str:
    """``XBLOCK 256 · 4 warps · 1 stage``."""
    blocks = (f"{name} {size}" for name, size in row.blocks)
    return " · ".join((*blocks, _counted(row.warps, "warp"), _counted(row.stages, "stage")))


def _facts(row: Lowered) -> dict[str, str]:
    held = occupancy(row)
    return {
        "Configuration": format_configuration(row),
        "Registers a thread": str(row.registers) if row.registers is not None else _UNKNOWN,
        "Spilled": f"{row.spilled_bytes:,} B" if row.spilled_bytes is not None else _UNKNOWN,
        "Shared memory": f"{row.shared_bytes:,} B",
        "Occupancy, computed": held.words() if held is not None else "not computed",
        "Limited by": held.limits() if held is not None else _UNKNOWN,
    }


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'s' if number != 1 else ''}"
