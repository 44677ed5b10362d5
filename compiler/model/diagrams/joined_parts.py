"""What hangs together: union and find, with paths halved on the way."""

from collections.abc import Hashable, Iterable
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def joined_parts(items: Iterable[T], pairs: Iterable[tuple[T, T]]) -> list[list[T]]:
    """The items that pairs join, directly or through others: in the order of the items, as are the parts by their first."""
    root = {item: item for item in items}

    def find(item: T) -> T:
        while root[item] != item:
            root[item] = root[root[item]]
            item = root[item]
        return item

    for first, second in pairs:
        root[find(second)] = find(first)
    parts: dict[T, list[T]] = {}
    for item in root:
        parts.setdefault(find(item), []).append(item)
    return list(parts.values())
