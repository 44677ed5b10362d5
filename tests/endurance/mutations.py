"""Files as a stranger would make them: real ones whose members, values, bytes and zip structure are changed at random."""

import json
import struct
import zipfile
import zlib
from random import Random

from tests.endurance.structure import change_count, changed_structure

_TEXTS = (
    "", "\u202e\u2066evil", "\x00", "\x1b[31m", "a" * 50_000, "../../etc/passwd", "<img src=/etc/passwd>", "(a+)+$",
    "%s%n{}{0}", "\n" * 500, "9" * 400, "nan", "inf", "-1", "0/0:dynamo", "s1", "0/0:forward:kernels", "torch.os.system",
)  # fmt: skip
_NUMBERS = (-1, 0, 1, 2, 3, 999, 2**31, 2**63 - 1, -(2**63), 2**64, 10**30, 1e308, -1e308, 5e-324, 0.5)
_RAW = (
    b"1e999999", b"-" + b"9" * 5000, b"[" * 3000 + b"]" * 3000, b'"\\ud800"', b"NaN", b"Infinity", b"\xff\xfe",
    b'{"type":' * 1500 + b"1" + b"}" * 1500, b'"' + b"\\u0000" * 50 + b'"', b"",
)  # fmt: skip
_HEADER = struct.Struct("<4s5H3L2H")
_LISTED = struct.Struct("<4s6H3L5H2L")
_END = struct.Struct("<4s4H2LH")
_UTF_8, _FIRST_DAY = 0x800, 0x21
Members = dict[str, bytes]
_MANY = 41_000
"""Members; more than a session may have."""


def changed_json(random: Random, data: bytes) -> bytes:
    """One to eight values of a JSON text made others; sometimes what is no JSON."""
    if random.random() < 0.08:
        return spliced(random, data)
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return changed_bytes(random, data)
    for _ in range(random.choice((1, 1, 1, 2, 3, 8))):
        value = (changed_structure if random.random() < 0.4 else _changed)(random, value)
    if random.random() < 0.05:
        change_count(random, value)
    try:
        return json.dumps(value).encode("utf-8", "surrogatepass")
    except RecursionError:
        return data


def _changed(random: Random, value: object) -> object:
    """The value with one inside it made another, found by walking down at random."""
    if random.random() < 0.5 and isinstance(value, dict | list) and value:
        return _changed_by_name(random, value)
    holder, key, current = None, None, value
    on = random.choice((0.6, 0.9))
    while isinstance(current, dict | list) and current and (holder is None or random.random() < on):
        keys = list(current) if isinstance(current, dict) else range(len(current))
        holder, key = current, random.choice(keys)
        current = current[key]  # type: ignore[index]
    if holder is None:
        return _other(random, current, value)
    holder[key] = _other(random, current, value)  # type: ignore[index, call-overload]
    return value


def _changed_by_name(random: Random, value: object) -> object:
    """A field of a name that is drawn from all names, so that the rare ones are met as often as those of every node."""
    places: dict[str, list[dict[str, object]]] = {}
    level = [value]
    while level:
        inside: list[object] = []
        for holder in level:
            if isinstance(holder, dict):
                for name in holder:
                    places.setdefault(name, []).append(holder)
                inside += holder.values()
            elif isinstance(holder, list):
                inside += holder
        level = inside
    if places:
        name = random.choice(sorted(places))
        holder = random.choice(places[name])
        other = _other if random.random() < 0.3 else _other_of_its_type
        holder[name] = other(random, holder[name], value)
    return value


def _other(random: Random, value: object, whole: object) -> object:
    """Another value; of the same type half of the time, since those get further."""
    if random.random() < 0.4:
        anything = (
            None,
            True,
            random.choice(_TEXTS),
            random.choice(_NUMBERS),
            [],
            {},
            [value],
            {"x": value},
            "DEEP",
        )
        found = random.choice(anything)
        if found != "DEEP":
            return found
        for _ in range(random.choice((50, 70, 900))):
            value = [value]
        return value
    return _other_of_its_type(random, value, whole)


def _other_of_its_type(random: Random, value: object, whole: object) -> object:
    match value:
        case bool():
            return not value
        case str():
            return random.choice((*_TEXTS, _some_text(random, whole), _some_text(random, whole)))
        case int() | float():
            return random.choice((value + 1, value - 1, -value, *_NUMBERS))
        case list():
            return _other_list(random, value)
        case dict() if "items" in value and random.random() < 0.3:  # deep, and all of it of the right type
            for _ in range(random.choice((50, 70))):
                value = {**value, "items": [value]}
            return value
        case dict() if value:
            key = random.choice(list(value))
            return {name: item for name, item in value.items() if name != key}
    return random.choice((None, "", 0, []))


def _other_list(random: Random, value: list[object]) -> list[object]:
    new = list(value)
    match random.choice(("drop", "twice", "reverse", "empty", "repeat", "shuffle")):
        case "drop" if new:
            del new[random.randrange(len(new))]
        case "twice" if new:
            new.insert(random.randrange(len(new)), random.choice(new))
        case "reverse":
            new.reverse()
        case "empty":
            new = []
        case "repeat" if len(new) < 200:
            new *= random.choice((2, 50))
        case _:
            random.shuffle(new)
    return new


def _some_text(random: Random, value: object) -> str:
    """A text from elsewhere in the same member: a name that is known, in another place."""
    while isinstance(value, dict | list) and value:
        value = random.choice(list(value.values()) if isinstance(value, dict) else value)
    return value if isinstance(value, str) else str(value)


def spliced(random: Random, data: bytes) -> bytes:
    """Text that is no JSON, or much of one thing, where a value was."""
    at = data.find(b":", random.randrange(max(len(data), 1))) + 1
    return data[:at] + random.choice(_RAW) + data[at:]


def changed_bytes(random: Random, data: bytes) -> bytes:
    """Bits turned over, bytes put in or taken away, an end cut off."""
    made = bytearray(data) or bytearray(b"\0")
    at = random.randrange(len(made))
    match random.choice(("cut", "flip", "flip", "insert", "zeros", "remove")):
        case "cut":
            del made[at:]
        case "flip":
            for _ in range(random.choice((1, 3, 30, 300))):
                made[random.randrange(len(made))] ^= 1 << random.randrange(8)
        case "insert":
            made[at:at] = random.randbytes(random.choice((1, 7, 1000)))
        case "zeros":
            made[at : at + 200] = bytes(200)
        case _:
            del made[at : at + random.choice((1, 7, 1000))]
    return bytes(made)


def zipped(members: list[tuple[str, bytes]], pack: bool = False) -> bytes:
    """An archive of the members, some of them twice if so listed. Written by hand: `zipfile` takes ten times as long."""
    made, listed = bytearray(), bytearray()
    for name, data in members:
        label = name.encode("utf-8", "surrogatepass")
        flags = 0 if label.isascii() else _UTF_8
        body = _packed(data) if pack else data
        method = zipfile.ZIP_DEFLATED if pack else zipfile.ZIP_STORED
        about = (20, flags, method, 0, _FIRST_DAY, zlib.crc32(data), len(body), len(data), len(label), 0)
        listed += _LISTED.pack(b"PK\1\2", 20, *about, 0, 0, 0, 0, len(made)) + label
        made += _HEADER.pack(b"PK\3\4", *about) + label + body
    end = _END.pack(b"PK\5\6", 0, 0, len(members), len(members), len(listed), len(made), 0)
    return bytes(made + listed + end)


def _packed(data: bytes) -> bytes:
    packer = zlib.compressobj(1, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def changed_archive(random: Random, members: Members) -> tuple[str, bytes]:
    """(what was done, a session file) with something in the archive's own structure made another."""
    items = list(members.items())
    at = random.randrange(len(items))
    what = random.choice(
        (
            "bytes",
            "twice",
            "names",
            "spaces",
            "bomb",
            "values",
            "many",
            "empty",
            "flags",
            "sizes",
            "headless",
            "lost",
            "foreign",
            "miscounted",
        )
    )
    if what == "foreign":  # an archive, but not one of ours
        items = [(f"other/{index}.txt", data) for index, (_, data) in enumerate(items[:3])]
    _change_members(random, items, at, what)
    data = bytearray(zipped(items, pack=what in ("spaces", "bomb", "values") or random.random() < 0.3))
    if what == "bytes":
        return what, changed_bytes(random, bytes(data))
    if what == "headless" or (what in ("bomb", "foreign") and random.random() < 0.5):
        # the list at the end is gone, members are found by their own headers
        del data[data.find(b"PK\x01\x02") :]
        if random.random() < 0.5:
            _change_headers(random, data, random.choice(("flags", "sizes")), b"PK\x03\x04")
    elif what in ("flags", "sizes"):
        _change_headers(random, data, what, b"PK\x01\x02")
    elif what == "miscounted":  # fewer than there are
        struct.pack_into("<2H", data, len(data) - _END.size + 8, 7, 7)
    return what, bytes(data)


def _change_members(random: Random, items: list[tuple[str, bytes]], at: int, what: str) -> None:
    """What is done before they are put together."""
    match what:
        case "twice":
            items.insert(random.randrange(len(items)), (items[at][0], random.choice(items)[1]))
        case "names":
            name = random.choice(
                (
                    "/etc/x",
                    "../../x",
                    "C:\\x",
                    "captures/0/../../x",
                    "a" * 60_000,
                    "\u202e",
                    "captures/999999/capture.json",
                )
            )
            items[at] = (name, items[at][1])
        case "spaces":
            for index in {at, *range(random.choice((1, 1, 1, 12)))} & set(range(len(items))):
                items[index] = (items[index][0], b" " * random.choice((10**6, 10**7)) + items[index][1])
        case "bomb":
            items[at] = (items[at][0], random.choice((b"[]", b"0,", b"[", b'""')) * 10**7)
        case "values":
            items[at] = (items[at][0], _many_values(random))
        case "many" | "miscounted":
            count = random.choice((1000, _MANY)) if what == "many" else _MANY
            items += [(f"x/{index}", b"") for index in range(count)]
        case "empty":
            items[:] = [(name, b"") for name, _ in items]
        case "lost":
            del items[at]


def _many_values(random: Random) -> bytes:
    """Numbers that pack well, but not as well as a trap does."""
    return b"[" + b"".join(b"%d," % random.randrange(9) for _ in range(1500)) * 2500 + b"0]"


def _change_headers(random: Random, data: bytearray, what: str, sign: bytes) -> None:
    """Other sizes, flags and ways of packing, in the archive's list or in the members' own headers."""
    flags, size = (8, 24) if sign == b"PK\x01\x02" else (6, 22)
    row = data.find(sign)
    while 0 <= row < len(data) - size - 4:
        if what == "sizes" and random.random() < 0.5:
            struct.pack_into("<L", data, row + size, random.choice((0, 1, 0xFFFFFFFF, 1 << 31, 10)))
        elif random.random() < 0.5:
            ways = random.choice((0, 1, 8)), random.choice((0, 1, 8, 9, 12, 14, 99))
            struct.pack_into("<HH", data, row + flags, *ways)
        row = data.find(sign, row + 4)


def changed_session(random: Random, members: Members) -> tuple[str, bytes]:
    """(what was done, a session file): values inside of members two times of three, the archive else."""
    if random.random() < 0.3:
        return changed_archive(random, members)
    made = dict(members)
    small = [name for name in made if "/stages/" not in name]
    for _ in range(random.choice((1, 1, 2))):
        name = random.choice(small if random.random() < 0.5 else list(made))
        made[name] = changed_json(random, made[name])
    return "values", zipped(list(made.items()))
