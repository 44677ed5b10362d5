"""Changes that know what a value is for: names that lead elsewhere or nowhere, things that stand twice, in another order, too deep
or too often. What is left is of the right type, so that it gets past decoding to the checks behind it.
"""

import json
import math
from random import Random

_NAMES = {
    "id", "stage", "stages", "node", "nodes", "inputs", "caused_by", "breaks", "graph", "original", "rewritten", "began_as",
    "made_from", "source", "target", "parts", "result", "kernel", "compile_id", "capture", "parent", "current", "tip", "state",
    "made", "undone", "before_undone", "line", "version", "captures", "format", "instruction", "pairs",
}  # fmt: skip
"""Fields that say which other thing is meant, or how many there are."""
_NESTING = {"items": "items", "edits": "edits", "start": "start", "body": "body"}
"""Fields in which a thing of its own kind may stand."""
_MOST_EDITS = 10_000
"""As the reader says."""
_SMALL = 4000
"""Characters of what may be made many times as much: together it must fit into memory before it is read."""


def changed_structure(random: Random, value: object) -> object:
    """The value with one change of that sort; as it is where nothing in it offers itself."""
    whole, part = value, value
    if isinstance(value, dict) and value and random.random() < 0.6:  # rare parts as often as the large ones
        part = value[random.choice(sorted(value))]
    what = random.choice(("name", "name", "name", "number", "twice", "order", "deep", "word"))
    match what:
        case "name":
            _change_name(random, part, whole)
        case "number":
            _change_number(random, part)
        case "deep":
            _nest(random, part)
        case "word":
            _say_in_words(random, part)
        case _:
            _change_list(random, part, what)
    return value


def _places(value: object) -> list[tuple[object, object]]:
    """(what holds it, its key) of every value inside."""
    found: list[tuple[object, object]] = []
    level = [value]
    while level:
        inside: list[object] = []
        for holder in level:
            if isinstance(holder, dict):
                found += [(holder, key) for key in holder]
                inside += holder.values()
            elif isinstance(holder, list):
                found += [(holder, key) for key in range(len(holder))]
                inside += holder
        level = inside
    return found


def _chosen(random: Random, places: list[tuple[object, object]]) -> tuple[object, object] | None:
    """One, the rare names as often as the frequent ones."""
    by_name: dict[str, list[tuple[object, object]]] = {}
    for holder, key in places:
        by_name.setdefault(key if isinstance(key, str) else "", []).append((holder, key))
    return random.choice(by_name[random.choice(sorted(by_name))]) if by_name else None


def _get(place: tuple[object, object]) -> object:
    holder, key = place
    return holder[key]  # type: ignore[index]


def _put(place: tuple[object, object], value: object) -> None:
    holder, key = place
    holder[key] = value  # type: ignore[index]


def _change_name(random: Random, part: object, whole: object) -> None:
    """A reference leads elsewhere, nowhere, or to what refers to it."""
    named = [place for place in _places(part) if place[1] in _NAMES]
    place = _chosen(random, [place for place in named if isinstance(_get(place), str | list)])
    if place is None:
        return
    value = _get(place)
    if isinstance(value, list):
        texts = [index for index, item in enumerate(value) if isinstance(item, str)]
        if texts:
            _put((value, random.choice(texts)), _other_name(random, value[texts[0]], whole))
        elif value:
            _change_name(random, value, whole)
        else:
            value.append(_other_name(random, "", whole))
    elif isinstance(value, str):
        _put(place, _other_name(random, value, whole))


def _other_name(random: Random, name: str, whole: object) -> str:
    known = [_get(place) for place in _places(whole) if place[1] in _NAMES]
    texts = [text for text in known if isinstance(text, str)] or [""]
    return random.choice((f"{name}x", "", random.choice(texts), random.choice(texts)))


def _change_number(random: Random, part: object) -> None:
    """An index leads before the beginning or behind the end."""
    places = [place for place in _places(part) if isinstance(_get(place), int)]
    if place := _chosen(random, places):
        value = _get(place)
        assert isinstance(value, int)
        _put(place, random.choice((value + 1, value - 1, -2, 10_000)))


def _say_in_words(random: Random, part: object) -> None:
    """A number that JSON has no word for, as our writer spells it."""
    if place := _chosen(random, [place for place in _places(part) if isinstance(_get(place), int | float)]):
        _put(place, random.choice(("inf", "-inf", "nan")))


def _nest(random: Random, part: object) -> None:
    """A thing in a thing in a thing of its own kind."""
    places = []
    for place in _places(part):
        value = _get(place)
        if isinstance(value, dict) and value.keys() & _NESTING.keys():
            places.append(place)
    if place := _chosen(random, places):
        value = _get(place)
        assert isinstance(value, dict)
        if _length(value) > _SMALL:
            return
        field = random.choice(sorted(value.keys() & _NESTING.keys()))
        for _ in range(random.choice((50, 70, 200))):
            value = {**value, field: [value] if isinstance(value[field], list) else value}
        _put(place, value)


def _change_list(random: Random, part: object, what: str) -> None:
    """Something stands twice, or before what it needs."""
    value = _some_list(random, part)
    if not value:
        return
    match what:
        case "twice":
            value.insert(random.randrange(len(value) + 1), random.choice(value))
        case _:
            value.append(value.pop(random.randrange(len(value))))


def change_count(random: Random, value: object) -> None:
    """A list gets longer than any of ours; the last change, so that nothing else is multiplied by it."""
    found = _some_list(random, value)
    if found and _length(found) < _SMALL:
        found *= _MOST_EDITS // len(found) + 2


def _some_list(random: Random, value: object) -> list[object]:
    place = _chosen(random, [p for p in _places(value) if _get(p) and isinstance(_get(p), list)])
    found = _get(place) if place is not None else value
    return found if isinstance(found, list) else []


def _length(value: object) -> float:
    try:
        return len(json.dumps(value))
    except RecursionError:
        return math.inf
