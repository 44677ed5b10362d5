"""Bytecode as Python's ``dis`` prints it.

Up to Python 3.12 each row has its offset before its name, and the first one's is 0. From 3.13 on there are labels
instead, at what jumps and the table of exceptions name, and ``--`` where an instruction is of no line.
"""

import itertools
import re
from collections.abc import Iterator

from compiler.model.ir.programs import Instruction

_ROW = re.compile(
    r"(?:(?P<first>\d+|--)\s+)?(?:(?P<jump>>>)\s*)?(?:(?P<label>L\d+):\s+)?(?:(?P<second>\d+)\s+)?(?P<name>[A-Z][A-Z0-9_]+)(?:\s+(?P<argument>.*))?"
)
"""Without the spaces around it; between two parts stand some, so that there is one way to read them."""
_WORDS = re.compile(r"^\d*\s*\((.*)\)$", re.DOTALL)
_TARGET = re.compile(r"to (L?\d+)")
_EXCEPTIONS = "ExceptionTable:"
_MOST = 100_000


def read_bytecode(text: str) -> tuple[Instruction, ...] | None:
    """The instructions; None where the text is not what ``dis`` prints."""
    rows = [row for row in map(str.rstrip, text.split("\n")[:_MOST]) if row]
    if _EXCEPTIONS in rows:
        rows = rows[: rows.index(_EXCEPTIONS)]
    found = [match for row in rows if (match := _read_row(row)) is not None]
    if not found or len(found) < len(rows) * 0.9:
        return None
    offsets = _offsets(found)
    lines = _lines(found, offsets is not None)
    given = [row["argument"] or "" for row in found]
    arguments = [words[1] if (words := _WORDS.match(argument)) else argument for argument in given]
    targets = {target[1] for argument in arguments if (target := _TARGET.fullmatch(argument)) is not None}
    made = []
    for number, (row, line, argument) in enumerate(zip(found, lines, arguments, strict=True)):
        offset = None if offsets is None else offsets[number]
        label = row["label"] or ""
        made.append(
            Instruction(
                f"i{number if offset is None else offset}",
                offset,
                row["name"],
                argument,
                line,
                line,
                jump_target=(label if offset is None else str(offset)) in targets,
                label=label,
            )
        )
    return tuple(made)


def _read_row(row: str) -> re.Match[str] | None:
    """Its parts; something always stands before the name."""
    found = _ROW.fullmatch(row.lstrip())
    return found if found is not None and (found.start("name") or row[0].isspace()) else None


def _offsets(rows: list[re.Match[str]]) -> list[int] | None:
    """Each row's, which stands before its name; None where what stands there are lines, or nothing."""
    before = [row["second"] or row["first"] or "" for row in rows]
    if before[0] != "0" or not all(number.isdigit() for number in before):
        return None
    numbers = [int(number[:9]) for number in before]
    rising = all(one < next_one for one, next_one in itertools.pairwise(numbers))
    return numbers if rising and not any(number % 2 for number in numbers) else None


def _lines(rows: list[re.Match[str]], with_offsets: bool) -> Iterator[int | None]:
    """A row without a line is of the one before it."""
    line: int | None = None
    for row in rows:
        reported = None if with_offsets and row["second"] is None else row["first"]
        if reported is not None:
            line = int(reported[:9]) or None if reported.isdigit() else None
        yield line
