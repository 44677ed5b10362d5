"""Reader: the compiled code that Dynamo holds for a function, asked whether it fits, and how long the asking takes."""

import math
import time
from collections.abc import Iterator
from types import CodeType
from typing import Any

from torch._dynamo import guards as torch_guards
from torch._dynamo.eval_frame import _debug_get_cache_entry_list

from compiler.engine.measuring.interleaved_timing import measuring_time
from compiler.engine.torch_internals.dynamo_guards import guard_checks
from compiler.engine.torch_internals.dynamo_guards.guard_checks import source_values
from compiler.engine.torch_internals.dynamo_guards.guard_walking import leaves_of, strip_comment, walk
from compiler.engine.torch_internals.patch.settings import OwnBackend
from compiler.model.capture.guards import RELATIONAL, FailedGuard, GuardTree

GIVES = "cache entries, costs of guards"
NEEDS = (
    "torch._dynamo.eval_frame:_debug_get_cache_entry_list",
    "torch._dynamo.guards:DeletedGuardManagerWrapper",
    "torch._dynamo.guards:profile_guard_manager",
)
_CALL = "isolate_recompiles_id"
_SHARED = -1
"""The call of whatever is not isolated, in torch's numbers."""
_ROUNDS = 3
_CALLS = 50
_COLD_ROUNDS = 60
"""Torch empties the caches before each, which takes 17 ms."""


def entries_of(code: CodeType) -> list[Any]:
    """The cache entries of a function, whoever compiled them."""
    return list(_debug_get_cache_entry_list(code))


def all_failures(
    entry: Any, names: dict[str, Any], known: GuardTree | None
) -> tuple[str, tuple[FailedGuard, ...]]:
    """(the first that does not hold for these names, in torch's words; all that do not). Nothing where the entry fits."""
    first = first_failure(entry, names)
    if first is None:
        return "", ()
    failed = guard_checks.failing_guards(entry.guard_manager, names, known)
    if not failed or (first.startswith("len(") and all(item.code != first for item in failed)):
        # lengths of dicts are checked outside all leaves
        failed = (FailedGuard("", "", first, first), *failed)
    return first, failed


def drop(entry: Any) -> None:
    """Dynamo does not try it again, as where an object that it was compiled for is gone."""
    wrapper = entry.guard_manager
    if not isinstance(wrapper, torch_guards.DeletedGuardManagerWrapper):
        wrapper.extra_state.invalidate(
            entry, torch_guards.DeletedGuardManagerWrapper("the program's edits changed")
        )


def entry_of(code: CodeType, compile_id: str) -> Any | None:
    """The one that a compile made; None where it is not kept."""
    return _made_by(compile_id, entries_of(code))


def _made_by(compile_id: str, entries: list[Any]) -> Any | None:
    return next((entry for entry in entries if str(entry.compile_id) == compile_id), None)


def tried_with(code: CodeType, compile_id: str) -> list[Any]:
    """Those that one call of torch.compile runs, which made the entry of `compile_id`, in the order in which Dynamo tries
    them: its own, then what calls made that are not isolated.
    """
    entries = entries_of(code)
    entry = _made_by(compile_id, entries)
    own = _SHARED if entry is None else _call_of(entry)
    tried = [entry for entry in entries if _call_of(entry) == own]
    if own == _SHARED or entry is None or not hasattr(entry, _CALL):
        return tried
    return tried + [entry for entry in entries if _call_of(entry) == _SHARED]


def _call_of(entry: Any) -> int:
    """Torch before 2.13 numbers none; there a call is known by its backend."""
    if isinstance(entry.backend, OwnBackend):
        return id(entry.backend)
    return int(getattr(entry, _CALL, _SHARED))


def first_failure(entry: Any, f_locals: dict[str, Any]) -> str | None:
    """Ask an entry as torch does: None where it fits, else the first guard that fails, in torch's words."""
    info = entry.guard_manager.check_verbose(f_locals)
    if info.result:
        return None
    return (
        "; ".join(dict.fromkeys(strip_comment(str(part)) for part in info.verbose_code_parts))
        or "a guard fails"
    )


def measure(entry: Any, f_locals: dict[str, Any]) -> tuple[float, float, tuple[tuple[int, int, float], ...]]:
    """(nanoseconds of one check of the tree, the same with cold caches, (node, leaf, nanoseconds) for each leaf that
    can be asked alone, less what the cheapest one takes, which is the call from Python).
    """
    wrapper = entry.guard_manager
    root = wrapper.root
    rounds = max(math.ceil(measuring_time(_COLD_ROUNDS)), 3)
    cold = float(torch_guards.profile_guard_manager(root, f_locals, rounds)) * 1e3
    total = _seconds(root.check, f_locals) * 1e9
    costs = [
        (node, leaf, _seconds(check, value) * 1e9) for node, leaf, check, value in _askable(wrapper, f_locals)
    ]
    calling = min((cost for _, _, cost in costs), default=0.0)
    return total, cold, tuple((node, leaf, round(cost - calling, 1)) for node, leaf, cost in costs)


def check_time(entry: Any, f_locals: dict[str, Any]) -> int:
    """Nanoseconds of the next check of the tree, as it finds things."""
    check = entry.guard_manager.root.check
    started = time.perf_counter_ns()
    check(f_locals)
    return time.perf_counter_ns() - started


def _askable(wrapper: Any, f_locals: dict[str, Any]) -> Iterator[tuple[int, int, Any, Any]]:
    values = source_values(wrapper, f_locals)
    for index, (parent, _accessor, manager) in enumerate(walk(wrapper.root)):
        if index not in values:
            continue
        for number, leaf in enumerate(leaves_of(manager, parent)):
            if type(leaf).__name__ not in RELATIONAL:
                yield index, number, leaf, values[index]


def _seconds(check: Any, value: Any) -> float:
    """The shortest time of one call."""
    best = float("inf")
    for _ in range(_ROUNDS):
        started = time.perf_counter()
        for _ in range(_CALLS):
            check(value)
        best = min(best, time.perf_counter() - started)
    return best / _CALLS
