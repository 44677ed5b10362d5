"""Bytecode as Python's ``dis`` prints it, of 3.11 to 3.13 and later: with offsets, or with labels in their place."""

import re

from compiler.model.ir.programs import Instruction

_ROW = re.compile(
    r"^\s*(?P<first>\d+)?\s*(?P<jump>>>)?\s*(?:(?P<label>L\d+):)?\s*(?P<second>\d+)?\s+(?P<name>[A-Z][A-Z0-9_]+)\s*(?P<argument>.*?)\s*$"
)
_WORDS = re.compile(r"^\d*\s*\((.*)\)$", re.DOTALL)
_MOST = 100_000


def read_bytecode(text: str) -> tuple[Instruction, ...] | None:
    """The instructions; None where the text is not what ``dis`` prints."""
    rows = [
        row
        for row in text.split("\n")[:_MOST]
        if row.strip() and not row.startswith(("Exception", "ExceptionTable"))
    ]
    found = [match for row in rows if (match := _ROW.match(row)) is not None]
    if not found or len(found) < len(rows) * 0.9:
        return None  # the rest are rows of the table of exceptions
    with_offsets = found[0]["second"] is not None
    made: list[Instruction] = []
    line: int | None = None
    for number, row in enumerate(found):
        first, second = row["first"], row["second"]
        if with_offsets:
            offset = int((second or first or str(2 * number))[:9])
            line = int(first[:9]) if first and second else line
        else:
            offset = 2 * number
            line = int((first or second or "0")[:9]) or line if first or second else line
        words = _WORDS.match(row["argument"])
        made.append(
            Instruction(
                f"i{offset}",
                offset,
                row["name"],
                words[1] if words else row["argument"],
                line,
                line,
                jump_target=bool(row["jump"] or row["label"]),
            )
        )
    return tuple(made) if len({row.id for row in made}) == len(made) else None
