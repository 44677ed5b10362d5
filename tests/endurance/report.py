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
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    old = [line for line in text.splitlines() if line.startswith("| ") and not line.startswith("| part |")]
    kept = {line.split(" | ")[0].removeprefix("| "): line for line in old}
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    when = time.strftime("%Y-%m-%d", time.gmtime())
    figures = row.figures.replace("|", "/").replace("\n", "<br>")
    told = f"{len(row.faults)}" if row.faults else "none"
    kept[part] = f"| {part} | {scale:g} | {figures} | {told} | {when}, {seconds:,.0f} s, {machine} |"
    page.write_text(_HEAD + "".join(f"{line}\n" for line in kept.values()), encoding="utf-8")
