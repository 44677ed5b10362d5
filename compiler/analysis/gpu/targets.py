"""GPUs that a program can be compiled for: ours, those of entry points of the group ``torch_loupe.gpu_targets``, and files."""

import functools

from compiler.analysis.plugins import Plugins, find_plugins
from compiler.model.ir.gpu_target import TARGETS, GpuTarget, checked_target, find_target

GROUP = "torch_loupe.gpu_targets"


@functools.cache
def found_targets() -> Plugins[GpuTarget]:
    """Ours, and those of installed packages, which are imported for it once."""
    return find_plugins(GROUP, GpuTarget, TARGETS.values(), lambda _, row: checked_target(row))


def named_target(text: str) -> GpuTarget:
    """The GPU of that id, or the one that a JSON file describes. Raises ValueError, which names plug-ins that failed."""
    if text.lower() in TARGETS:
        return TARGETS[text.lower()]
    found = found_targets()
    try:
        return find_target(text, {row.id: row for row in found.rows})
    except ValueError as error:
        raise ValueError(" ".join([str(error), *(fault.message() for fault in found.faults)])) from error
