"""A capture of what later calls run: a library may remember what the first call did, and a guard then never holds again.

einops does: its table of backends is empty at the first call, which torch compiles for, and never after it.
"""

import re
import sys
import types
from collections.abc import Callable
from typing import Any

import msgspec

from compiler.engine.capture.capture import LiveCapture, make_capture
from compiler.engine.capture.partial_results import Emit
from compiler.engine.file_ownership import is_reloaded
from compiler.engine.torch_internals.dynamo_guards import cache_entries
from compiler.engine.torch_internals.dynamo_guards.guard_checks import failing_globals
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.ids import CaptureId
from compiler.model.protocol.progress import prefixed

_GLOBAL = re.compile(r"G\['(\w+)'\]")


def settled_capture(
    spec: CaptureSpec, capture_id: CaptureId, report_progress: Callable[[str], None], emit: Emit | None
) -> LiveCapture:
    """The capture; made once more, which is reported, where a library keeps something of the first call. Raises EngineError."""
    live = make_capture(spec, capture_id, report_progress, emit=emit)
    guard = guard_left_behind(live)
    if not guard:
        return live
    del live  # a program may be large

    def again(text: str) -> None:
        report_progress(prefixed("As the second call finds it", text))

    live = make_capture(spec, capture_id, again, emit=emit)
    if guard_left_behind(live):
        return live
    note = Problem(
        f"Captured as the second call compiles it: no later call runs what the first compiled, since a library remembers that call ({guard} holds no more).",
        "In the program itself torch compiles twice; import and call the library once before that, and it does so once.",
        severity=Severity.NOTE,
    )
    live.capture = msgspec.structs.replace(live.capture, problems=(*live.capture.problems, note))
    return live


def guard_left_behind(live: LiveCapture) -> str:
    """The guard of a frame that its own first call made untrue, in torch's words, where it looks at a module that is not loaded
    again for a capture, and nothing else was compiled of that frame; empty where there is none.
    """
    found: dict[int, list[str]] = {}  # code with Dynamo's constants (a slice) has no hash
    for record in live.recorder.frames:
        if (entry := cache_entries.entry_of(record.code, record.id)) is not None:
            guard = _left_behind(entry.guard_manager, record.global_sizes)
            found.setdefault(id(record.code), []).append(guard)
    return next((guards[0] for guards in found.values() if all(guards)), "")


def _left_behind(wrapper: Any, sizes: dict[str, int]) -> str:
    if getattr(wrapper, "invalidation_reason", ""):
        return ""
    names = wrapper.global_scope["G"]
    return next((guard for guard in failing_globals(wrapper, sizes) if _is_kept(guard, names)), "")


def _is_kept(guard: str, names: dict[str, Any]) -> bool:
    """Whether it looks at a global of a module that stays as it is; Dynamo gives modules that others import a name among the frame's."""
    named = _GLOBAL.search(guard)
    if named is None:
        return False
    module = names.get(named[1])
    if not isinstance(module, types.ModuleType):
        module = sys.modules.get(names.get("__name__", ""))
    path = getattr(module, "__file__", None)
    return path is not None and not is_reloaded(path)
