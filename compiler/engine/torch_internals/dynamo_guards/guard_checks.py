"""Reader: every guard of a cache entry that does not hold, found leaf by leaf.

Torch stops at the first guard that fails. Here each leaf is asked by itself with the value its source leads to, which
counts as no check of the tree, so the order of torch's own checks stays as it is.
"""

import contextlib
import functools
import re
from collections.abc import Iterator
from types import CodeType
from typing import Any, TypeAlias

import msgspec

from compiler.engine.torch_internals.dynamo_guards.fixed_sizes import fixed_sizes
from compiler.engine.torch_internals.dynamo_guards.guard_texts import describe
from compiler.engine.torch_internals.dynamo_guards.guard_walking import (
    checks_of,
    leaves_of,
    strip_comment,
    walk,
)
from compiler.model.capture.compile_ids import torch_id_of
from compiler.model.capture.guards import RELATIONAL, FailedGuard, FixedSize, GuardTree, TriedEntry
from compiler.model.ir.graph import SourceLine

HOLDS = "All its guards hold when asked again; what failed changed in between, such as a value with state."
_FROM_TWO = re.compile(r"2 <= (\S+\.size\(\)\[\d+\])( <= \d+)?$")
_ALONE = "torch.compile always compiles the sizes 0 and 1 by themselves"
_STEP = re.compile(r"(.*?)(?:\.([A-Za-z_]\w*)|\['([^'\\]*)'\]|\[(\d+)\])$", re.DOTALL)
_LOCAL_ANYWHERE = re.compile(r"L\[\s*['\"](.*?)['\"]\s*\]")
"""As torch shortens the names of locals in its reasons."""
_LOCAL = re.compile(r"^L\['(\w+)'\]")
_Words: TypeAlias = tuple[str, str, str, str]
"""(source, kind, code, reason) of a guard that does not hold."""
_NOT_THERE = (AttributeError, LookupError, TypeError)


def tried_entry(
    name: str, entry: Any, f_locals: dict[str, Any], backend: Any, tree: GuardTree | None
) -> TriedEntry:
    """What a cache entry says of these values; name: the id of the compile that made it, tree: what was noted of it then."""
    wrapper = entry.guard_manager
    deleted = getattr(wrapper, "invalidation_reason", "")
    if deleted:
        return TriedEntry(name, note=str(deleted))
    failed = failing_guards(wrapper, f_locals, tree)
    note = ""
    if not failed:
        own = getattr(wrapper.cache_entry or entry, "backend", backend)
        note = (
            "Its guards hold; it was compiled with another backend object, so it may not be used."
            if own is not backend
            else HOLDS
        )
    return TriedEntry(name, failed, note)


def with_torchs_text(entry: TriedEntry, reasons: list[str]) -> TriedEntry:
    """The entry with what torch says of it, where that is not among the guards found to fail."""
    begin = f"{torch_id_of(entry.compile_id)}: "
    mine = [reason.removeprefix(begin) for reason in reasons if reason.startswith(begin)]
    reported = strip_comment(mine[0].partition("\nUser stack trace")[0]) if mine else ""
    if not reported or (entry.failed and not reported.startswith("len(")):
        return entry
    known = any(_LOCAL_ANYWHERE.sub(r"\1", item.code) == reported for item in entry.failed)
    return entry if known else msgspec.structs.replace(entry, note=reported)


def failing_guards(wrapper: Any, f_locals: dict[str, Any], tree: GuardTree | None) -> tuple[FailedGuard, ...]:
    """Every guard that fails, in the order of the tree. One on the sizes of a tensor that now has other dimensions, or is none,
    cannot be asked: it is reported only where no other guard says what is different.
    """
    scope = _Scope(wrapper, f_locals)
    unasked: list[_Words] = []
    failed = tuple(_failing(wrapper, scope, unasked)) or tuple(unasked)
    lines = _lines_by_code(tree) if tree is not None else {}
    return tuple(_with_reasons(words, scope, lines, tree) for words in failed)


def _with_reasons(
    words: _Words, scope: "_Scope", lines: dict[str, SourceLine], tree: GuardTree | None
) -> FailedGuard:
    """A line that gave a range its upper end is no reason where the size is below the lower one, which is a rule of torch's."""
    source, _, code, reason = words
    range_of = _FROM_TWO.match(code)
    size = _try(scope, range_of.group(1)) if range_of is not None else None
    if size is not None and size < 2:
        return FailedGuard(*words, None, (FixedSize(_ALONE),))
    return FailedGuard(*words, lines.get(code), fixed_sizes(tree, source, reason) if tree else ())


def global_sizes(wrapper: Any) -> dict[str, int]:
    """The lengths of what is guarded as a dict and found by global variables, by source: no leaf holds them, and a guard's manager
    does not tell.
    """
    scope, found = _Scope(wrapper, {}), {}
    for source, manager in _of_globals(wrapper):
        if hasattr(manager, "get_key_value_managers"):
            with contextlib.suppress(Exception):  # torch's names cannot all be evaluated here
                found[source] = len(scope.at(source))
    return found


def failing_globals(wrapper: Any, sizes: dict[str, int]) -> Iterator[str]:
    """The guards on one global variable each that do not hold now, in torch's words; nothing has to be called for that. `sizes`: of
    dicts, as they were when torch compiled.
    """
    scope = _Scope(wrapper, {})
    for source, manager in _of_globals(wrapper):
        try:
            value = scope.at(source)
        except _NOT_THERE:
            yield source
            continue
        except Exception:  # noqa: BLE001  torch's names for iterators and keys cannot all be evaluated here
            continue
        if source in sizes and len(value) != sizes[source]:
            yield f"len({source}) != {sizes[source]}"
        for leaf in manager.get_leaf_guards():
            if type(leaf).__name__ not in RELATIONAL and not leaf(value):
                yield from checks_of(leaf)[:1]


def _of_globals(wrapper: Any) -> Iterator[tuple[str, Any]]:
    """(source, manager) of everything below the frame's global variables."""
    for top in wrapper.root.get_child_managers():
        if top.get_source() == "G":
            for _parent, _accessor, manager in walk(top):
                source = str(manager.get_source())
                if source != "G":
                    yield source, manager


class _Scope:
    """Evaluates sources and code parts as torch's own explanation does."""

    def __init__(self, wrapper: Any, f_locals: dict[str, Any]) -> None:
        self.f_locals = f_locals
        held = wrapper.global_scope or {"G": {}}
        self._found: dict[str, Any] = {}
        self._names = {"L": f_locals, "G": held["G"], **(wrapper.closure_vars or {})}

    def value(self, expression: str) -> Any:
        """What an expression is now. Raises whatever it raises."""
        return eval(_compiled(expression), self._names)

    def at(self, source: str) -> Any:
        """What a source leads to now. Plain steps are taken from the value before them, since parsing thousands of long
        expressions would cost more than asking the guards. Raises whatever it raises.
        """
        if source in self._names:
            return self._names[source]
        if source not in self._found:
            match = _STEP.match(source)
            if match is None:
                value = self.value(source)
            else:
                before, attribute, key, index = match.groups()
                owner = self.at(before)
                value = (
                    getattr(owner, attribute) if attribute else owner[key if index is None else int(index)]
                )
            self._found[source] = value
        return self._found[source]


@functools.lru_cache(maxsize=20_000)
def _compiled(expression: str) -> CodeType:
    return compile(expression.strip(), "<guard>", "eval")


def source_values(wrapper: Any, f_locals: dict[str, Any]) -> dict[int, Any]:
    """What each node of the tree looks at, by its index; nodes whose source is no plain Python are left out."""
    scope, found = _Scope(wrapper, f_locals), {}
    for index, (_parent, _accessor, manager) in enumerate(walk(wrapper.root)):
        try:
            found[index] = scope.at(str(manager.get_source()))
        except Exception:  # noqa: BLE001  torch's names for iterators and keys cannot all be evaluated here
            continue
    return found


def _failing(wrapper: Any, scope: _Scope, unasked: list[_Words]) -> Iterator[_Words]:
    """`unasked` gets what failed without that one of its parts could be said to."""
    missing: set[int] = set()
    seen: set[tuple[str, ...]] = set()
    for index, (parent, accessor, manager) in enumerate(walk(wrapper.root)):
        source = str(manager.get_source())
        if parent in missing:
            missing.add(index)
            continue
        try:
            value = scope.at(source)
        except _NOT_THERE as error:
            missing.add(index)
            yield source, "ACCESSOR", accessor, f"{source} is not there: {type(error).__name__}: {error}"
            continue
        except Exception:  # noqa: BLE001  torch's names for iterators and keys cannot all be evaluated here
            continue
        for leaf in leaves_of(manager, parent):
            kind = type(leaf).__name__
            if kind not in RELATIONAL:
                if not leaf(scope.f_locals if parent < 0 else value):
                    codes = checks_of(leaf)
                    parts = (
                        codes if len(codes) < 2 else tuple(code for code in codes if _is_false(scope, code))
                    )
                    if all(_looks_past(scope, code) for code in parts or codes[:1]):
                        unasked += _format_leaf(leaf, source, codes, value)
                    else:
                        yield from _format_leaf(leaf, source, parts or codes, value)
            elif (codes := checks_of(leaf)) not in seen:
                seen.add(codes)
                yield from _stateful(wrapper, scope, source, kind, codes)


def _format_leaf(leaf: Any, source: str, parts: tuple[str, ...], value: Any) -> Iterator[_Words]:
    kind = type(leaf).__name__
    for code in parts:
        words = describe(leaf, kind, code, value)
        name = _LOCAL.sub(r"\1", source)
        prefix = f"{name}: " if kind == "TENSOR_MATCH" and words != code else ""
        yield source, kind, code, prefix + words


def _stateful(
    wrapper: Any, scope: _Scope, source: str, kind: str, codes: tuple[str, ...]
) -> Iterator[_Words]:
    """Guards on several values at once: asked through their code, since the leaves remember what they saw."""
    if kind == "NO_TENSOR_ALIASING":
        by_id: dict[int, list[str]] = {}
        for name in wrapper.no_tensor_aliasing_sources:
            with_value = _try(scope, name)
            if with_value is not None:
                by_id.setdefault(id(with_value), []).append(name)
        for names in by_id.values():
            if len(names) > 1:
                code = "; ".join(codes)
                yield source, kind, code, f"{' and '.join(names)} are one tensor; they were different ones"
        return
    for code in codes:
        if _is_false(scope, code):
            yield source, kind, code, f"{code} does not hold"


def _try(scope: _Scope, expression: str) -> Any:
    try:
        return scope.value(expression)
    except Exception:  # noqa: BLE001  a value that is not there fails by its own guard
        return None


def _is_false(scope: _Scope, code: str) -> bool:
    try:
        return not scope.value(code)
    except Exception:  # noqa: BLE001  not every part is Python; the others say what fails
        return False


def _looks_past(scope: _Scope, code: str) -> bool:
    """Whether it is Python that asks for what is not there: ``L['x'].size()[2]`` of a vector."""
    try:
        scope.value(code)
    except _NOT_THERE:
        return True
    except Exception:  # noqa: BLE001  not every part is Python
        return False
    return False


def _lines_by_code(tree: GuardTree) -> dict[str, SourceLine]:
    """The user's line of every code part of a tree."""
    return {
        code: line
        for node in tree.nodes
        for leaf in node.leaves
        for part, code in enumerate(leaf.code)
        if (line := tree.line_of(leaf, part)) is not None
    }
