"""What a GPU would decide by measuring or in CUDA's C++, and is assumed where the GPU is not there: each with its switch. And
the values that a program asks for where its tensors have none.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from compiler.model.capture.padding_record import is_record, read_record
from compiler.model.ir.diagnostics import UNREADABLE

ATTENTION, PADDING, WINNER, CONFIGURATION = "attention", "padding", "winner", "configuration"
FUSION = "fusion"
VALUE = "value@"
"""Begins the assumption that a line which asks a tensor for its value finds this one: ``value@model.py:31``."""
_LINE = re.compile(rf"{VALUE}(.+):(\d+)")
_NEXT = re.compile(rf",(?=\s*(?:\w+|{VALUE}[^=]+)\s*=)|,(?=\s*,)")
"""What stands between two of several: a comma before the next name."""

CHOICES: dict[str, tuple[tuple[str, str], ...]] = {
    ATTENTION: (
        ("", "as torch prefers on this GPU"),
        ("cudnn", "cuDNN"),
        ("flash", "flash attention"),
        ("efficient", "memory-efficient"),
        ("math", "written out (math)"),
    ),
    PADDING: (
        ("", "each as measured of similar ones on an H100; for other GPUs not padded"),
        ("no", "not padded"),
        ("yes", "padded to aligned sizes"),
    ),
    WINNER: (("", "the first Triton template"), ("library", "the library's (cuBLAS, cuDNN)")),
}
"""What can be chosen of each (value, words); of the winner, also the name of a candidate."""

TITLES = {
    ATTENTION: "Attention",
    PADDING: "Matrix products of sizes that are not aligned",
    WINNER: "Winner of max-autotune",
    CONFIGURATION: "Configuration of a kernel",
    FUSION: "Fusions that torch would time",
}


class Assumed(msgspec.Struct, frozen=True):
    """One thing that was assumed in a capture."""

    what: str
    """A key of `TITLES`."""
    words: str
    """The assumption in a sentence."""
    candidates: tuple[tuple[str, str], ...] = ()
    """For the winner: every candidate of this product, with its configuration."""
    product: str = ""
    """For padding: the product, as `compiler.model.capture.padding_record` writes it; empty where its sizes are symbolic."""
    taken: str = ""
    """For padding: what was assumed of it, ``yes`` or ``no``."""
    found: bool = False
    """For a value: the program found it on the CPU, nobody had to say it."""


Value = bool | int | float
Assumption = tuple[str, str]
"""(what, value): ``("attention", "math")``, ``("value@model.py:31", "3")``."""


def read_assumptions(text: str) -> tuple[Assumption, ...]:
    """``attention=math, padding=PATH``: a path may hold commas. Raises ValueError as `read_assumption`."""
    return tuple(read_assumption(part) for part in _NEXT.split(text.strip().rstrip(",")) if part.strip())


def read_assumption(text: str) -> Assumption:
    """``attention=math``. Of ``padding=PATH`` the record of that file is read and becomes the value, so that what holds it needs no
    file. Raises ValueError with what there is.
    """
    what, equals, value = (part.strip() for part in text.partition("="))
    if equals and _LINE.fullmatch(what):
        _value(value)
        return what, value
    if not equals or what not in CHOICES:
        raise ValueError(
            f"{text!r} is no assumption; write one of {', '.join(f'{key}=…' for key in CHOICES)}, or {VALUE}FILE:LINE=…."
        )
    known = [key for key, _ in CHOICES[what]]
    if what == PADDING and value not in known:
        if is_record(value):
            return what, value
        path = Path(value).expanduser()
        if path.name != value or path.exists():
            return what, read_record(path)
    if value not in known and what != WINNER:
        record = ", or the path of torch's record of a GPU" if what == PADDING else ""
        raise ValueError(f"{what} is one of {', '.join(filter(None, known))}{record}, not {value!r}.")
    return what, value


def values_of(assumed: Iterable[Assumption]) -> dict[tuple[str, int], Value]:
    """What lines find that ask for a value, by (file, line); a file may be the end of its path."""
    found = {}
    for what, text in assumed:
        if (line := _LINE.fullmatch(what)) is not None:
            found[line[1], int(line[2])] = _value(text)
    return found


def _value(text: str) -> Value:
    """Raises ValueError."""
    try:
        value: Value = msgspec.json.decode(text.lower(), type=Value)
    except UNREADABLE:
        raise ValueError(f"A tensor's value is a number, True or False, not {text!r}.") from None
    return value


def options_for(what: str, assumed: tuple[Assumed, ...]) -> tuple[tuple[str, str], ...]:
    """Everything that can be chosen of one, in this capture; empty where there is no switch."""
    named = {key: words for row in assumed if row.what == what for key, words in row.candidates}
    return (*CHOICES.get(what, ()), *((key, f"{key}  {words}".strip()) for key, words in named.items()))


def without_repeats(assumed: Iterable[Assumed]) -> Iterator[str]:
    """Each assumption in a sentence; those on padding, of which there may be hundreds, in one."""
    rows = list(dict.fromkeys(assumed))
    padding = [row for row in rows if row.what == PADDING]
    yield from dict.fromkeys(row.words for row in rows if row.what != PADDING)
    if len(padding) == 1:
        yield padding[0].words
    elif padding:
        taken = Counter(row.taken for row in padding)
        first = next((row for row in padding if row.taken == "yes"), padding[0])
        yield (
            f"of {len(padding)} matrix products whose sizes are not aligned {taken['yes']} are padded (torch measures each on the "
            f"GPU); such as {first.words}"
        )
