"""Caches that torch asked for compiled code: found, not found, or passed by; and what is different in a key that was not found."""

import re
from collections import deque
from collections.abc import Iterable

import msgspec

from compiler.analysis.torch_logs.records.interned_strings import text_of
from compiler.analysis.torch_logs.records.log_lines import Json
from compiler.model.capture.counted import more_than
from compiler.model.capture.log_facts import CacheLookup
from compiler.model.ir.diagnostics import UNREADABLE

_CACHE = re.compile(r"^(?P<cache>\w*?cache)_(?P<outcome>hit|miss|bypass|\w+)$")
_COMPONENT = re.compile(r"^\[(\w+)\] ([^:]+)")
_MOST = 12
_EARLIER = 12
"""Keys that a new one is compared with."""
_LONGEST = 500


class CacheReader:
    """Takes texts in the order of the log, so that each key is compared with those before it."""

    def __init__(self) -> None:
        self._keys: dict[str, deque[tuple[str, dict[str, str]]]] = {}
        """Cache → (compile id, part of the key → its digest), the last of them."""

    def take(self, compile_id: str, name: str, text: str) -> CacheLookup | None:
        """What a cache answered; None where the text is about something else."""
        found = _CACHE.match(name)
        if found is None:
            return None
        facts = read_object(text)
        parts = _components(facts.get("components"))
        earlier = self._keys.setdefault(found["cache"], deque(maxlen=_EARLIER))
        differs, nearest = _difference(parts, earlier) if found["outcome"] == "miss" else ((), "")
        if parts:
            earlier.append((compile_id, parts))
        key, reason = text_of(facts, "key"), text_of(facts, "cache_bypass_reason")
        return CacheLookup(
            compile_id, found["cache"], found["outcome"], key, reason[:_LONGEST], differs, nearest
        )


def read_object(text: str) -> Json:
    """What a text of JSON holds; empty where it is no object."""
    try:
        found = msgspec.json.decode(text)
    except UNREADABLE:
        return {}
    return found if isinstance(found, dict) else {}


def _components(value: object) -> dict[str, str]:
    rows = (
        (_COMPONENT.match(item) for item in value if isinstance(item, str)) if isinstance(value, list) else ()
    )
    return {row[2]: row[1] for row in rows if row is not None}


def _difference(
    parts: dict[str, str], earlier: Iterable[tuple[str, dict[str, str]]]
) -> tuple[tuple[str, ...], str]:
    rows = list(earlier)
    if not parts or not rows:
        return (), ""
    nearest, other = min(reversed(rows), key=lambda row: len(parts.items() ^ row[1].items()))
    names = [name for name in {**parts, **other} if parts.get(name) != other.get(name)]
    return (*names[:_MOST], *more_than(_MOST, names)), nearest
