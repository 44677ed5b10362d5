"""What a part found, on one line, and the page that keeps the lines: ``resources/docs/endurance.md``."""

import os
import platform
import time
from dataclasses import dataclass
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "resources" / "docs" / "endurance.md"
_HEAD = """# Endurance

What `make endurance` found when it was last run; each part writes its own row. Scale 1 is the full size, and a fault makes the
part fail. `tests/endurance` says what each part does, and its tests plant a fault for each.

| part | scale | figures | faults | when, how long, where |
|---|---|---|---|---|
"""


@dataclass(frozen=True)
class Row:
    """One part's figures."""

    figures: str
    faults: tuple[str, ...] = ()
    """What must not be, each with what makes it again."""


def write_row(part: str, row: Row, scale: float, seconds: float, page: Path = PAGE) -> None:
    """Put the row in the place of the part's last one."""
    reported = f"{len(row.faults)}" if row.faults else "none"
    _put(
        part,
        f"| {part} | {scale:g} | {cell(row.figures)} | {reported} | {today()}, {seconds:,.0f} s, {machine()} |",
        page,
    )


def take_row(part: str, other: Path, page: Path = PAGE) -> None:
    """Put the part's row of another checkout's page in the place of the last one. Raises KeyError where there is none."""
    _put(part, _rows(other)[part], page)


def _put(part: str, line: str, page: Path) -> None:
    kept = {**_rows(page), part: line}
    page.write_text(_HEAD + "".join(f"{row}\n" for row in kept.values()) + _read(page)[1], encoding="utf-8")


def _rows(page: Path) -> dict[str, str]:
    """The line of each part."""
    lines = [line for line in _read(page)[0].splitlines() if line.startswith("| ")]
    return {
        line.split(" | ")[0].removeprefix("| "): line for line in lines if not line.startswith("| part |")
    }


def write_section(title: str, text: str, page: Path = PAGE) -> None:
    """Put a section below the rows, in the place of the last one of that title."""
    table, sections = _read(page)
    kept = [part for part in sections.split("\n## ")[1:] if not part.startswith(f"{title}\n")]
    reported = "".join(f"\n## {part.strip()}\n" for part in (*kept, f"{title}\n\n{text}"))
    page.write_text((table or _HEAD).rstrip() + "\n" + reported, encoding="utf-8")


def section_lines(title: str, page: Path = PAGE) -> list[str]:
    """What stands in a section."""
    parts = (part for part in _read(page)[1].split("\n## ") if part.startswith(f"{title}\n"))
    return next(parts, "").splitlines()[1:]


def cell(text: str) -> str:
    """As a cell of a table can hold it."""
    return text.replace("|", "/").replace("\n", "<br>")


def today() -> str:
    return time.strftime("%Y-%m-%d", time.gmtime())


def machine() -> str:
    """Where it ran, in words."""
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"


def _read(page: Path) -> tuple[str, str]:
    """(the page up to its first section, its sections)"""
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    at = text.find("\n## ")
    return (text, "") if at < 0 else (text[:at], text[at:])
