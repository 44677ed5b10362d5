"""Layers that take the same, as one row: eighty equal ones are one, ×80."""

import re

from compiler.model.prediction.predicted_step import LayerTime

_LAST = re.compile(r"^(.*?)(\d+)$")
_NEAR = 0.05


def equal_layers(rows: tuple[LayerTime, ...]) -> tuple[tuple[str, LayerTime, int], ...]:
    """(name, one of them, how many): ``layers.1–79 ×79``. Joined are rows of one phase that differ in their number only and
    by less than 5 % in time.
    """
    groups: list[list[LayerTime]] = []
    open_groups: dict[tuple[str, str], list[LayerTime]] = {}
    for row in rows:
        stem = _stem(row.layer)
        key = stem, row.phase
        group = open_groups.get(key)
        if stem and group is not None and _alike(group[0], row):
            group.append(row)
        else:
            group = [row]
            groups.append(group)
            if stem:
                open_groups[key] = group
    return tuple((_name(group), group[len(group) // 2], len(group)) for group in groups)


def _stem(layer: str) -> str:
    match = _LAST.match(layer)
    return match[1] if match is not None else ""


def _alike(one: LayerTime, other: LayerTime) -> bool:
    if (one.bound, one.launches) != (other.bound, other.launches):
        return False
    return abs(one.seconds - other.seconds) <= _NEAR * max(one.seconds, other.seconds)


def _name(group: list[LayerTime]) -> str:
    if len(group) == 1:
        return group[0].layer
    numbers = sorted(int(match[2]) for row in group if (match := _LAST.match(row.layer)) is not None)
    return f"{_stem(group[0].layer)}{numbers[0]}–{numbers[-1]} ×{len(group)}"
